import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseRefresh, portOf, redirectTarget, resolveTarget } from "./http-redirect.ts";

const BASE = new URL("https://www.example.com/a/b?c");

describe("parseRefresh()", () => {
  test.each([
    ["0;url=/next", "/next"],
    ["5; URL=https://example.org/", "https://example.org/"],
    [" 10 , url = '/a b' trailing", "/a b"],
    ['3;url="/quoted"', "/quoted"],
    ["3;url='/open", "/open"],
    ["1 /plain", "/plain"],
    [".5;url=/x", "/x"],
    ["1.9.9;url=/x", "/x"],
    ["0;url=data:text/html,x", "data:text/html,x"],
    ["5", ""],
    ["0;", ""],
    [" 10 ", ""],
    ["5; url=", ""],
    ["5;url=''", ""],
    [".", ""],
  ])("reads %j as %j", (value, url) => {
    expect(parseRefresh(value)?.target).toBe(url);
  });

  test.each([
    "",
    ";",
    "5x",
    "5url=/x",
    "url=/x",
    ";url=/x",
    "11",
    "11;url=/x",
    "0000000011;url=/x",
    "-1;url=/x",
  ])("takes %j for no redirect", (value) => {
    expect(parseRefresh(value)).toBeNull();
  });

  test("gives null or a part of the text, in linear time", () => {
    const pieces = fc.constantFrom("1", " ", ".", ";", ",", "url", "=", "'", '"', "x");
    const text = fc.tuple(fc.array(pieces), pieces, fc.nat(8000)).map(([start, piece, count]) => {
      return start.join("") + piece.repeat(count);
    });
    fc.assert(
      fc.property(text, (value) => {
        const url = parseRefresh(value)?.target ?? "";
        expect(url.trim() === url && value.includes(url)).toBe(true);
      }),
    );
  });
});

describe("resolveTarget()", () => {
  test.each([
    ["../x?y#z", "https://www.example.com/x?y#z"],
    ["//example.org", "https://example.org/"],
    ["http://user:word@example.org/", "http://example.org/"],
    ["http://2130706433/", "http://127.0.0.1/"],
    ["http://0x7f.1/", "http://127.0.0.1/"],
    ["http://①②⑦.0.0.1/", "http://127.0.0.1/"],
    ["http:/\\example.org", "http://example.org/"],
    ["\\\\example.org\\x", "https://example.org/x"],
    ["ht\ntp://exa\tmple.org/", "http://example.org/"],
    ["HTTPS://EXAMPLE.org:443/", "https://example.org/"],
  ])("resolves %j to %s", (text, href) => {
    expect(resolveTarget(text, BASE)?.href).toBe(href);
  });

  test.each([
    ...[
      "file:///etc/passwd",
      "gopher://x/",
      "data:text/html,x",
      "javascript:alert(1)",
      "http+unix://x/",
      "ftp://x/",
    ],
    ...[
      "http://",
      "http://a:99999/",
      "http://[::1",
      "http://a b/",
      "http://%00/",
      "blob:https://www.example.com/x",
    ],
    `/${"a".repeat(66_000)}`,
    `/${"ü".repeat(12_000)}`,
  ])("follows no %j", (text) => {
    expect(resolveTarget(text, BASE)).toBeNull();
  });
});

describe("redirectTarget()", () => {
  const head = (status: number, location: string) =>
    ({ status, statusText: "", httpVersion: "1.1", headers: new Map([["location", [location]]]) }) as const;

  test("takes octets above ASCII for UTF-8, whether they are or not", () => {
    expect(redirectTarget(head(302, "/\xc3\xa9"), BASE)?.href).toBe("https://www.example.com/%C3%A9");
    expect(redirectTarget(head(302, "/\xe9\xff"), BASE)?.href).toBe("https://www.example.com/%E9%FF");
    expect(redirectTarget(head(302, "http://m\xc3\xbcnchen.example/"), BASE)?.href).toBe(
      "http://xn--mnchen-3ya.example/",
    );
    expect(redirectTarget(head(302, "http://m\xfcnchen.example/"), BASE)).toBeNull();
  });

  test.each([200, 201, 300, 304, 305, 400, 999])("takes a %d for no redirect", (status) => {
    expect(redirectTarget(head(status, "/x"), BASE)).toBeNull();
  });

  test("takes an empty Location for none", () => {
    expect(redirectTarget(head(302, ""), BASE)).toBeNull();
  });
});

test("portOf() knows the schemes' own", () => {
  expect(
    ["http://a/", "https://a/", "http://a:8080/", "https://a:80/"].map((url) => portOf(new URL(url))),
  ).toEqual([80, 443, 8080, 80]);
});
