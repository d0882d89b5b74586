import { f64Section, readSnapshot, type Sections, u32Section } from "../../../blocklist-index/snapshot.ts";
import type { Ip } from "../../../targets/ip.ts";
import { ipv4Intervals, ipv6Intervals, publishedAtOf, textTable } from "../../sections.ts";
import { monthly } from "../../table-age.ts";
import { textReader } from "../../text-table.ts";
import { findIpv4Row, findIpv6Row } from "../intervals.ts";
import { type Asn, type AsnRow, UNKNOWN_SYSTEM } from "./asn.ts";
import { ASN_SNAPSHOT, asnFingerprint } from "./build-asn.ts";
import { rowOfNumber } from "./open-routes.ts";

/**
 * The bundled ASN table from its snapshot: about 11 MB. Null when there is no snapshot of this form, it is
 * damaged, or it was made from another version of the package.
 */
export function openAsn(path: string): Asn | null {
  const snapshot = readSnapshot(path, ASN_SNAPSHOT);
  if (snapshot === null || snapshot.fingerprint !== asnFingerprint()) return null;
  const date = monthly(publishedAtOf(snapshot.meta));
  return {
    ...lookups(snapshot.sections),
    dates: { v4: date, v6: date },
  };
}

function lookups(sections: Sections): Omit<Asn, "dates"> {
  const v4 = ipv4Intervals(sections);
  const v6 = ipv6Intervals(sections);
  const numbers = u32Section(sections, "as.number");
  const names = u32Section(sections, "as.name");
  const addresses = f64Section(sections, "as.ipv4Addresses");
  const nameText = textReader(textTable(sections, "names"));
  const read = (row: number): AsnRow => {
    const asn = numbers[row] ?? 0;
    return { asn, org: nameText(names[row] ?? 0), origins: [asn] };
  };
  // One call asks the same address several times and then for its AS: the tables are larger than any cache.
  let latest: { readonly ip: Ip | null; readonly row: number; readonly found: AsnRow | null } = NOTHING_ASKED;
  return {
    find: (ip) => {
      if (latest.ip !== ip) {
        const row =
          ip.version === "v4" ? findIpv4Row(v4, ip.value) : findIpv6Row(v6, ip.words[0], ip.words[1]);
        latest = { ip, row, found: row === 0 ? null : read(row) };
      }
      return latest.found;
    },
    // Its ranges are merged: no prefix can be told from them.
    routeOf: () => null,
    systemOf: (asn) => {
      const row = latest.found?.asn === asn ? latest.row : rowOfNumber(numbers, asn);
      if (row === 0) return UNKNOWN_SYSTEM;
      const org = latest.row === row && latest.found !== null ? latest.found.org : nameText(names[row] ?? 0);
      return { ...UNKNOWN_SYSTEM, org, ipv4Addresses: addresses[row] ?? null };
    },
  };
}

const NOTHING_ASKED = { ip: null, row: 0, found: null };
