import { describe, expect, test } from "vitest";
import { createCookieJar } from "./fetch-cookies.ts";

const SITE = new URL("https://www.example.com/a");

function cookieAfter(setCookies: readonly string[], url = SITE): string | null {
  const jar = createCookieJar();
  jar.keep(SITE, setCookies);
  return jar.cookieFor(url);
}

describe("createCookieJar()", () => {
  test.each([
    ["gives back what was set, in its order", ["a=1; Path=/; HttpOnly", "b=2"], "a=1; b=2"],
    ["keeps the last value of a name", ["a=1", "b=2", "a=3"], "a=3; b=2"],
    ["takes empty values", ["a="], "a="],
    ["forgets what has no age left", ["a=1", "b=2", "a=1; max-age=0"], "b=2"],
    ["forgets what has a negative age", ["a=1", "a=1; Max-Age = -5"], null],
    ["takes names of prototypes for names", ["__proto__=1", "constructor=2"], "__proto__=1; constructor=2"],
    ["refuses what has no name", ["=1", "novalue", ""], null],
    [
      "refuses blanks, controls and octets above ASCII",
      ["a=b c", "a=b\u0001", "a=\u00e9", "a=b\r\nX: y"],
      null,
    ],
    ["refuses what is long", [`a=${"x".repeat(5000)}`], null],
  ])("%s", (_, setCookies, header) => {
    expect(cookieAfter(setCookies)).toBe(header);
  });

  test.each([
    ["an attribute of tabs", [`a=1; x${"\t".repeat(4000)}y`], "a=1"],
    ["a long attribute that would end the cookie", [`a=1; Max-Age=${"0".repeat(60)}`], "a=1"],
    ["a long attribute that would make it secure", [`a=1; secure${" ".repeat(80)}`], "a=1"],
    ["a value for Secure", ["a=1; secure=no"], "a=1"],
  ])("knows no attribute in %s", (_, setCookies, header) => {
    expect(cookieAfter(setCookies, new URL("http://www.example.com/"))).toBe(header);
  });

  test("reads a hundred cookies of a response", () => {
    const many = Array.from({ length: 102 }, (_, i) => `c${i % 40}=${i}`);
    expect(cookieAfter(many)).toMatch(/^c0=80; .*c19=99; c20=60/);
  });

  test.each(["\t", " ", "=", ";", "a", "\u00a0", "max-age=", "=\t"])(
    "takes a response full of %j within 5 ms of processor time",
    (piece) => {
      const header = `c=1; x${piece.repeat(4096)}`.slice(0, 4090);
      const setCookies = Array.from({ length: 200 }, () => `${header}y`);
      const times = Array.from({ length: 5 }, () => {
        const before = process.threadCpuUsage();
        cookieAfter(setCookies);
        const { user, system } = process.threadCpuUsage(before);
        return (user + system) / 1000;
      });
      expect(Math.min(...times)).toBeLessThan(5);
    },
  );

  test("gives no cookie to another host, whatever Domain says", () => {
    for (const host of ["example.com", "sub.www.example.com", "www.example.org"]) {
      expect(cookieAfter(["a=1; Domain=example.com"], new URL(`https://${host}/`))).toBeNull();
    }
  });

  test("gives Secure cookies to https only", () => {
    const setCookies = ["a=1; secure", "b=2"];
    expect(cookieAfter(setCookies, new URL("http://www.example.com/"))).toBe("b=2");
    expect(cookieAfter(setCookies)).toBe("a=1; b=2");
  });

  test("keeps fifty of a host, and sends 8 KiB at most", () => {
    const many = Array.from({ length: 100 }, (_, i) => `c${i}=1`);
    expect(cookieAfter(many)?.split("; ")).toHaveLength(50);
    const large = Array.from({ length: 10 }, (_, i) => `c${i}=${"x".repeat(3000)}`);
    expect(cookieAfter(large)?.length).toBeLessThanOrEqual(8192);
    expect(cookieAfter(large)?.split("; ")).toHaveLength(2);
  });
});
