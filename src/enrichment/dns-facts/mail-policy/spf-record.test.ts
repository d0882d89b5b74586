import fc from "fast-check";
import { describe, expect, test } from "vitest";
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
  const nothing = { all: null, includes: [], hosts: [], redirect: null, lookups: 0, errors: [] };
  test.each<[string, object]>([
    ["v=spf1", {}],
    ["v=spf1 -all", { all: "fail" }],
    ["v=spf1 ~all", { all: "softfail" }],
    ["v=spf1 ?all", { all: "neutral" }],
    ["v=spf1 +all", { all: "pass" }],
    ["v=spf1 ALL", { all: "pass" }],
    ["v=spf1  ip4:192.0.2.0/24  ip6:2001:db8::/32 -all ", { all: "fail" }],
    ["v=spf1 ip6:::ffff:192.0.2.1", {}],
    [
      "v=spf1 a mx:Example.com/24//64 a//128 ptr exists:%{i}._spf.%{d2}.example exists:x.example. a:%{h} -all a:y.example",
      {
        all: "fail",
        lookups: 7,
        hosts: [
          { kind: "address", name: null },
          { kind: "mx", name: "example.com" },
          { kind: "address", name: null },
          { kind: "address", name: "x.example" },
        ],
      },
    ],
    ["v=spf1 include:_spf.Example.com. -all", { all: "fail", lookups: 1, includes: ["_spf.example.com"] }],
    ["v=spf1 include:%{d}.example", { lookups: 1 }],
    ["v=spf1 redirect=_spf.example.com", { lookups: 1, redirect: "_spf.example.com" }],
    ["v=spf1 redirect=%{d}.example", { lookups: 1 }],
    ["v=spf1 redirect=_spf.example.com -all", { all: "fail" }],
    ["v=spf1 -all include:late.example", { all: "fail" }],
    ["v=spf1 unknown=x exp=e.example -all", { all: "fail" }],
  ])("reads %j", (text, expected) => {
    expect(parseSpfRecord(text)).toEqual({ ...nothing, ...expected });
  });

  test.each<[string, object]>([
    ["v=spf1 include -all", { all: "fail", errors: ['"include" is not valid: a domain is missing'] }],
    [
      "v=spf1 redirect=a.example redirect=b.example",
      {
        lookups: 1,
        redirect: "a.example",
        errors: ['"redirect=b.example" is not valid: "redirect" appears twice'],
      },
    ],
    [
      "v=spf1 a:1.2.3.4",
      { errors: ['"a:1.2.3.4" is not valid: this is an address, to be written as "ip4:1.2.3.4"'] },
    ],
    [
      "v=spf1 a:b\x80.example",
      { errors: ['"a:b\\128.example" is not valid: it holds a character that is not visible ASCII'] },
    ],
    [
      "v=spf1 toString -all",
      { all: "fail", errors: ['"toString" is not valid: there is no such mechanism'] },
    ],
  ])("says of %j what is wrong, and reads the rest", (text, expected) => {
    expect(parseSpfRecord(text)).toEqual({ ...nothing, ...expected });
  });

  test.each(["exp=a.example -all exp=b.example", "redirect=a.example -all redirect=a.example"])(
    "refuses %j: a modifier appears twice",
    (terms) => {
      expect(parseSpfRecord(`v=spf1 ${terms}`).errors).toEqual([expect.stringContaining("appears twice")]);
    },
  );

  test("cuts names over 253 characters from the left, label by label", () => {
    const name = `${"abcdefgh.".repeat(40)}example`;
    const { includes } = parseSpfRecord(`v=spf1 include:${name}`);
    expect(includes).toHaveLength(1);
    expect(includes[0]?.length).toBeLessThanOrEqual(253);
    expect(includes[0]?.length).toBeGreaterThan(253 - 9);
    expect(name.endsWith(`.${includes[0]}`)).toBe(true);
  });

  test("gives at most one error a term, whatever the octets, and never throws", () => {
    const term = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary" }),
      fc.constantFrom("include:a.b", "redirect=a.b", "-all", "ip4:1.2.3.4", "%{i", "a//"),
    );
    fc.assert(
      fc.property(fc.array(term), (terms) => {
        const text = ["v=spf1", ...terms].join(" ");
        const { lookups, errors } = parseSpfRecord(text);
        expect(lookups + errors.length).toBeLessThan(text.split(" ").length);
        expect(errors.filter((error) => !/^[ -~]+$/.test(error))).toEqual([]);
      }),
    );
  });

  test.each(["%{", "a.", "/", "/1", "=", "a:", "%{i}", "redirect=", ":::", "-", "1", "a=a"])(
    "reads 1 MiB of %j in one pass",
    (piece) => {
      const long = piece.repeat(2 ** 20 / piece.length);
      for (const term of [long, `a:${long}`, `ip6:${long}`, `foo=${long}`, `a:b.c${long}`]) {
        expect(parseSpfRecord(`v=spf1 ${term}`).errors.length).toBeLessThanOrEqual(1);
      }
    },
  );
});
