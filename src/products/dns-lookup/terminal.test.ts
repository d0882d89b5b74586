import { describe, expect, test } from "vitest";
import type { RecordObject } from "../../enrichment/dns-facts/records.ts";
import type { Resolved } from "../../enrichment/dns-facts/resolve.ts";
import type { RecordType } from "../../net/dns/dns-types.ts";
import { boundRecords } from "./bound.ts";
import { reportDns } from "./report.ts";
import { dnsTargetOf } from "./target.ts";
import { renderDnsReport } from "./terminal.ts";

const plain = (text: string) => text;
const STYLE = { width: 80, bold: plain, dim: plain, good: plain, warn: plain, bad: plain };

const lookup = (type: RecordType, over: Partial<Resolved<RecordType>> = {}): Resolved<RecordType> => ({
  type,
  outcome: "nodata",
  rcode: "NOERROR",
  authenticatedData: false,
  authority: null,
  records: [],
  texts: [],
  chain: [],
  message: null,
  elapsedMs: 1,
  ...over,
});
const address = (name: string, value: string): RecordObject => ({
  name,
  type: "A",
  ttl: 60,
  value,
  address: value,
});
const txt = (value: string): RecordObject => ({
  name: "example.com",
  type: "TXT",
  ttl: 60,
  value,
  strings: [value],
});

const printed = (domain: string, lookups: readonly Resolved<RecordType>[]): string[] =>
  renderDnsReport(
    reportDns({ target: dnsTargetOf(domain, "ALL"), lookups, computedAt: new Date(0), elapsedMs: 1 }),
    STYLE,
  ).split("\n");

describe("renderDnsReport()", () => {
  test.each<[string, string, readonly Resolved<RecordType>[], readonly string[]]>([
    [
      "a chain and where it ends",
      "example.com",
      [
        lookup("A", {
          outcome: "ok",
          chain: ["a.example"],
          records: [address("a.example", "192.0.2.1")],
          authenticatedData: true,
        }),
      ],
      [
        "example.com",
        "  1 record · DNSSEC validated",
        "  Leads to  a.example",
        "",
        "  A             60  192.0.2.1 (a.example)",
        "",
      ],
    ],
    [
      "a name that does not exist",
      "example.com",
      [lookup("A", { outcome: "nxdomain", rcode: "NXDOMAIN" })],
      ["example.com", "  The name does not exist (NXDOMAIN)", ""],
    ],
    [
      "a chain into the void",
      "example.com",
      [lookup("A", { outcome: "nxdomain", rcode: "NXDOMAIN", chain: ["gone.example"] })],
      [
        "example.com",
        "  No record of the types asked for · leads to a name that does not exist",
        "  Leads to  gone.example",
        "",
        "  None of A",
        "",
      ],
    ],
    [
      "silence",
      "bücher.example",
      [lookup("A", { outcome: "timeout", rcode: null, message: "No answer within 2000 ms" })],
      [
        "xn--bcher-kva.example",
        "  Nothing was answered",
        "  Written   bücher.example",
        "",
        "No answer",
        "  A       timeout: No answer within 2000 ms",
        "",
      ],
    ],
    [
      "an address",
      "192.0.2.1",
      [lookup("PTR")],
      [
        "192.0.2.1",
        "  No record of the types asked for",
        "  Asked     1.2.0.192.in-addr.arpa",
        "",
        "  None of PTR",
        "",
      ],
    ],
  ])("shows %s", (_, domain, lookups, expected) => {
    expect(printed(domain, lookups)).toEqual([...expected, "  From      DNS, as of this report"]);
  });

  test("keeps within its width whatever the records hold, and says what it leaves out", () => {
    const lines = printed("example.com", [
      lookup("TXT", { outcome: "ok", records: Array.from({ length: 30 }, () => txt("x".repeat(9000))) }),
      lookup("A", { outcome: "ok", records: [address("n".repeat(250), "192.0.2.1")] }),
    ]);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.some((line) => /^ {2}TXT: \d+ of 30 shown$/.test(line))).toBe(true);
  });
});

describe("boundRecords()", () => {
  const size = JSON.stringify(txt("x".repeat(100))).length + 1;
  const texts = (count: number) => Array.from({ length: count }, () => txt("x".repeat(100)));
  const counts = (groups: readonly number[], maxBytes: number) =>
    boundRecords(
      groups.map((count, i) => ({ type: (["A", "MX", "TXT"] as const)[i] ?? "A", records: texts(count) })),
      maxBytes,
    ).map(([, records]) => records.length);

  test.each([
    [[1, 2, 3], 6, [1, 2, 3]],
    [[1, 9, 9], 9, [1, 4, 4]],
    [[9, 0, 1], 5, [4, 0, 1]],
    [[5, 5, 5], 2, [0, 1, 1]],
    [[3], 0, [0]],
  ])("shares room for %j records when there is room for %i as %j", (groups, room, expected) => {
    expect(counts(groups, room * size)).toEqual(expected);
  });
});
