import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isDmarc, parseDmarcRecord } from "./dmarc-record.ts";
import { isSpf, parseSpfRecord } from "./spf-record.ts";

describe("isSpf()", () => {
  test.each([
    ["v=spf1", true],
    ["v=spf1 -all", true],
    ["V=SPF1 -all", true],
    ["v=spf10", false],
    [" v=spf1 -all", false],
    ["v=spf2.0/pra -all", false],
    ["", false],
  ])("of %j is %s", (text, expected) => {
    expect(isSpf(text)).toBe(expected);
  });
});

describe("parseSpfRecord()", () => {
  const nothing = { all: null, includes: [], redirect: null, lookups: 0, errors: [] };
  test.each<[string, object]>([
    ["v=spf1", {}],
    ["v=spf1 -all", { all: "fail" }],
    ["v=spf1 ~all", { all: "softfail" }],
    ["v=spf1 ?all", { all: "neutral" }],
    ["v=spf1 +all", { all: "pass" }],
    ["v=spf1 ALL", { all: "pass" }],
    ["v=spf1  ip4:192.0.2.0/24  ip6:2001:db8::/32 -all ", { all: "fail" }],
    ["v=spf1 ip6:::ffff:192.0.2.1", {}],
    ["v=spf1 a mx:example.com/24//64 a//128 ptr exists:%{i}._spf.%{d2}.example", { lookups: 5 }],
    ["v=spf1 include:_spf.Example.com. -all", { all: "fail", lookups: 1, includes: ["_spf.example.com"] }],
    ["v=spf1 include:%{d}.example", { lookups: 1 }],
    ["v=spf1 redirect=_spf.example.com", { lookups: 1, redirect: "_spf.example.com" }],
    ["v=spf1 redirect=%{d}.example", { lookups: 1 }],
    ["v=spf1 redirect=_spf.example.com -all", { all: "fail" }],
    ["v=spf1 -all include:late.example", { all: "fail" }],
    ["v=spf1 unknown=x exp=e.example -all", { all: "fail" }],
    ["v=spf1 all:x", { all: "pass", errors: ['Not a term of SPF: "all:x"'] }],
    ["v=spf1 ip4:192.0.2.256", { errors: ['Not a term of SPF: "ip4:192.0.2.256"'] }],
    ["v=spf1 ip4:192.0.2.0/33", { errors: ['Not a term of SPF: "ip4:192.0.2.0/33"'] }],
    ["v=spf1 ip4:2001:db8::1", { errors: ['Not a term of SPF: "ip4:2001:db8::1"'] }],
    ["v=spf1 ip4", { errors: ['Not a term of SPF: "ip4"'] }],
    ["v=spf1 ip6:192.0.2.1", { errors: ['Not a term of SPF: "ip6:192.0.2.1"'] }],
    ["v=spf1 a:/24", { lookups: 1, errors: ['Not a term of SPF: "a:/24"'] }],
    ["v=spf1 a/33", { lookups: 1, errors: ['Not a term of SPF: "a/33"'] }],
    ["v=spf1 include", { lookups: 1, errors: ['Not a term of SPF: "include"'] }],
    ["v=spf1 include:localhost", { lookups: 1, errors: ['Not a term of SPF: "include:localhost"'] }],
    ["v=spf1 include:a..b", { lookups: 1, errors: ['Not a term of SPF: "include:a..b"'] }],
    ["v=spf1 exists:%{z}.example", { lookups: 1, errors: ['Not a term of SPF: "exists:%{z}.example"'] }],
    ["v=spf1 exists:%x.example", { lookups: 1, errors: ['Not a term of SPF: "exists:%x.example"'] }],
    ["v=spf1 mxx -all", { all: "fail", errors: ['Not a term of SPF: "mxx"'] }],
    ["v=spf1 toString", { errors: ['Not a term of SPF: "toString"'] }],
    [
      "v=spf1 redirect=a.example redirect=b.example",
      { lookups: 1, redirect: "a.example", errors: ['"redirect" stands there twice'] },
    ],
    ["v=spf1 redirect=", { errors: ['Not a domain behind "redirect=": ""'] }],
  ])("reads %j", (text, expected) => {
    expect(parseSpfRecord(text)).toEqual({ ...nothing, ...expected });
  });

  test("never throws, and is done with 1 MiB", () => {
    const term = fc.oneof(
      fc.string(),
      fc.constantFrom("include:a.b", "redirect=a.b", "-all", "ip4:1.2.3.4", "%{i", "a//"),
    );
    fc.assert(
      fc.property(fc.array(term), (terms) => {
        expect(parseSpfRecord(["v=spf1", ...terms].join(" ")).lookups).toBeLessThanOrEqual(terms.length * 40);
      }),
    );
    for (const piece of ["%{", "a.", "/", "=", "a:", "%{i}", "redirect=", ":::", "-"]) {
      parseSpfRecord(`v=spf1 a:${piece.repeat(2 ** 20 / piece.length)}`);
    }
  });
});

describe("parseDmarcRecord()", () => {
  const usual = { policy: "reject", subdomainPolicy: "reject", pct: 100, rua: [], valid: true };
  test.each<[string, object]>([
    ["v=DMARC1; p=reject", {}],
    ["v=DMARC1;p=Reject;", {}],
    ["v=DMARC1 ; p = reject ; sp = none ; pct = 25", { subdomainPolicy: "none", pct: 25 }],
    [
      "v=DMARC1; p=reject; rua=mailto:a@b.example!10m, mailto:c@d.example",
      { rua: ["mailto:a@b.example", "mailto:c@d.example"] },
    ],
    ["v=DMARC1; p=reject; adkim=s; fo=1", {}],
    ["v=DMARC1", { policy: null, subdomainPolicy: null, valid: false }],
    ["v=DMARC1; p=block", { policy: null, subdomainPolicy: null, valid: false }],
    [
      "v=DMARC1; p=block; rua=mailto:a@b.example",
      { policy: "none", subdomainPolicy: "none", rua: ["mailto:a@b.example"], valid: false },
    ],
    ["v=DMARC1; p=reject; sp=block", { valid: false }],
    ["v=DMARC1; p=reject; pct=101", { valid: false }],
    ["v=DMARC1; p=reject; pct=-1", { valid: false }],
    ["v=DMARC1; p=reject; rua=a@b.example", { rua: ["a@b.example"], valid: false }],
    ["v=DMARC1; p=reject; p=none", { valid: false }],
    ["v=DMARC1; p=reject; nonsense", { valid: false }],
    ["v=DMARC1; p=toString", { policy: null, subdomainPolicy: null, valid: false }],
  ])("reads %j", (text, expected) => {
    expect(isDmarc(text)).toBe(true);
    expect(parseDmarcRecord(text)).toEqual({ ...usual, ...expected });
  });

  test.each(["", "v=DMARC2; p=none", "p=none; v=DMARC1", "v=dmarc1; p=none", "v=DMARC10", "xv=DMARC1"])(
    "is not asked about %j",
    (text) => {
      expect(isDmarc(text)).toBe(false);
    },
  );

  test("never throws, and keeps pct within 0 and 100", () => {
    const tag = fc.oneof(
      fc.string(),
      fc.constantFrom("p=none", "pct=7", "pct=999", "rua=mailto:a@b.c", "=", "sp="),
    );
    fc.assert(
      fc.property(fc.array(tag), (tags) => {
        const { pct } = parseDmarcRecord(["v=DMARC1", ...tags].join(";"));
        expect(pct >= 0 && pct <= 100).toBe(true);
      }),
    );
  });
});
