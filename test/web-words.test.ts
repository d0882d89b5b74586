import { describe, expect, test } from "vitest";
import { fits, recognise } from "../web/api/recognise.ts";
import { signInPath, wayBack } from "../web/app/way-back.ts";

describe("recognise() tells what was typed", () => {
  test.each([
    ["185.220.101.1", "ip"],
    [" 2001:db8::1 ", "ip"],
    ["::ffff:192.0.2.1", "ip"],
    ["AS15169", "whois"],
    ["as 15169", "whois"],
    ["192.0.2.0/24", "whois"],
    ["2001:db8::/32", "whois"],
    ["https://example.com/login?next=a@b", "url"],
    ["example.com/login", "url"],
    ["someone@example.com", "email"],
    ["bücher.example", "domain"],
    ["example.com.", "domain"],
  ])("%s is for %s first", (text, word) => {
    expect(recognise(text)?.words[0]).toBe(word);
  });

  test.each(["", "word", "two words", "256.1.1.1", "1.2.3.456", "a@b@", "..", "http://"])(
    "%s is nothing",
    (text) => {
      expect(recognise(text)).toBeNull();
    },
  );

  test("a domain is for DNS and its registration too, an address for its registration", () => {
    expect(fits("dns", "example.com")).toBe(true);
    expect(fits("whois", "192.0.2.1")).toBe(true);
    expect(fits("ip", "example.com")).toBe(false);
  });
});

describe("the way back after signing in", () => {
  test.each([
    "/usage",
    "/admin/accounts/4345c926-3408",
    "/lookup/url?q=https%3A%2F%2Fexample.com%2F%3Fa%3Db+c",
  ])("%s is kept", (path) => {
    expect(wayBack(signInPath(path).slice("/sign-in".length))).toBe(path);
  });

  test.each([
    ["//evil.example", "another host"],
    ["https://evil.example", "an address"],
    ["/\\evil.example", "a host to some browsers"],
    ["/a#b", "more than a path and a question"],
    ["/a?b=//evil.example", "a question that is not written as one"],
    ["/sign-in?next=%2Fusage", "a circle"],
    ["/sign-in", "a circle"],
    ["/sign-up/x", "a circle"],
    ["javascript:alert(1)", "a script"],
    ["/..//evil.example", "dots"],
  ])("%s is not followed: %s", (next) => {
    expect(wayBack(`?next=${encodeURIComponent(next)}`)).toBe("/");
  });
});
