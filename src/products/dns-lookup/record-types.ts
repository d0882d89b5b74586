import { InvalidValue } from "../../base/failure.ts";
import { RECORD_TYPES, type RecordType } from "../../net/dns/dns-types.ts";

/** What `ALL` stands for: each is asked for itself, ANY is never sent (RFC 8482). */
const ALL: readonly RecordType[] = [
  ...(["A", "AAAA", "CNAME", "MX", "NS", "TXT", "SOA", "CAA"] as const),
  ...(["DS", "DNSKEY", "HTTPS"] as const),
];

const MAX_TYPES = 16;
const BY_NAME: ReadonlyMap<string, RecordType | "ALL"> = new Map([
  ["ALL", "ALL"],
  ...RECORD_TYPES.map((type) => [type, type] as const),
]);

/** The types that a text names, `ALL` as it stands; in order, each once. Throws InvalidValue. Source: design 8.1. */
export function parseRecordTypes(text: string): readonly (RecordType | "ALL")[] {
  const names = text.split(",", MAX_TYPES + 1).map((name) => name.trim());
  if (names.length > MAX_TYPES) {
    throw new InvalidValue("too_many_types", `At most ${MAX_TYPES} record types can be asked for at once`);
  }
  return [...new Set(names.map(typeNamed))];
}

function typeNamed(name: string): RecordType | "ALL" {
  // ASCII letters only: some others have them as their upper case.
  const upper = /^[a-z]{1,8}$/i.test(name) ? name.toUpperCase() : "";
  const type = BY_NAME.get(upper);
  if (type !== undefined) return type;
  if (name === "") throw new InvalidValue("empty_type", "A record type is missing");
  if (upper === "ANY") {
    throw new InvalidValue("any_type", "ANY has no dependable answer: name the types, or ALL");
  }
  throw new InvalidValue("unknown_type", `Unknown record type "${name.slice(0, 32)}"`);
}

/** The types to ask a name for. */
export const typesOfName = (names: readonly (RecordType | "ALL")[]): readonly RecordType[] => [
  ...new Set(names.flatMap((name) => (name === "ALL" ? ALL : [name]))),
];

/** An address has PTR records only, at its reverse name. Throws InvalidValue at any other type. Source: design 8.1. */
export function typesOfAddress(names: readonly (RecordType | "ALL")[]): readonly RecordType[] {
  if (names.every((name) => name === "ALL" || name === "PTR")) return ["PTR"];
  throw new InvalidValue("ptr_only", "Of an IP address only PTR can be asked");
}
