import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InvalidValue } from "../base/failure.ts";
import { parseDomain } from "./domain.ts";
import { formatIpv4, formatIpv6, parseIp } from "./ip.ts";
import { recognise, refang, type TargetKind } from "./recognise.ts";
import { parseUrl } from "./url.ts";

test.each<[string, TargetKind, string]>([
  ["8.8.8.8", "ip", "8.8.8.8"],
  [" 1.2.3[.]4\n", "ip", "1.2.3.4"],
  ["1(.)2{.}3[.]4", "ip", "1.2.3.4"],
  ["8.8.8.8:53", "ip", "8.8.8.8"],
  ["2001:DB8::1", "ip", "2001:DB8::1"],
  ["2001[:]db8[:][:]1", "ip", "2001:db8::1"],
  ["[2001:db8::1]:443", "ip", "2001:db8::1"],
  ["::ffff:192.0.2.1", "ip", "::ffff:192.0.2.1"],
  ["192.0.2.0/24", "network", "192.0.2.0/24"],
  ["2001:db8::/32", "network", "2001:db8::/32"],
  ["192.0.2.1/99", "url", "http://192.0.2.1/99"],
  ["AS15169", "asn", "AS15169"],
  ["asn 15169", "asn", "AS15169"],
  ["hxxps[:]//example[.]com/a", "url", "https://example.com/a"],
  ["mailto:jane.doe@example.com", "email", "jane.doe@example.com"],
  ["MAILTO:jane[at]example[.]com?subject=a@b.org", "email", "jane@example.com"],
  ["HXXP://1.2.3[.]4/a b", "url", "http://1.2.3.4/a b"],
  ["ftp://example.com/", "url", "ftp://example.com/"],
  ["example.com/login?next=a@b", "url", "http://example.com/login?next=a@b"],
  ["example.com:8080/login", "url", "http://example.com:8080/login"],
  ["example.com?x", "url", "http://example.com?x"],
  ["[2001:db8::1]/x", "url", "http://[2001:db8::1]/x"],
  ["jane[at]example.com", "email", "jane@example.com"],
  ["jane[@]example[.]com", "email", "jane@example.com"],
  ['"jane doe"@example.com', "email", '"jane doe"@example.com'],
  ["example.com", "domain", "example.com"],
  ["example.com.", "domain", "example.com"],
  ["Example.COM/", "domain", "Example.COM"],
  ["example.com:8443", "domain", "example.com"],
  ["bücher。example", "domain", "bücher。example"],
  ["_dmarc[.]example[.]com", "domain", "_dmarc.example.com"],
  ["\u202a8.8.8.8\u202c", "ip", "8.8.8.8"],
  ["\ufeff\u200bexample.com\u200b\u00a0", "domain", "example.com"],
  ["<https://example.com/a>", "url", "https://example.com/a"],
  ["<jane@example.com>", "email", "jane@example.com"],
  ['"192.0.2.0/24"', "network", "192.0.2.0/24"],
  ["\u2018 hxxp://example[.]com/ \u2019", "url", "http://example.com/"],
])("%s is recognised as %s", (text, kind, value) => {
  expect(recognise(text)).toEqual({ kind, text: value });
});

test.each([
  ...[
    "",
    "word",
    "two words",
    "256.1.1.1",
    "1.2.3.4.5",
    "1.2.3.456",
    "8.8.8.8:",
    "a@b@c",
    "a@b@",
    "..",
    "a..b",
  ],
  ...[
    "http://",
    "<script>",
    "<>",
    '""',
    "exam\u200bple\u200b",
    "8.8.8.8\u202e.",
    "\u0000",
    "::1::2/x y",
    "AS",
    "AS99999999999",
    "[1.2.3.4",
    "x".repeat(5000),
  ],
])("%j is nothing", (text) => {
  expect(recognise(text)).toBeNull();
});

const octet = fc.nat({ max: 0xffffffff });
const addresses = fc.oneof(
  octet.map(formatIpv4),
  fc.tuple(octet, octet, octet, octet).map((words) => formatIpv6(words)),
);
const labels = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/);
const names = fc
  .tuple(fc.array(labels, { minLength: 1, maxLength: 3 }), fc.constantFrom("com", "co.uk", "example"))
  .map(([front, end]) => [...front, end].join("."))
  .filter((name) => !/(^|\.)xn--/.test(name));

/** As people write what must not become a link. */
const defang = (text: string): string =>
  text.replace(/^http/, "hxxp").replaceAll(".", "[.]").replaceAll(":", "[:]").replaceAll("@", "[at]");

describe("of any", () => {
  test("address: it is one, also with a port and defanged, and its parser takes it", () => {
    fc.assert(
      fc.property(addresses, fc.integer({ min: 1, max: 65535 }), (ip, port) => {
        const found = { kind: "ip", text: ip };
        const withPort = ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`;
        for (const text of [ip, withPort, defang(ip), ` ${ip}\t`]) expect(recognise(text)).toEqual(found);
        expect(parseIp(ip).text).toBeTypeOf("string");
      }),
      { numRuns: 300 },
    );
  });

  test("name: it is one, and so are its URL and its mailboxes; defanged ones are the same", () => {
    fc.assert(
      fc.property(names, (name) => {
        const written = { domain: name, url: `https://${name}/a?b=1.2#c`, email: `jane.doe@${name}` };
        for (const [kind, text] of Object.entries(written)) {
          expect(recognise(text)).toEqual({ kind, text });
          expect(recognise(defang(text))).toEqual(recognise(text));
        }
        expect(parseDomain(name).name).toBe(name);
      }),
      { numRuns: 300 },
    );
  });

  test("text: what is recognised is spelt so that it is recognised again, or its parser refuses it in words", () => {
    const pieces = fc.constantFrom(
      ...[
        "8.8.8.8",
        "::1",
        "[",
        "]",
        "example.com",
        "@",
        "/",
        ":",
        "53",
        ".",
        "http://",
        "hxxp://",
        "[.]",
        "[at]",
      ],
      ...["AS", "15169", " ", "a", "?", "#", "%", "\\", "\u3002", "ü", "xn--", "\u202e", "\n", '"', "-", "_"],
    );
    const texts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const found = recognise(text);
        if (found === null) return;
        expect(recognise(found.text)?.kind).toBe(found.kind);
        const parse = {
          ip: parseIp,
          domain: parseDomain,
          url: parseUrl,
          network: null,
          asn: null,
          email: null,
        };
        try {
          parse[found.kind]?.(found.text);
        } catch (error) {
          if (!(error instanceof InvalidValue)) throw error;
        }
      }),
      { numRuns: 3000 },
    );
  });

  test("text that a parser takes is recognised as what that parser reads", () => {
    const takes = (parse: (text: string) => unknown, text: string): boolean => {
      try {
        parse(text);
        return true;
      } catch (error) {
        if (error instanceof InvalidValue) return false;
        throw error;
      }
    };
    const near = fc.oneof(
      addresses,
      names,
      addresses.map(defang),
      names.map(defang),
      fc.string({ maxLength: 12 }),
    );
    fc.assert(
      fc.property(near, (text) => {
        const read = { ip: parseIp, domain: parseDomain, url: parseUrl };
        for (const [kind, parse] of Object.entries(read)) {
          if (takes(parse, text)) expect(recognise(text)?.kind).toBe(kind);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

test("refang() undoes the spellings that stand for a character, and leaves names alone", () => {
  expect(refang("hxxps[:]//a(.)b{.}c[.]d/[at][@]")).toBe("https://a.b.c.d/@@");
  expect(refang("hxxp-mail.example")).toBe("hxxp-mail.example");
});
