import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { DnssecCheck } from "../../enrichment/dns-facts/dnssec.ts";
import { answeredLookup, failedLookup, type RegistryLookup } from "../../registry-data/outcome.ts";
import { readRdapAutnum } from "../../registry-data/rdap/asn.ts";
import { readRdapDomain } from "../../registry-data/rdap/domain.ts";
import { readRdapNetwork } from "../../registry-data/rdap/ip.ts";
import { isJson, type Json } from "../../registry-data/rdap/json.ts";
import type { Style } from "../product.ts";
import { toFreeWhoisReport } from "./free.ts";
import { reportAsn, reportIp } from "./number-report.ts";
import { reportDomain } from "./report.ts";
import { FreeWhoisReport, type WhoisReport, WhoisReportShape } from "./shape.ts";
import { parseWhoisQuery, type WhoisTarget } from "./target.ts";
import { renderWhoisReport } from "./terminal.ts";

const NOW = new Date("2026-11-21T09:00:00Z");
const gathered = { isFreeMailbox: (name: string) => name === "gmx.de", computedAt: NOW, elapsedMs: 12.4 };
const url = "https://rdap.example/";

const recorded = (name: string): Json => {
  const path = fileURLToPath(new URL(`../../../test/fixtures/rdap/${name}.json`, import.meta.url));
  const json: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (!isJson(json)) throw new Error(`${name} is no object`);
  return json;
};

const found = <T>(registration: T | null): RegistryLookup<T> => {
  const fetchedAt = new Date("2026-11-21T08:00:00Z");
  const provenance = { server: "rdap.example", url, rdap_status: 200 };
  return answeredLookup(registration, { source: "rdap", fetchedAt, provenance });
};

function targetOf<Kind extends WhoisTarget["kind"]>(
  kind: Kind,
  text: string,
): Extract<WhoisTarget, { kind: Kind }> {
  const target = parseWhoisQuery(text);
  const isWanted = (one: WhoisTarget): one is Extract<WhoisTarget, { kind: Kind }> => one.kind === kind;
  if (!isWanted(target)) throw new Error(`${text} is of kind ${target.kind}`);
  return target;
}

const domainReport = (name: string, check: DnssecCheck | null = null, text = "example.com") =>
  reportDomain(
    targetOf("domain", text),
    found(readRdapDomain("example.com", recorded(name))),
    check,
    gathered,
  );
const ipReport = (name: string, text: string) =>
  reportIp(targetOf("ip", text), found(readRdapNetwork(recorded(name), url)), gathered);
const asnReport = (name: string, text: string) => {
  const target = targetOf("asn", text);
  return reportAsn(target, found(readRdapAutnum(target.asn, recorded(name), url)), gathered);
};
const failure = failedLookup<never>("timeout", "RDAP: silence. WHOIS: silence");

const REPORTS: readonly (readonly [string, WhoisReport])[] = [
  ["a thin registry's domain", domainReport("gtld-thin")],
  ["a host below a redacted one", domainReport("gtld-registrar-9537", null, "www.Example.com")],
  ["a privacy service's domain", domainReport("gtld-privacy-service")],
  ["an internationalised name", domainReport("jscontact", null, "bücher.example")],
  [
    "a domain that is not registered",
    reportDomain(targetOf("domain", "a.com"), found<never>(null), null, gathered),
  ],
  ["a domain without an answer", reportDomain(targetOf("domain", "a.com"), failure, null, gathered)],
  ["an address", ipReport("arin-network", "8.8.8.8")],
  ["a network", ipReport("network-no-cidr", "198.51.100.7/22")],
  ["an address without a holder", reportIp(targetOf("ip", "10.1.2.3"), found<never>(null), gathered)],
  ["an AS number", asnReport("ripe-autnum", "as 3333")],
  ["a block of AS numbers", asnReport("apnic-autnum-block", "131080")],
  ["an AS number without an answer", reportAsn(targetOf("asn", "AS1"), failure, gathered)],
];

