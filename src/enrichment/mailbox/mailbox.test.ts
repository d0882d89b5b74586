import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readMailbox } from "../../targets/email.ts";
import { meantDomain, normalizeMailbox } from "./mailbox.ts";
import { loadMailTables } from "./tables.ts";
import { usernameFactsOf } from "./username.ts";

const tables = loadMailTables();
const read = (text: string) => readMailbox(text, (tld) => tld === "lab");

describe("readMailbox()", () => {
  test.each([
    ["simple@example.com", "plain"],
    ["  simple@example.com\t", "blanks around it"],
    ["very.common@example.com", "dots"],
    ["x@example.com", "one letter"],
    ["user.name+tag+sorting@example.com", "tags"],
    ["name/surname@example.com", "a slash"],
    ["admin@example.lab", "a TLD that the operator names"],
    ['" "@example.org', "a quoted blank"],
    ['"john..doe"@example.org', "quoted dots"],
    ['"a\\"b"@example.org', "a quoted pair"],
    ['""@example.org', "quotes around nothing"],
    ['"ü"@example.org', "SMTPUTF8 in quotes"],
    ['"用户 名"@example.org', "SMTPUTF8 and a blank in quotes"],
    ["mailhost!username@example.org", "a bang path"],
    ["user%example.com@example.org", "a percent path"],
    ["user-@example.org", "a hyphen at the end"],
    ["_______@example.com", "underscores"],
    ["1234567890123456789012345678901234567890123456789012345678901234@example.com", "64 octets"],
    ["simple[@]example[.]com", "defanged"],
    ["jörg@bücher.example.com", "SMTPUTF8"],
    ["用户@例子.com", "SMTPUTF8 and IDN"],
    ["a@דוגמה.com", "a domain from right to left"],
  ])("%s is valid: %s", (text) => {
    expect(read(text).state).toBe("valid");
  });

  test.each([
    ["abc.example.com", "no_at", "no @"],
    ["", "no_at", "nothing"],
    ["a@b@c@example.com", "local_part", "two too many"],
    ['a"b(c)d,e:f;g<h>i[j\\k]l@example.com', "local_part", "specials outside quotes"],
    ['just"not"right@example.com', "local_part", "quotes inside"],
    ['this is"not\\allowed@example.com', "local_part", "blanks"],
    [".leading@example.com", "local_part", "a leading dot"],
    ["trailing.@example.com", "local_part", "a trailing dot"],
    ["double..dot@example.com", "local_part", "two dots"],
    ["@example.com", "local_part", "nothing before it"],
    [
      "12345678901234567890123456789012345678901234567890123456789012345@example.com",
      "local_part",
      "65 octets",
    ],
    ["i.like.underscores@but_they_are_not_allowed.com", "domain", "an underscore"],
    ["a@localhost", "domain", "one label"],
    ["a@[192.0.2.1]", "domain", "an address literal"],
    ["a@192.0.2.1", "domain", "an address"],
    ["a@-example.com", "domain", "a hyphen first"],
    ["a@example..com", "domain", "an empty label"],
    ["a@0à.קום", "domain", "a label that the bidi rule refuses"],
    ["a@", "domain", "nothing behind it"],
    ["a@example.con", "tld", "a TLD that does not exist"],
    ["a@abc.onion", "tld", "a TLD that is in no root zone"],
    [
      `${"a".repeat(60)}@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.${"e".repeat(20)}.com`,
      "too_long",
      "255",
    ],
    ["a\u202eb@example.com", "local_part", "a bidi control"],
    ["a\u0000b@example.com", "local_part", "a NUL"],
    ['"a\u202eb"@example.com', "local_part", "a bidi control in quotes"],
    ['"a\u00a0b"@example.com', "local_part", "a foreign blank in quotes"],
    ['"\ud800"@example.com', "local_part", "half a character in quotes"],
    ['"\\ü"@example.com', "local_part", "a quoted pair beyond ASCII"],
    ['"a\\"@example.com', "local_part", "an open quoted pair"],
    ['"a"b"@example.com', "local_part", "a quote in quotes"],
    ['"@example.com', "local_part", "one quote"],
  ])("%j is refused as %s: %s", (text, error) => {
    expect(read(text)).toMatchObject({ state: "invalid", error });
  });

  test("the domain comes as A-labels, and SMTPUTF8 is the local part's matter", () => {
    expect(read("a@BÜCHER.example.com")).toMatchObject({
      mailbox: { local: "a", isSmtputf8: false, domain: { name: "xn--bcher-kva.example.com" } },
    });
    expect(read("ü@example.com")).toMatchObject({ mailbox: { isSmtputf8: true } });
    expect(read('"ü"@example.com')).toMatchObject({ mailbox: { local: '"ü"', isSmtputf8: true } });
    expect(read('""@example.com')).toMatchObject({ mailbox: { local: '""', isSmtputf8: false } });
  });

  test("no text makes it throw, and a valid one is valid again", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary", maxLength: 330 }), fc.emailAddress()), (text) => {
        const result = read(text);
        if (result.state === "invalid") return;
        const { local, domain } = result.mailbox;
        expect(read(`${local}@${domain.name}`).state).toBe("valid");
      }),
    );
  });
});

