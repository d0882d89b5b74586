import { readFileSync } from "node:fs";
import { PRODUCTS } from "../src/products/all.ts";
import { toFreeWhoisReport } from "../src/products/whois-lookup/free.ts";
import { reportAsn, reportIp } from "../src/products/whois-lookup/number-report.ts";
import { parseWhoisQuery } from "../src/products/whois-lookup/target.ts";
import { answeredLookup, type RegistryLookup } from "../src/registry-data/outcome.ts";
import { readRdapAutnum } from "../src/registry-data/rdap/asn.ts";
import { readRdapNetwork } from "../src/registry-data/rdap/ip.ts";
import { recorded as rdap } from "./registries.ts";

// Answers of every product, as recorded and changed, for the tests of their reports.

export type Data = Readonly<Record<string, unknown>>;

export const recordedAnswer = (name: string): Data =>
  JSON.parse(readFileSync(new URL(`../src/http/examples/${name}.json`, import.meta.url), "utf8")).data;

/** Registrations of a network and an AS number, as a registry gave them. */
export function recordedNumbers(): readonly Data[] {
  const gathered = { isFreeMailbox: () => false, computedAt: new Date("2026-11-21T09:00:00Z"), elapsedMs: 1 };
  const found = <T>(registration: T | null): RegistryLookup<T> =>
    answeredLookup(registration, {
      source: "rdap",
      fetchedAt: new Date("2026-11-21T06:00:00Z"),
      provenance: { server: "rdap.example", url: "https://rdap.example/", rdap_status: 200 },
    });
  const [ip, asn] = [parseWhoisQuery("8.8.8.8"), parseWhoisQuery("AS15169")];
  if (ip.kind !== "ip" || asn.kind !== "asn") throw new Error("The queries are of other kinds");
  const [network, system] = [Object(rdap("arin-network")), Object(rdap("arin-autnum"))];
  const url = "https://rdap.example/";
  return [
    reportIp(ip, found(readRdapNetwork(network, url)), gathered),
    reportAsn(asn, found(readRdapAutnum(15_169, system, url)), gathered),
  ];
}

const domain = recordedAnswer("domain-reputation");
const url = recordedAnswer("url-reputation");
const certificate = {
  ...Object(domain.ssl),
  ...{ status: "ok", valid: true, issuer_name: "Example CA", error: null, days_left: 40, chain_valid: true },
  ...{ valid_from: "2026-10-01T00:00:00Z", valid_to: "2027-01-07T00:00:00Z", hostname_match: true },
  ...{ sans: ["example.com", "*.example.com"], sans_count: 2, protocol: "TLSv1.3", key_type: "EC" },
};
type Answers = readonly (readonly [word: string, report: Data])[];

/** Answers of every product: as recorded, and of what the recordings lack. */
export const recordedFull: Answers = [
  ...PRODUCTS.map(({ name, cli }) => [cli.word, recordedAnswer(name)] as const),
  ["domain", { ...domain, ssl: certificate }],
  ["url", { ...url, report: { ...Object(url.report), tls: certificate } }],
  ...recordedNumbers().map((report) => ["whois", report] as const),
];

/** Answers of every free tool; that of URLs has a page alone, and shows of an answer what that of domains does. */
export const recordedFree: Answers = [
  ...PRODUCTS.flatMap(({ name, cli, free }) =>
    free?.path == null ? [] : [[cli.word, recordedAnswer(`free-${name}`)] as const],
  ),
  [
    "url",
    {
      ...recordedAnswer("free-domain-reputation"),
      url: "https://example.com/",
      host: "example.com",
      is_host_ip: false,
    },
  ],
  ...recordedNumbers().map((report) => ["whois", { ...toFreeWhoisReport(Object(report)) }] as const),
];

/** The same answer with other traits and ages, the seed's choice; its words and lists stay. */
export function varied(report: Data, seed: number): Data {
  let at = seed;
  const draw = (): number => {
    at = (at * 1_103_515_245 + 12_345) % 2 ** 31;
    return at / 2 ** 31;
  };
  return JSON.parse(
    JSON.stringify(report, (key, value: unknown) => {
      if (key === "computed_at" || key === "detected") return value;
      if (typeof value === "boolean") return draw() < 0.5;
      if (/(^|_)age_s$/.test(key)) return draw() < 0.2 && key === "age_s" ? null : Math.floor(draw() * 1e8);
      return value;
    }),
  );
}
