import { describe, expect, test } from "vitest";
import type { TestReply } from "../../../../test/servers/dns-server.ts";
import { type DnsWorld, lookupTime, openDnsWorld } from "../../../../test/servers/dns-world.ts";
import { lookUpDmarc } from "./dmarc.ts";
import { lookUpMailRecords } from "./mail-records.ts";
import { lookUpSpf } from "./spf.ts";

const SERVFAIL: TestReply = { rcode: 2 };
const DOMAIN = { name: "example.com", registeredDomain: "example.com" };

async function spfOf(world: DnsWorld) {
  const deps = await openDnsWorld(world);
  const found = await deps.dnsRecords.resolve(DOMAIN.name, "TXT", lookupTime());
  return lookUpSpf({ name: DOMAIN.name, found }, deps, lookupTime());
}

const none = { present: false, record: null, valid: false, all: null, lookups: 0, errors: [] };
const many = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`TXT s${i}.example`, ["v=spf1 ip4:192.0.2.1"]]),
  );
const includes = (count: number) =>
  Array.from({ length: count }, (_, i) => `include:s${i}.example`).join(" ");

describe("lookUpSpf()", () => {
  test.each<[string, DnsWorld, object]>([
    ["no TXT record", { "TXT example.com": [] }, none],
    ["no name", {}, none],
    ["other TXT records", { "TXT example.com": ["hello", "v=spf2.0/pra"] }, none],
    [
      "one record",
      { "TXT example.com": ["x", ["v=spf1 ip4:192.0.2.1", " -all"]] },
      { present: true, record: "v=spf1 ip4:192.0.2.1 -all", valid: true, all: "fail", lookups: 0 },
    ],
    [
      "two records",
      { "TXT example.com": ["v=spf1 -all", "v=spf1 ~all"] },
      { present: true, valid: false, all: null, errors: ["2 SPF records where only one may be"] },
    ],
    [
      "a tree of includes, whose `all` is theirs alone",
      {
        "TXT example.com": ["v=spf1 a mx include:a.example ~all"],
        "TXT a.example": ["v=spf1 include:b.example -all"],
        "TXT b.example": ["v=spf1 exists:%{i}.b.example +all"],
      },
      { valid: true, all: "softfail", lookups: 5, errors: [] },
    ],
    [
      "a redirect, whose `all` counts",
      {
        "TXT example.com": ["v=spf1 redirect=a.example"],
        "TXT a.example": ["v=spf1 redirect=b.example"],
        "TXT b.example": ["v=spf1 -all"],
      },
      { valid: true, all: "fail", lookups: 2 },
    ],
    [
      "a redirect behind an include",
      {
        "TXT example.com": ["v=spf1 include:a.example redirect=b.example"],
        "TXT a.example": ["v=spf1 +all"],
        "TXT b.example": ["v=spf1 ?all"],
      },
      { valid: true, all: "neutral", lookups: 2 },
    ],
    [
      "ten lookups",
      { "TXT example.com": [`v=spf1 ${includes(10)} -all`], ...many(10) },
      { valid: true, lookups: 10 },
    ],
    [
      "eleven lookups",
      { "TXT example.com": [`v=spf1 ${includes(11)} -all`], ...many(11) },
      { valid: false, lookups: 11, all: "fail", errors: ["More than 10 DNS lookups"] },
    ],
    [
      "an include of itself",
      { "TXT example.com": ["v=spf1 include:example.com -all"] },
      { valid: false, lookups: 1, errors: ['example.com: "example.com" leads back to itself'] },
    ],
    [
      "an include in a circle",
      { "TXT example.com": ["v=spf1 include:a.example"], "TXT a.example": ["v=spf1 redirect=example.com"] },
      { valid: false, lookups: 2, errors: ['a.example: "example.com" leads back to itself'] },
    ],
    [
      "an include without a record",
      { "TXT example.com": ["v=spf1 include:a.example include:b.example -all"], "TXT b.example": ["x"] },
      { valid: false, errors: ["a.example: no SPF record", "b.example: no SPF record"] },
    ],
    [
      "an include with two records",
      { "TXT example.com": ["v=spf1 include:a.example"], "TXT a.example": ["v=spf1", "v=spf1 -all"] },
      { valid: false, errors: ["a.example: 2 SPF records"] },
    ],
    [
      "an include with a fault",
      { "TXT example.com": ["v=spf1 include:a.example"], "TXT a.example": ["v=spf1 nonsense"] },
      { valid: false, errors: ['a.example: "nonsense" is not valid: there is no such mechanism'] },
    ],
    [
      "an include that DNS does not answer",
      { "TXT example.com": ["v=spf1 include:a.example -all"], "TXT a.example": SERVFAIL },
      { present: true, valid: null, all: "fail", errors: ["a.example: servfail"] },
    ],
    [
      "a name that DNS does not answer",
      { "TXT example.com": SERVFAIL },
      { present: null, valid: null, errors: ["example.com: servfail"] },
    ],
  ])("judges %s", async (_, world, expected) => {
    expect(await spfOf(world)).toMatchObject(expected);
  });
});

