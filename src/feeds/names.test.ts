import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseUrl } from "../targets/url.ts";
import { canonicalUrl } from "./canonical-url.ts";
import { readEmail, readName } from "./names.ts";

describe("readName()", () => {
  test.each([
    ["bad.example", "bad.example"],
    ["BAD.Example.", "bad.example"],
    ["*.bad.example", "bad.example"],
    [".bad.example", "bad.example"],
    ["bad[.]example", "bad.example"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["xn--bcher-kva.example", "xn--bcher-kva.example"],
    ["_dmarc.bad.example", "_dmarc.bad.example"],
    ["bad.example:8080", "bad.example"],
    ["https://user@bad.example:8443/path?x=1", "bad.example"],
    ["hxxps://bad.example/path", "bad.example"],
    ["@bad.example", "bad.example"],
    ["*@bad.example", "bad.example"],
  ])("reads %s", (text, name) => {
    expect(readName(text)).toBe(name);
  });

  test.each([
    ["com", "a bare TLD"],
    ["192.0.2.7", "an address"],
    ["http://192.0.2.7/x", "a URL on an address"],
    ["[2001:db8::7]", "an IPv6 address"],
    ["bad..example", "an empty label"],
    ["-bad.example", "a hyphen in front"],
    [`${"a".repeat(64)}.example`, "a long label"],
    [`${"a.".repeat(130)}example`, "a long name"],
    ["bad example", "a blank"],
    ["bob@provider.example", "a mailbox"],
    ["bob[@]provider[.]example", "a defanged mailbox"],
    ["bad.example1.2", "a number for a TLD"],
    ["", "nothing"],
  ])("refuses %s", (text) => {
    expect(readName(text)).toBeNull();
  });

  test("is stable: a name that was read is read as itself", () => {
    fc.assert(
      fc.property(fc.oneof(fc.domain(), fc.string()), (text) => {
        const name = readName(text);
        if (name !== null) expect(readName(name)).toBe(name);
      }),
    );
  });
});

test.each([
  ["Bad.User@Bad.Example", "bad.user@bad.example"],
  ["mailto:u@bad.example", "u@bad.example"],
  ["u[@]bad[.]example", "u@bad.example"],
  ["@bad.example", "bad.example"],
  ["*@bad.example", "bad.example"],
  ["\u212aim@bad.example", "\u212aim@bad.example"],
  ["J\u00d6RG@B\u00dcCHER.example", "j\u00d6rg@xn--bcher-kva.example"],
  ["bad.example", "bad.example"],
  ["no one@bad.example", null],
  ["a@@bad.example", null],
  ["bob@provider.example@bad.example", null],
  ["<bob@bad.example", null],
  ["bob;@bad.example", null],
  ["bob\u200b@bad.example", null],
  ["..@bad.example", null],
  ["a..b.@bad.example", "a..b.@bad.example"],
  ["=cmd+1@bad.example", "=cmd+1@bad.example"],
  [`"a@b"@bad.example`, `"a@b"@bad.example`],
  [`"a@@bad.example`, null],
  ["u@", null],
  [`"Jo\\e"@bad.example`, "joe@bad.example"],
  [`"jo e"@bad.example`, null],
  [`"${"\\a".repeat(64)}"@bad.example`, `${"a".repeat(64)}@bad.example`],
  [`"${"\\a".repeat(65)}"@bad.example`, null],
])("readEmail() reads %s as %s", (text, email) => {
  expect(readEmail(text)).toBe(email);
});

describe("canonicalUrl()", () => {
  test.each([
    ["http://Bad.Example:80/a#frag", "http://bad.example/a"],
    ["https://bad.example:443", "https://bad.example/"],
    ["https://bad.example:8443/", "https://bad.example:8443/"],
    ["http://bad.example/%7euser/%2f?q=%c3%a9", "http://bad.example/~user/%2F?q=%C3%A9"],
    ["http://u:p@bad.example/", "http://bad.example/"],
    ["bad.example/x", "http://bad.example/x"],
    ["bad.example:8080/x", "http://bad.example:8080/x"],
    ["hxxp://bad[.]example/x", "http://bad.example/x"],
    ["http://bücher.example/", "http://xn--bcher-kva.example/"],
    ["http://bad.example/a/../b", "http://bad.example/b"],
  ])("reads %s", (text, url) => {
    expect(canonicalUrl(text)).toBe(url);
  });

  test.each([
    ["http://intranet/x", "http://intranet/x"],
    ["[2001:db8::7]/x", "http://[2001:db8::7]/x"],
    ["user@bad.example/x", "http://bad.example/x"],
    ["bad。example/x", "http://bad.example/x"],
  ])("reads %s", (text, url) => expect(canonicalUrl(text)).toBe(url));

  // The first words of what servers say in place of a list.
  test.each(["Too", "403", "url", "error", "Service/unavailable", "quota?x=a.b"])(
    "refuses the word %s",
    (text) => expect(canonicalUrl(text)).toBeNull(),
  );

  test.each(["http://*.bad.example/x", "*.bad.example/x", "https://bad.*/"])(
    "refuses the wildcard host of %s",
    (text) => expect(canonicalUrl(text)).toBeNull(),
  );

  test.each([
    "bob@provider.example",
    "ftp://bad.example/",
    "javascript:alert(1)",
    "http://",
    "",
    "http://[::1",
  ])("refuses %s", (text) => {
    expect(canonicalUrl(text)).toBeNull();
  });

  test.each([
    "window.location='https://login.example/';",
    "(function(){top.location.replace('/a')})()",
    'document.cookie="a=1";',
    "http://bad.example,worse.example/",
    "http://bad..example/",
    "http://bad$.example/x",
    `http://${"a".repeat(64)}.example/`,
  ])("refuses the host of %s, which is no name", (text) => expect(canonicalUrl(text)).toBeNull());

  test("takes no host that callers cannot ask about", () => {
    const label = fc.stringMatching(/^[ -~]{1,6}$/);
    const host = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join("."));
    fc.assert(
      fc.property(fc.oneof(host, fc.webAuthority()), (authority) => {
        const url = canonicalUrl(`http://${authority}/x`);
        if (url !== null) expect(parseUrl(url).text).toBe(url);
      }),
    );
  });

  test("is stable: its result is its own canonical form", () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (text) => {
        const url = canonicalUrl(text);
        if (url !== null) expect(canonicalUrl(url)).toBe(url);
      }),
    );
  });
});
