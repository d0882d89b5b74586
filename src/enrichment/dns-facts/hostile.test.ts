import { type Answer, encode } from "dns-packet";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeReply } from "../../net/dns/dns-message.ts";
import { readReply } from "../../net/dns/dns-reading.ts";
import type { DnsReply } from "../../net/dns/dns-types.ts";
import { recordObject, sortedRecords } from "./records.ts";

const NAME = "www.example.com";
const OTHER = "host.example.net";
const octets = Buffer.from("000102030405060708", "hex");

/** One record of every type, as the codec takes it; SVCB and HTTPS by number. */
const RECORDS: readonly (readonly [type: string, data: unknown])[] = [
  ["CNAME", OTHER],
  ["A", "192.0.2.1"],
  ["AAAA", "2001:db8::1"],
  ["MX", { preference: 1, exchange: OTHER }],
  ["NS", OTHER],
  ["PTR", OTHER],
  ["TXT", [octets, "text"]],
  ["SOA", { mname: OTHER, rname: OTHER, serial: 1, refresh: 2, retry: 3, expire: 4, minimum: 5 }],
  ["CAA", { flags: 0, tag: "issue", value: "ca.example" }],
  ["SRV", { priority: 1, weight: 2, port: 3, target: OTHER }],
  ["DS", { keyTag: 1, algorithm: 8, digestType: 2, digest: octets }],
  ["DNSKEY", { flags: 256, algorithm: 1, key: octets }],
  ["TLSA", { usage: 3, selector: 1, matchingType: 1, certificate: octets }],
  ["NAPTR", { order: 1, preference: 2, flags: "s", services: "x", regexp: "!", replacement: OTHER }],
  ["UNKNOWN_65", Buffer.from("000103666f6f000001000302683200030002ffff", "hex")],
];

const MESSAGE = encode({
  type: "response",
  id: 1,
  questions: [{ type: "A", name: NAME }],
  answers: RECORDS.map(([type, data]) => ({ type, data, name: NAME, ttl: 60 }) as Answer),
  authorities: [{ type: "NS", name: NAME, data: OTHER }],
});

test("a message with any octets changed is read without a throw, into text that no screen obeys", () => {
  const change = fc.tuple(fc.nat(MESSAGE.length - 13), fc.integer({ min: 0, max: 255 }));
  let read = 0;
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
      const message = Buffer.from(MESSAGE);
      for (const [at, octet] of changes) message[12 + at] = octet;
      const decoded = decodeReply(message);
      if (decoded === null) return;
      read++;
      const reply: DnsReply = { ...decoded, server: "127.0.0.1:53", elapsedMs: 1 };
      for (const type of ["A", "MX", "CNAME"] as const) expect(readReply(reply, type, [NAME])).toBeDefined();
      const records = sortedRecords(decoded.answers.map(recordObject).filter((record) => record !== null));
      for (const text of textsOf(records)) expect(text).not.toMatch(/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
    }),
    { numRuns: 2000 },
  );
  expect(read).toBeGreaterThan(200);
});

const textsOf = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
};