describe("lookUpDmarc()", () => {
  const below = { name: "mail.example.com", registeredDomain: "example.com" };
  const absent = { present: false, record: null, policy: null, from: null, valid: false };
  test.each<[string, typeof below, DnsWorld, object]>([
    [
      "the name's own record",
      below,
      {
        "TXT _dmarc.mail.example.com": ["v=DMARC1; p=none"],
        "TXT _dmarc.example.com": ["v=DMARC1; p=reject"],
      },
      { present: true, policy: "none", from: "_dmarc.mail.example.com", valid: true, pct: 100 },
    ],
    [
      "the registered domain's record",
      below,
      { "TXT _dmarc.example.com": ["x", "v=DMARC1; p=reject; sp=quarantine; rua=mailto:a@b.example"] },
      {
        policy: "reject",
        subdomain_policy: "quarantine",
        from: "_dmarc.example.com",
        rua: ["mailto:a@b.example"],
      },
    ],
    ["nothing", below, {}, absent],
    [
      "two records: none holds",
      DOMAIN,
      { "TXT _dmarc.example.com": ["v=DMARC1; p=none", "v=DMARC1; p=reject"] },
      { present: true, policy: null, valid: false, from: "_dmarc.example.com" },
    ],
    [
      "a record behind a CNAME",
      DOMAIN,
      {
        "TXT _dmarc.example.com": {
          answers: [
            { type: "CNAME", data: "d.example" },
            { type: "TXT", name: "d.example", data: "v=DMARC1; p=quarantine" },
          ],
        },
      },
      { policy: "quarantine", from: "_dmarc.example.com" },
    ],
    [
      "silence about the name, whatever the registered domain says",
      below,
      { "TXT _dmarc.mail.example.com": SERVFAIL, "TXT _dmarc.example.com": ["v=DMARC1; p=reject"] },
      { present: null, policy: null, valid: null },
    ],
    [
      "the name's own record, though the registered domain fails",
      below,
      { "TXT _dmarc.mail.example.com": ["v=DMARC1; p=none"], "TXT _dmarc.example.com": SERVFAIL },
      { present: true, policy: "none" },
    ],
  ])("finds %s", async (_, domain, world, expected) => {
    expect(await lookUpDmarc(domain, await openDnsWorld(world), lookupTime())).toMatchObject(expected);
  });
});

describe("lookUpMailRecords()", () => {
  test.each<[string, DnsWorld, object]>([
    ["nothing", {}, { bimi: false, mtaSts: false, tlsRpt: false }],
    [
      "all of them, BIMI with the registered domain",
      {
        "TXT default._bimi.example.com": ["v=BIMI1; l=https://example.com/a.svg"],
        "TXT _mta-sts.mail.example.com": ["v=STSv1; id=1;"],
        "TXT _smtp._tls.mail.example.com": ["v=TLSRPTv1;rua=mailto:a@b.example"],
      },
      { bimi: true, mtaSts: true, tlsRpt: true },
    ],
    [
      "two of each, of which senders take none (RFC 8461, 3.1; RFC 8460, 3)",
      {
        "TXT default._bimi.mail.example.com": [
          "v=BIMI1; l=https://a.example/a.svg",
          "v=BIMI1; l=https://b.example/b.svg",
        ],
        "TXT _mta-sts.mail.example.com": ["v=STSv1; id=1", "v=STSv1; id=2"],
        "TXT _smtp._tls.mail.example.com": [
          "v=TLSRPTv1; rua=mailto:a@b.example",
          "v=TLSRPTv1; rua=mailto:c@d.example",
        ],
      },
      { bimi: false, mtaSts: false, tlsRpt: false },
    ],
    [
      "one of each beside other texts",
      {
        "TXT default._bimi.mail.example.com": ["v=BIMI1; a=; l=https://a.example/a.svg", "hello"],
        "TXT _mta-sts.mail.example.com": ["v=STSv1 ; ID = 1", "v=spf1 -all"],
        "TXT _smtp._tls.mail.example.com": ["", "v=TLSRPTv1; rua=https://a.example/"],
      },
      { bimi: true, mtaSts: true, tlsRpt: true },
    ],
    [
      "records without what they are for",
      {
        "TXT _mta-sts.mail.example.com": ["v=STSv1;"],
        "TXT _smtp._tls.mail.example.com": ["v=TLSRPTv1; rua="],
      },
      { mtaSts: false, tlsRpt: false },
    ],
    [
      "two BIMI records of a name, of a domain with a logo",
      {
        "TXT default._bimi.mail.example.com": [
          "v=BIMI1; l=https://a.example/a.svg",
          "v=BIMI1; l=https://b.example/b.svg",
        ],
        "TXT default._bimi.example.com": ["v=BIMI1; l=https://example.com/a.svg"],
      },
      { bimi: false },
    ],
    [
      "a name that declines BIMI, of a domain with a logo",
      {
        "TXT default._bimi.mail.example.com": ["v=BIMI1; l=; a="],
        "TXT default._bimi.example.com": ["v=BIMI1; l=https://example.com/a.svg"],
      },
      { bimi: false },
    ],
    ["other texts", { "TXT _mta-sts.mail.example.com": ["v=STSv10", "STSv1"] }, { mtaSts: false }],
    [
      "failures",
      { "TXT default._bimi.mail.example.com": SERVFAIL, "TXT _smtp._tls.mail.example.com": { rcode: 5 } },
      { bimi: null, mtaSts: false, tlsRpt: null },
    ],
  ])("finds %s", async (_, world, expected) => {
    const domain = { name: "mail.example.com", registeredDomain: "example.com" };
    expect(await lookUpMailRecords(domain, await openDnsWorld(world), lookupTime())).toMatchObject(expected);
  });
});
