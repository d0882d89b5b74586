import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InvalidValue } from "../base/failure.ts";
import { type DomainOptions, parseDomain } from "./domain.ts";

const reasonOf = (input: string, options: DomainOptions = {}): string => {
  try {
    parseDomain(input, options);
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

  test.each<[input: string, why: string]>([
    ["0à.א", "a label that begins with a digit beside one written from right to left"],
    ["xn--0-sfa.xn--4db", "the same as A-labels"],
    ["0À.א.", "the same in upper case, with a final dot"],
    ["א.0à", "the same the other way round"],
    ["א.com.0à", "neighbours or not"],
    ["7.אב", "digits alone"],
    ["3com.ישראל", "an ASCII label that begins with a digit"],
    ["www.3com.דוגמה.ישראל", "wherever it stands"],
    ["🐖.א", "a label that begins with a symbol"],
    ["aˇ.א", "a label that ends with a symbol"],
    ["1.مثال.com", "beside Arabic letters"],
    ["1.𐤀𐤁.com", "beside Phoenician letters"],
    ["à.٠", "a label of Arabic digits"],
    ["àא.com", "both directions in one label"],
    ["0א.com", "a digit before letters from right to left"],
    ["א0٠.com", "digits of both kinds"],
    ["א-a.com", "a Latin letter behind Hebrew ones"],
    ["\u0899b.com", "a combining mark of Unicode 14 at the start"],
    ["ص\u200cم\u200c.com", "a joiner that joins nothing at the end"],
  ])("refuses %j: %s", (input) => {
    expect(["invalid_domain", "invalid_punycode"]).toContain(reasonOf(input));
  });

  test.each<[input: string, name: string, why: string]>([
    ["0à.com", "xn--0-sfa.com", "no label is written from right to left"],
    ["à.א", "xn--0ca.xn--4db", "a label from left to right that begins with a letter"],
    ["à0.א", "xn--0-rfa.xn--4db", "and ends with a digit"],
    ["com1.א", "com1.xn--4db", "an ASCII label that ends with a digit"],
    ["www.דוגמה.ישראל", "www.xn--6dbbec0c.xn--4dbrk0ce", "Hebrew"],
    ["א0.com", "xn--0-zhc.com", "Hebrew that ends with a digit"],
    ["مثال.إختبار", "xn--mgbh0fb.xn--kgbechtv", "Arabic"],
    ["نامه\u200cای.com", "xn--mgba3gch31f060k.com", "Persian with a joiner that the script wants"],
    ["क्\u200dष.com", "xn--11b2ezcw70k.com", "Devanagari with a joiner behind a virama"],
    ["अमेज़न.भारत", "xn--l1b0ctbw5e2c.xn--h2brj9c", "Devanagari"],
    ["日本語.jp", "xn--wgv71a119e.jp", "Han"],
    ["💩.la", "xn--ls8h.la", "a symbol, as browsers take it"],
    ["ab--cd.com", "ab--cd.com", "hyphens in the third and fourth place, as browsers take them"],
    ["ü---x.com", "xn-----x-zra.com", "more of them"],
  ])("takes %j as %s: %s", (input, name) => {
    expect(parseDomain(input).name).toBe(name);
    expect(parseDomain(name).name).toBe(name);
  });

  test("asks the bidi rule of host labels alone: those with an underscore name services", () => {
    const hebrew = "xn--6dbbec0c.xn--4dbrk0ce";
    expect(parseDomain(`_dmarc.${hebrew}`, { underscores: true }).name).toBe(`_dmarc.${hebrew}`);
    expect(parseDomain(`_443._tcp.${hebrew}`, { underscores: true }).name).toBe(`_443._tcp.${hebrew}`);
    expect(() => parseDomain(`_dmarc.1.${hebrew}`, { underscores: true })).toThrow(InvalidValue);
  });

  // RFC 5893, 2, for labels of letters and digits: Hebrew, ASCII or both.
  test("follows the bidi rule over all labels of a name", () => {
    const label = fc.string({ unit: fc.constantFrom("a", "b", "1", "א", "ב"), minLength: 1, maxLength: 4 });
    const isAllowed = (text: string) => (/[אב]/.test(text) ? /^[אב][אב1]*$/ : /^[ab][ab1]*$/).test(text);
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 3 }), (labels) => {
        const name = [...labels, "com"].join(".");
        const isBidi = /[אב]/.test(name);
        expect(reasonOf(name) === "accepted").toBe(!isBidi || labels.every(isAllowed));
      }),
      { numRuns: 1000 },
    );
  });

  test("takes the longest label and the longest name", () => {
    const label = "a".repeat(63);
    expect(parseDomain(`${label}.com`).name).toHaveLength(67);
    expect(parseDomain(`${label}.${label}.${label}.${"a".repeat(57)}.com`).name).toHaveLength(253);
  });

  const WITH_UNDERSCORES = [
    [
      "secure_portal_coinbasehelp.typedream.app",
      "secure_portal_coinbasehelp.typedream.app",
      "several, below a private suffix",
    ],
    ["_dmarc.Example.com", "example.com", "in front"],
    ["shop_.example.com", "example.com", "at the end"],
    ["_.example.com", "example.com", "alone"],
    ["_a__b_.c_d.example.co.uk", "example.co.uk", "several, in several labels"],
    ["_443._tcp.example.com", "example.com", "of a service"],
    ["foo_bar.com", "foo_bar.com", "in the label that a registry would sell"],
    ["a._b", "a._b", "in the last label, which no root zone has"],
    ["münchen_ost.example.de", "example.de", "in an international label"],
    ["a_b(.)example[.]org.", "example.org", "defanged"],
  ] as const;

  test.each(WITH_UNDERSCORES)(
    "takes %j with the registered domain %s: an underscore %s",
    (input, registered) => {
      expect(parseDomain(input).registeredDomain).toBe(registered);
    },
  );

  test.each(WITH_UNDERSCORES)("refuses %j where underscores are not taken", (input) => {
    expect(reasonOf(input, { underscores: false })).toBe("invalid_label");
  });

  test("takes 63 octets of a label with an underscore and no more", () => {
    expect(reasonOf(`${"a_".repeat(31)}a.com`)).toBe("accepted");
    expect(reasonOf(`${"a_".repeat(32)}.com`)).toBe("label_too_long");
  });

  test("gives a lower-case name of letters, digits, hyphens and underscores or refuses, whatever the input", () => {
    const part = fc.oneof(
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.constantFrom("xn--", "xn--fa-hia", ".", "com", "ß", "-", "_", "ａ", "。", "\u00ad", "123", "0x1"),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const input = parts.join("");
        if (reasonOf(input) !== "accepted") return;
        const { name, unicode } = parseDomain(input);
        expect(name).toMatch(/^(?=.{3,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9_-]{1,63}$/);
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
