import type { Asn, AsnRow } from "./asn/asn.ts";
import { KNOWN_SYSTEMS } from "./catalogue/systems.ts";
import type { AsnFacts } from "./facts.ts";
import { createMemory } from "./memory.ts";
import type { Fields } from "./unknown-fields.ts";

/** The origin AS of an address, and the table that said so. */
export type Origin = {
  readonly row: AsnRow | null;
  /** False when there is no table to ask. */
  readonly isKnown: boolean;
  readonly ipv4Addresses: number | null;
};

/** Asks the operator's table, then the bundled one; totals come from whichever counts them. */
export function originOf(find: (table: Asn) => AsnRow | null, tables: readonly Asn[]): Origin {
  for (const table of tables) {
    const row = find(table);
    if (row === null) continue;
    const counts = tables.map((each) => each.ipv4AddressesOf(row.asn)).filter((count) => count !== null);
    return { row, isKnown: true, ipv4Addresses: counts[0] ?? null };
  }
  return { row: null, isKnown: tables.length > 0, ipv4Addresses: null };
}

const BLANK: AsnFacts = {
  asn: "",
  asname: "",
  route: "",
  status: "",
  org: "",
  country_code: "",
  created: "",
  days_since_created: 0,
  updated: "",
  days_since_updated: 0,
  address: "",
  abuse_email: "",
  domain: "",
  total_ipv4_prefixes: 0,
  total_ipv4_ips: 0,
  total_ipv6_prefixes: 0,
  type: "",
  rir: "",
  origins: [],
};

const UNROUTED: AsnFacts = { ...BLANK, status: "unrouted" };

/** The `asn` object of an address (design 5.3). `unrouted` only where a table was asked. */
export function asnFactsOf({ row, isKnown, ipv4Addresses }: Origin): AsnFacts {
  if (row === null) return isKnown ? UNROUTED : BLANK;
  return {
    ...BLANK,
    asn: `AS${row.asn}`,
    status: "active",
    org: row.org,
    total_ipv4_ips: ipv4Addresses ?? 0,
    type: asnTypeOf(row),
    origins: [`AS${row.asn}`],
  };
}

/** Fields of an AS that need registries or a routing table with prefixes. */
const REGISTRY_FIELDS = [
  "asn.abuse_email",
  "asn.address",
  "asn.asname",
  "asn.country_code",
  "asn.created",
  "asn.days_since_created",
  "asn.days_since_updated",
  "asn.domain",
  "asn.rir",
  "asn.route",
  "asn.total_ipv4_prefixes",
  "asn.total_ipv6_prefixes",
  "asn.updated",
];

const NO_TABLE = [
  ...REGISTRY_FIELDS,
  "asn.asn",
  "asn.org",
  "asn.origins",
  "asn.status",
  "asn.total_ipv4_ips",
  "asn.type",
  "information.asn",
  "information.isp",
];

/** What an unrouted address's registration would say. */
const NO_ROUTE = ["asn.abuse_email", "information.isp"];

/** Paths of the fields of `asn`, and of `information` that copy them, which nothing here could fill. */
export function unknownAsnFields(
  facts: AsnFacts,
  { row, isKnown, ipv4Addresses }: Origin,
): readonly string[] {
  if (row === null) return isKnown ? NO_ROUTE : NO_TABLE;
  const parts: Fields[] = [REGISTRY_FIELDS];
  if (ipv4Addresses === null) parts.push(TOTAL_FIELD);
  if (facts.org === "") parts.push(ORG_FIELDS);
  if (facts.type === "") parts.push(TYPE_FIELD);
  return parts.flat();
}

const TOTAL_FIELD = ["asn.total_ipv4_ips"];
const ORG_FIELDS = ["asn.org", "information.isp"];
const TYPE_FIELD = ["asn.type"];

const NAMES_OF_TYPE: readonly (readonly [AsnFacts["type"], RegExp])[] = [
  [
    "education",
    /\b(universit(y|ies|aet|ät|é|e|eit|at|à|ad|ade|as)|college|hochschule|school|academ(y|ic)|polytechnic)\b/iu,
  ],
  [
    "government",
    /\b(ministry of|department of defen[sc]e|government|federal (agency|office)|dod network)\b|\(dod\)/iu,
  ],
  ["hosting", /\b(hosting|data ?cent(er|re)s?|colo(cation)?|vps|dedicated servers?)\b/iu],
  [
    "isp",
    /\b(tele(com|kom|fonica|fónica|communications?|communicatie)s?|broadband|cable|cablevision|internet service|isp|fiber|fibre|mobile|wireless)\b/iu,
  ],
];

/**
 * What kind of network an AS is: by the table of known ones, else by its name where the name says exactly one
 * kind ("Telecom and Hosting" says two and so nothing). Empty when unknown.
 */
export function asnTypeOf({ asn, org }: AsnRow): AsnFacts["type"] {
  const use = KNOWN_SYSTEMS.get(asn)?.use;
  if (use === "hosting") return "hosting";
  if (use === "satellite") return "isp";
  return types(org, () => {
    const named = NAMES_OF_TYPE.filter(([, words]) => words.test(org));
    return named.length === 1 ? (named[0]?.[0] ?? "") : "";
  });
}

const types = createMemory<AsnFacts["type"]>(20_000);
