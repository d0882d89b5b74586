import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InvalidValue } from "../failure.ts";
import { parseDomain } from "./domain.ts";

const reasonOf = (input: string): string => {
  try {
    parseDomain(input);
  } catch (error) {
    if (error instanceof InvalidValue) return error.reason;
    throw error;
  }
  return "accepted";
};

describe("parseDomain()", () => {
  test.each([
    ["example.com", "example.com", "example.com", "example.com"],
    [" WWW.Example.CO.UK. ", "www.example.co.uk", "www.example.co.uk", "example.co.uk"],
    ["example[.]com", "example.com", "example.com", "example.com"],
    ["a(.)b{.}example[.]org", "a.b.example.org", "a.b.example.org", "example.org"],
    ["faß.de", "xn--fa-hia.de", "faß.de", "xn--fa-hia.de"],
    ["XN--FA-HIA.de", "xn--fa-hia.de", "faß.de", "xn--fa-hia.de"],
    ["пример.рф", "xn--e1afmkfd.xn--p1ai", "пример.рф", "xn--e1afmkfd.xn--p1ai"],
    ["x.公司.cn", "x.xn--55qx5d.cn", "x.公司.cn", "x.xn--55qx5d.cn"],
    ["ｅｘａｍｐｌｅ．ｃｏｍ", "example.com", "example.com", "example.com"],
    ["example。com", "example.com", "example.com", "example.com"],
    ["ex\u00adample.com", "example.com", "example.com", "example.com"],
    [
      "r3---sn-abc.googlevideo.com",
      "r3---sn-abc.googlevideo.com",
      "r3---sn-abc.googlevideo.com",
      "googlevideo.com",
    ],
    ["a.b.lab", "a.b.lab", "a.b.lab", "b.lab"],
    ["1.1.1.1.com", "1.1.1.1.com", "1.1.1.1.com", "1.com"],
  ])("reads %j as %s", (input, name, unicode, registeredDomain) => {
    expect(parseDomain(input)).toEqual({ name, unicode, registeredDomain });
  });

  test.each([
    ["co.uk", null],
    ["github.io", null],
    ["someone.github.io", "someone.github.io"],
    ["deep.someone.github.io", "someone.github.io"],
    ["www.ck", "www.ck"],
  ])("gives %s the registered domain %s", (input, registeredDomain) => {
    expect(parseDomain(input).registeredDomain).toBe(registeredDomain);
  });

  test.each([
    ["", "empty"],
    [" \t ", "empty"],
    ["localhost", "single_label"],
    ["com.", "single_label"],
    ["8.8.8.8", "ip_address"],
    ["1.2.3.4.", "ip_address"],
    ["::1", "ip_address"],
    ["[2001:db8::1]", "ip_address"],
    ["0x7f.1", "ip_address"],
    ["0177.0.0.1", "ip_address"],
    ["8.８.8.8", "ip_address"],
    ["127。0。0。1", "ip_address"],
    ["①②⑦.⓪.⓪.①", "ip_address"],
    ["foo.123", "invalid_domain"],
    ["a.0x1f", "invalid_domain"],
    ["http://example.com", "url"],
    ["hxxps://example[.]com/x", "url"],
    ["someone@example.com", "email"],
    ["someone[at]example.com", "email"],
    ["example.com/path", "invalid_character"],
    ["example.com\\path", "invalid_character"],
    ["example.com:80", "invalid_character"],
    ["example.com?x", "invalid_character"],
    ["example.com#x", "invalid_character"],
    ["a%2eb.com", "invalid_character"],
    ["<b>.com", "invalid_character"],
    ["a b.lab", "invalid_character"],
    ["good.lab\r\nX", "invalid_character"],
    ["go\tod.lab", "invalid_character"],
    ["a\u0000.lab", "invalid_character"],
    ["a\u0085b.lab", "invalid_character"],
    ["a\u2028b.lab", "invalid_character"],
    ["a\ud800.lab", "invalid_character"],
    ["a..b", "empty_label"],
    [".a.b", "empty_label"],
    ["a.b..", "empty_label"],
    ["\u00ad.com", "empty_label"],
    ["-a.lab", "invalid_label"],
    ["a-.lab", "invalid_label"],
    ["_dmarc.example.com", "invalid_label"],
    ["a_b.lab", "invalid_label"],
    ["\u202eabc.com", "invalid_domain"],
    ["a\u200db.com", "invalid_domain"],
    ["\u0301b.com", "invalid_domain"],
    ["a\u0378b.com", "invalid_domain"],
    ["xn--999999999.com", "invalid_punycode"],
    ["xn--a.com", "invalid_punycode"],
    ["xn--.com", "invalid_label"],
    [`${"a".repeat(64)}.com`, "label_too_long"],
    [`${"a.".repeat(126)}com`, "too_long"],
    ["a".repeat(30_000), "too_long"],
  ])("refuses %j as %s", (input, reason) => {
    expect(reasonOf(input)).toBe(reason);
  });

  test("takes the longest label and the longest name", () => {
    const label = "a".repeat(63);
    expect(parseDomain(`${label}.com`).name).toHaveLength(67);
    expect(parseDomain(`${label}.${label}.${label}.${"a".repeat(57)}.com`).name).toHaveLength(253);
  });

  test("takes labels with an underscore when told to", () => {
    expect(parseDomain("_dmarc.Example.com", { underscores: true }).name).toBe("_dmarc.example.com");
    expect(parseDomain("_443._tcp.example.com", { underscores: true }).registeredDomain).toBe("example.com");
  });

  test("gives a lower-case LDH name or refuses, whatever the input", () => {
    const part = fc.oneof(
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.constantFrom("xn--", "xn--fa-hia", ".", "com", "ß", "-", "ａ", "。", "\u00ad", "123", "0x1"),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const input = parts.join("");
        if (reasonOf(input) !== "accepted") return;
        const { name, unicode } = parseDomain(input);
        expect(name).toMatch(/^(?=.{3,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{1,63}$/);
        expect(parseDomain(name).name).toBe(name);
        expect(parseDomain(unicode).name).toBe(name);
      }),
      { numRuns: 3000 },
    );
  });
});

test("parseDomain() leaves a name alone that only begins as a defanged scheme does", () => {
  expect(parseDomain("hxxp-mail.example.com").name).toBe("hxxp-mail.example.com");
});
