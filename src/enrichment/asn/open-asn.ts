import { f64Section, readSnapshot, type Sections, u32Section } from "../../listings/snapshot.ts";
import { findIpv4Row, findIpv6Row } from "../intervals.ts";
import { ipv4Intervals, ipv6Intervals, publishedAtOf, textTable } from "../sections.ts";
import { textReader } from "../text-table.ts";
import type { Asn } from "./asn.ts";
import { ASN_SNAPSHOT, asnFingerprint } from "./build-asn.ts";

/**
 * The bundled ASN table from its snapshot: about 11 MB. Null when there is no snapshot of this form, it is
 * damaged, or it was made from another version of the package.
 */
export function openAsn(path: string): Asn | null {
  const snapshot = readSnapshot(path, ASN_SNAPSHOT);
  if (snapshot === null || snapshot.fingerprint !== asnFingerprint()) return null;
  return {
    ...lookups(snapshot.sections),
    publishedAt: publishedAtOf(snapshot.meta),
  };
}

function lookups(sections: Sections): Pick<Asn, "find" | "ipv4AddressesOf"> {
  const v4 = ipv4Intervals(sections);
  const v6 = ipv6Intervals(sections);
  const numbers = u32Section(sections, "as.number");
  const names = u32Section(sections, "as.name");
  const addresses = f64Section(sections, "as.ipv4Addresses");
  const nameText = textReader(textTable(sections, "names"));
  return {
    find: (ip) => {
      const row = ip.version === "v4" ? findIpv4Row(v4, ip.value) : findIpv6Row(v6, ip.words[0], ip.words[1]);
      return row === 0 ? null : { asn: numbers[row] ?? 0, org: nameText(names[row] ?? 0) };
    },
    ipv4AddressesOf: (asn) => {
      const row = rowOfNumber(numbers, asn);
      return row === 0 ? null : (addresses[row] ?? null);
    },
  };
}

function rowOfNumber(numbers: Uint32Array, asn: number): number {
  let low = 1;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < asn) low = middle + 1;
    else high = middle;
  }
  return numbers[low] === asn ? low : 0;
}
