import { describe, expect, test } from "vitest";
import { InvalidValue } from "../base/failure.ts";
import { parseIp } from "./ip.ts";

const reasonOf = (text: string): string => {
  try {
    return `taken as ${parseIp(text).text}`;
  } catch (error) {
    if (error instanceof InvalidValue) return error.reason;
    throw error;
  }
};

describe("what a text is, in place of an address", () => {
  test.each([
    ["url", ["http://8.8.8.8", "hxxps://8[.]8[.]8[.]8/", "http://8.8.8.8/a%20b", "ftp://[::1]/"]],
    ["url", [`https://${"a".repeat(100)}.example/`, "HTTPS://8.8.8.8:443/?q=1%25"]],
    ["cidr", ["8.8.8.0/24", "2001:db8::/32", "8.8.8/24", "8.8.8.0/255.255.255.0", "::/0", "8.8.8.8/"]],
    ["zone_id", ["fe80::1%eth0", "[fe80::1%25eth0]", "fe80::1%"]],
    ["port", ["8.8.8.8:53", "[::1]:80", "example.com:80"]],
    ["invalid_ip", ["example.com", "a/b", "100%", "8.8.8.8/path", "user@8.8.8.8", "8.8.8.256"]],
    ["invalid_ip", ["08.8.8.8", "0x8.8.8.8", "127.1", "2130706433", "1::2::3", "[8.8.8.8]", "1".repeat(100)]],
    ["empty", ["", " \t\n"]],
  ])("is refused as %s: %j", (reason, texts) => {
    for (const text of texts) expect([text, reasonOf(text)]).toEqual([text, reason]);
  });

  test("is no refusal where it is an address", () => {
    expect(reasonOf(" [2001:DB8:0::1]\n")).toBe("taken as 2001:db8::1");
    expect(reasonOf("::ffff:8.8.8.8")).toBe("taken as 8.8.8.8");
  });
});
