import { type Cidr, readCidr } from "../../targets/cidr.ts";
import { type Ip, readIp } from "../../targets/ip.ts";
import { cidrsOf } from "../../targets/ip-range.ts";
import type { IpRegistration } from "../types.ts";
import { type Json, naturalOf, objectsOf, textOf } from "./json.ts";
import { readNumberObject } from "./numbers.ts";

/** A network object of RFC 9083 5.4. Null when it is something else, or when the addresses that it names are no network. */
export function readRdapNetwork(object: Json, askedUrl: string): IpRegistration | null {
  const range = rangeOf(object);
  const kind = textOf(object, "objectClassName")?.toLowerCase() ?? null;
  if (kind === null ? range === null : kind !== "ip network") return null;
  const cidrs = range === null ? cidr0Of(object) : cidrsOf(range.first, range.last);
  if (cidrs.length === 0 && ENDS.every((name) => textOf(object, name) !== null)) return null;
  return {
    ...readNumberObject(object, askedUrl),
    network: networkText(cidrs, range),
    startAddress: range?.first.text ?? null,
    endAddress: range?.last.text ?? null,
    ipVersion: versionOf(cidrs, range),
    networkName: textOf(object, "name"),
    cidrs: cidrs.map(({ text }) => text),
    parentHandle: textOf(object, "parentHandle"),
    networkType: textOf(object, "type"),
  };
}

const ENDS = ["startAddress", "endAddress"];

type Range = { readonly first: Ip; readonly last: Ip };

/** Start and end; LACNIC wrote `200.1.2.0/24` as the start. Null unless both are addresses of one version. */
function rangeOf(object: Json): Range | null {
  const [first, last] = ENDS.map((name) => readIp((textOf(object, name) ?? "").replace(/\/\d{1,3}$/, "")));
  if (first == null || last == null) return null;
  return first.version === last.version ? { first, last } : null;
}

/** The `cidr0` extension: {v4prefix or v6prefix, length}. */
const cidr0Of = (object: Json): readonly Cidr[] =>
  objectsOf(object, "cidr0_cidrs")
    .map((cidr) => {
      const prefix = textOf(cidr, "v4prefix") ?? textOf(cidr, "v6prefix");
      const length = naturalOf(cidr, "length");
      return prefix === null || length === null
        ? null
        : readCidr(`${prefix}/${length}`, { hostBits: "drop" });
    })
    .filter((cidr) => cidr !== null);

/** One CIDR where the range is one, else `first - last`. */
function networkText(cidrs: readonly Cidr[], range: Range | null): string | null {
  if (cidrs.length === 1) return cidrs[0]?.text ?? null;
  return range === null ? null : `${range.first.text} - ${range.last.text}`;
}

function versionOf(cidrs: readonly Cidr[], range: Range | null): 4 | 6 | null {
  const version = range?.first.version ?? cidrs[0]?.version ?? null;
  if (version === null) return null;
  return version === "v4" ? 4 : 6;
}
