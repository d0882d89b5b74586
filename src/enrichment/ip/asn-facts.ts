import type { Ip } from "../../targets/ip.ts";
import { KNOWN_SYSTEMS } from "../catalogue/systems.ts";
import { type AsnFacts, AsnShape } from "../facts.ts";
import { createMemory } from "../memoize.ts";
import type { TableDate } from "../table-age.ts";
import type { Fields } from "../unknown-fields.ts";
import { type Asn, type AsnRow, type AsnSystem, joinSystems, UNKNOWN_SYSTEM } from "./asn/asn.ts";

/** The origin AS of an address, and what the tables say of both. */
export type Origin = {
  readonly row: AsnRow | null;
  /** False when there is no table to ask. */
  readonly isKnown: boolean;
  /** CIDR; empty: no route covers the address; null: no table knows routes. */
  readonly route: string | null;
  readonly system: AsnSystem;
  /** Of the table that said so, or that has no route; null when there is none. */
  readonly date: TableDate | null;
};

/** Asks the operator's table, then the one in force; what the first cannot tell comes from the next that can. */
export function originOf(ip: Ip, tables: readonly Asn[]): Origin {
  for (const table of tables) {
    const row = table.find(ip);
    if (row === null) continue;
    const date = table.dates[ip.version];
    return { row, isKnown: true, route: routeIn(tables, ip), system: systemIn(tables, row.asn), date };
  }
  const date = tables.at(-1)?.dates[ip.version] ?? null;
  return { row: null, isKnown: tables.length > 0, route: null, system: UNKNOWN_SYSTEM, date };
}

function routeIn(tables: readonly Asn[], ip: Ip): string | null {
  for (const table of tables) {
    const route = table.routeOf(ip);
    if (route !== null) return route;
  }
  return null;
}

function systemIn(tables: readonly Asn[], asn: number): AsnSystem {
  let joined = UNKNOWN_SYSTEM;
  for (const table of tables) {
    const said = table.systemOf(asn);
    joined = joined === UNKNOWN_SYSTEM ? said : joinSystems(joined, said);
  }
  return joined;
}

const BLANK: AsnFacts = AsnShape.parse({ status: "", type: "", origins: [] });

const UNROUTED: AsnFacts = { ...BLANK, status: "unrouted" };

/** The `asn` object of an address (design 5.3). `unrouted` only where a table was asked. */
export function asnFactsOf({ row, isKnown, route, system }: Origin): AsnFacts {
  if (row === null) return isKnown ? UNROUTED : BLANK;
  const { name, country, ipv4Prefixes, ipv6Prefixes, ipv4Addresses } = system;
  return {
    ...BLANK,
    asn: `AS${row.asn}`,
    asname: name ?? "",
    route: route ?? "",
    status: "active",
    org: row.org,
    country_code: country ?? "",
    total_ipv4_prefixes: ipv4Prefixes ?? 0,
    total_ipv4_ips: ipv4Addresses ?? 0,
    total_ipv6_prefixes: ipv6Prefixes ?? 0,
    type: asnTypeOf(row),
    origins: row.origins.map((origin) => `AS${origin}`),
  };
}

/** `information.asn`: of several origins the lowest number (design 5.2), where `asn.asn` is the one most seen. */
export const lowestOrigin = ({ row }: Origin): string =>
  row === null ? "" : `AS${Math.min(...row.origins)}`;

/** Fields of an AS that no table holds. */
const REGISTRY_FIELDS = [
  "asn.abuse_email",
  "asn.address",
  "asn.created",
  "asn.days_since_created",
  "asn.days_since_updated",
  "asn.domain",
  "asn.rir",
  "asn.updated",
];

const ROUTE_FIELD = ["asn.route"];
const NAME_FIELD = ["asn.asname"];
const COUNTRY_FIELD = ["asn.country_code"];
const IPV4_FIELD = ["asn.total_ipv4_prefixes"];
const IPV6_FIELD = ["asn.total_ipv6_prefixes"];

const NO_TABLE = [
  ...REGISTRY_FIELDS,
  ...[ROUTE_FIELD, NAME_FIELD, COUNTRY_FIELD, IPV4_FIELD, IPV6_FIELD].flat(),
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
  { row, isKnown, route, system }: Origin,
): readonly string[] {
  if (row === null) return isKnown ? NO_ROUTE : NO_TABLE;
  const parts: Fields[] = [REGISTRY_FIELDS];
  if (route === null) parts.push(ROUTE_FIELD);
  if (system.name === null) parts.push(NAME_FIELD);
  if (system.country === null) parts.push(COUNTRY_FIELD);
  if (system.ipv4Prefixes === null) parts.push(IPV4_FIELD);
  if (system.ipv6Prefixes === null) parts.push(IPV6_FIELD);
  if (system.ipv4Addresses === null) parts.push(TOTAL_FIELD);
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
export function asnTypeOf({ asn, org }: Pick<AsnRow, "asn" | "org">): AsnFacts["type"] {
  const use = KNOWN_SYSTEMS.get(asn)?.use;
  if (use === "hosting") return "hosting";
  if (use === "satellite") return "isp";
  return types(org, () => {
    const named = NAMES_OF_TYPE.filter(([, words]) => words.test(org));
    return named.length === 1 ? (named[0]?.[0] ?? "") : "";
  });
}

const types = createMemory<AsnFacts["type"]>(20_000);