const plain: Style = {
  width: 80,
  bold: (text) => text,
  dim: (text) => text,
  good: (text) => text,
  warn: (text) => text,
  bad: (text) => text,
};

describe("the reports", () => {
  test.each(REPORTS)("of %s have the declared shape, free ones too", (_what, report) => {
    expect(WhoisReportShape.parse(report)).toEqual(report);
    const free = toFreeWhoisReport(report);
    expect(FreeWhoisReport.parse(free)).toEqual(free);
    // An age is of what is shown.
    if (free.lookup_status === "error") expect(free.freshness.data_age_s).toBeNull();
  });

  test.each(REPORTS)("of %s fit 80 columns", (_what, report) => {
    const lines = renderWhoisReport(report, plain).split("\n");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });
});

describe("reportDomain()", () => {
  test("describes the registered domain of a host below it, and counts ages from creation", () => {
    expect(domainReport("gtld-thin", null, "WWW.example.com.")).toMatchObject({
      query: "www.example.com",
      input: "WWW.example.com.",
      domain: "www.example.com",
      registered_domain: "example.com",
      registered: true,
      domain_age_days: 11_422,
      domain_age_months: 375,
      domain_age_years: 31,
      freshness: { data_age_s: 3600, stale: false, cached: false, computed_at: "2026-11-21T09:00:00Z" },
      fetched_at: "2026-11-21T08:00:00Z",
      elapsed_ms: 12,
    });
  });

  test("takes the registrable ICANN name below a private suffix, and a suffix for itself", () => {
    expect(domainReport("gtld-thin", null, "x.github.io").registered_domain).toBe("github.io");
    expect(domainReport("gtld-thin", null, "co.uk").registered_domain).toBeNull();
  });

  test("takes signatures from the registry, else from DNS, and says what is unknown", () => {
    const ds = { key_tag: 1, algorithm: 13, digest_type: 2, digest: "AB" };
    const check = {
      status: "secure",
      zoneSigned: true,
      dsRecords: [ds],
      checkedAt: "2026-11-21T08:30:00Z",
      cached: false,
    } as const;
    const byDns = domainReport("gtld-privacy-service", check);
    expect(byDns).toMatchObject({
      dnssec: "signedDelegation",
      dnssec_status: "secure",
      dnssec_zone_signed: true,
      dnssec_checked_at: "2026-11-21T08:30:00Z",
      ds_records: [ds],
      unknown_fields: [],
    });
    const byRegistry = domainReport("gtld-thin", { ...check, dsRecords: [] });
    expect(byRegistry.ds_records.map(({ key_tag: tag }) => tag)).toEqual([370]);
    expect(domainReport("gtld-privacy-service").unknown_fields).toEqual([
      "dnssec",
      "dnssec_checked_at",
      "dnssec_status",
      "dnssec_zone_signed",
      "ds_records",
    ]);
  });

  test("takes signatures from DNS while the registry is silent, not of an unregistered name", () => {
    const ds = { key_tag: 1, algorithm: 13, digest_type: 2, digest: "AB" };
    const checkedAt = "2026-11-21T08:30:00Z";
    const check = { status: "secure", zoneSigned: true, dsRecords: [ds], checkedAt, cached: true } as const;
    const target = targetOf("domain", "a.com");
    const silent = reportDomain(target, failure, check, gathered);
    expect(silent).toMatchObject({
      lookup_status: "error",
      dnssec: "signedDelegation",
      dnssec_status: "secure",
      dnssec_zone_signed: true,
      dnssec_checked_at: checkedAt,
      ds_records: [ds],
      freshness: { data_age_s: 1800, stale: false, cached: true },
    });
    expect(silent.unknown_fields.filter((field) => field.startsWith("d"))).toEqual([
      "domain_age_days",
      "domain_age_months",
      "domain_age_years",
    ]);
    const free = reportDomain(target, found<never>(null), check, gathered);
    expect(free).toMatchObject({ dnssec: null, dnssec_status: null, ds_records: [], unknown_fields: [] });
  });

  test("tells not registered from no answer", () => {
    const target = targetOf("domain", "free.com");
    expect(reportDomain(target, found<never>(null), null, gathered)).toMatchObject({
      registered: false,
      lookup_status: "not_found",
      domain_age_days: null,
      unknown_fields: [],
    });
    const silent = reportDomain(target, failure, null, gathered);
    expect(silent).toMatchObject({
      registered: null,
      lookup_status: "error",
      error: { code: "timeout" },
      source: null,
      fetched_at: null,
      freshness: { data_age_s: null },
    });
    expect(silent.unknown_fields).toEqual(
      expect.arrayContaining(["registered", "creation_date", "registrar"]),
    );
  });

  test("knows free mailbox providers", () => {
    expect(domainReport("jscontact")).toMatchObject({
      registrant_email_domain: "gmx.de",
      registrant_email_is_free: true,
    });
  });
});