describe("normalizeMailbox()", () => {
  test.each([
    ["S.pam+x@GMAIL.com", ["S.pam@gmail.com", "spam@gmail.com"]],
    ["s.pam-x@yahoo.com", ["s.pam@yahoo.com", "s.pam@yahoo.com"]],
    ["s.pam+x@example.com", []],
    ['"s.pam+x"@gmail.com', ["s.pam+x@gmail.com", "s.pam@gmail.com", "spam@gmail.com"]],
    ['"s.p\\am"@example.com', ["s.pam@example.com"]],
    ['"s p\\am"@example.com', ['"s pam"@example.com']],
    ['"s p\\"am"@example.com', []],
    ['"s..pam"@gmail.com', []],
  ])("knows other spellings of %s: %j", (text, spellings) => {
    const result = read(text);
    if (result.state === "invalid") throw new Error(text);
    expect(normalizeMailbox(result.mailbox, tables).otherSpellings).toEqual(spellings);
  });

  test.each([
    ["J.Doe+news@GMAIL.com", "jdoe@gmail.com", "J.Doe", true],
    ["J.Doe+news@example.com", "J.Doe+news@example.com", "J.Doe", true],
    ["J.Doe@outlook.com", "j.doe@outlook.com", "J.Doe", false],
    ["jane-shop@yahoo.com", "jane@yahoo.com", "jane", true],
    ["jane+shop-a@yahoo.com", "jane@yahoo.com", "jane", true],
    ["𝒥ane+shop@gmail.com", "𝒥ane@gmail.com", "𝒥ane", true],
    ['"a+b"@gmail.com', "a@gmail.com", "a", true],
    ['"J.Doe"@outlook.com', "j.doe@outlook.com", "J.Doe", false],
    ['"J\\.Do\\e"@example.com', "J.Doe@example.com", "J.Doe", false],
    ['"a b+c"@gmail.com', '"a b+c"@gmail.com', '"a b+c"', false],
    ['"a\\\\b"@gmail.com', '"a\\\\b"@gmail.com', '"a\\\\b"', false],
    ["+tag@gmail.com", "+tag@gmail.com", "+tag", false],
    ["\u212aIM@gmail.com", "\u212aim@gmail.com", "\u212aIM", false],
    ["J\u00d6rg@gmail.com", "j\u00d6rg@gmail.com", "J\u00d6rg", false],
  ])("%s is %s", (text, email, username, isTagged) => {
    const result = read(text);
    if (result.state === "invalid") throw new Error(text);
    expect(normalizeMailbox(result.mailbox, tables)).toMatchObject({ email, username, isTagged });
  });
});

describe("meantDomain()", () => {
  test.each([
    ["gmial.com", "gmail.com"],
    ["gmail.con", "gmail.com"],
    ["gmail.co", "gmail.com"],
    ["gnail.com", "gmail.com"],
    ["hotmal.com", "hotmail.com"],
    ["yahooo.fr", "yahoo.fr"],
    ["outlok.com", "outlook.com"],
    ["xn--gmil-63d.com", "gmail.com"],
    ["xn--utlook-vqf.com", "outlook.com"],
    ["xn--mail-z7b.com", "gmail.com"],
    ["grnail.com", "gmail.com"],
    ["hotrnail.com", "hotmail.com"],
    ["xn--bcher-kva.com", null],
    ["gmail.com", null],
    ["ymail.com", null],
    ["example.com", null],
    ["company.co", null],
  ])("%s: %s", (domain, meant) => {
    expect(meantDomain(domain, tables)).toBe(meant);
  });
});

describe("usernameFactsOf()", () => {
  test.each([
    ["info", "info", false, []],
    ["abuse", "abuse", false, []],
    ["postmaster", "postmaster", false, []],
    ["no-reply", "no-reply", true, []],
    ["donotreply.shop", null, true, []],
    ["jane.doe", null, false, []],
    ["jane1984", null, false, []],
    ["jane84751", null, false, ["trailing_digits"]],
    ["84751", null, false, ["trailing_digits"]],
    ["13579", null, false, ["trailing_digits"]],
    ["8475", null, false, []],
    ["qwxzrtpl", null, false, ["no_vowels"]],
    ["asdfgh", null, false, ["keyboard_run"]],
    ["x7a3k9e2m1zt", null, false, ["high_entropy"]],
    ["test", null, false, ["test_word"]],
  ] as const)("%s", (local, role, isNoReply, reasons) => {
    const facts = usernameFactsOf(local);
    expect(facts.isNoReply).toBe(isNoReply);
    expect(facts.reasons).toEqual(reasons);
    if (role !== null && role !== "no-reply") expect(facts.role).toBe(role);
  });
});

describe("tables", () => {
  test.each([
    ["aspmx.l.google.com", "Google"],
    ["example-com.mail.protection.outlook.com", "Microsoft 365"],
    ["mx1.example.com", null],
    ["notgoogle.com", null],
  ])("%s is run by %s", (host, provider) => {
    expect(tables.providerOf(host)).toBe(provider);
  });

  test("relays cover their subdomains, throwaway hosts theirs", () => {
    expect(tables.relayOf("jane.anonaddy.com")).toBe("addy.io");
    expect(tables.relayOf("duck.com.example")).toBeNull();
    expect(tables.isThrowawayHost("mail2.mailinator.com")).toBe(true);
  });
});