describe("toFreeWhoisReport()", () => {
  const messageOf = (report: WhoisReport) => toFreeWhoisReport(report).message;

  test.each([
    ["years", domainReport("gtld-thin"), "Registered 31 years ago."],
    ["days below a year", domainReport("gtld-privacy-service"), "Registered 40 days ago."],
    ["the date of a network", ipReport("arin-network", "8.8.8.8"), "Registered 2 years ago."],
    ["no date", asnReport("apnic-autnum-block", "131080"), "Registered."],
    ["no holder", reportIp(targetOf("ip", "10.0.0.1"), found<never>(null), gathered), "Not registered."],
    ["no answer", reportAsn(targetOf("asn", "1"), failure, gathered), "The registry gave no answer."],
  ])("says %s", (_what, report, message) => {
    expect(messageOf(report)).toBe(message);
  });

  test("fills the fields of its type and leaves the others null", () => {
    expect(toFreeWhoisReport(ipReport("arin-network", "8.8.8.8"))).toMatchObject({
      query: "8.8.8.8",
      type: "ip",
      network: "8.8.8.0/24",
      name: "GOGL",
      organization: "Example Search LLC",
      domain: null,
      registrar: null,
      asn: null,
    });
  });
});

describe("renderWhoisReport()", () => {
  test("shows what a person wants to know first, first", () => {
    expect(renderWhoisReport(domainReport("gtld-thin"), plain)).toMatchInlineSnapshot(`
      "example.com
        Registered 31 years ago · expires in 264 days

        Holder        not shown
        Registrar     Example Registrar, Inc. (IANA 376)
        Dates         created 1995-08-14 · changed 2025-08-14 · expires 2027-08-13
        Status        clientDeleteProhibited, clientTransferProhibited,
                      clientUpdateProhibited
        Name servers  a.iana-servers.net, b.iana-servers.net
        DNSSEC        signed; whether it validates is not known
        Abuse         abuse@registrar.example · +1.7035551234

        From          RDAP of rdap.example, asked 1 h ago
        Asked         2026-11-21 08:00 UTC"
    `);
    expect(renderWhoisReport(ipReport("arin-network", "8.8.8.8"), plain)).toMatchInlineSnapshot(`
      "8.8.8.8
        Example Search LLC

        Network       8.8.8.0/24 · GOGL
        Abuse         network-abuse@search.example · +1-650-253-0000
        Registry      ARIN · NET-8-8-8-0-2
        Dates         created 2023-12-28 · changed 2023-12-28
        Status        active
        Part of       NET-8-0-0-0-0
        Kind          DIRECT ALLOCATION

        From          RDAP of rdap.example, asked 1 h ago
        Asked         2026-11-21 08:00 UTC"
    `);
    expect(renderWhoisReport(asnReport("apnic-autnum-block", "131080"), plain)).toMatchInlineSnapshot(`
      "AS131080
        APNIC ASN block

        Name          APNIC-AS-BLOCK
        In block      AS131072 - AS132095
        Registry      APNIC · AS131072
        Dates         changed 2008-09-04
        Status        active

        From          RDAP of rdap.example, asked 1 h ago
        Asked         2026-11-21 08:00 UTC"
    `);
  });
});
