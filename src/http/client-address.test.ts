import { expect, test } from "vitest";
import { clientAddress } from "./client-address.ts";

const TRUSTED = new Set(["192.0.2.1", "192.0.2.2", "2001:db8::1"]);

test.each<[forwardedFor: string | string[] | undefined, client: string]>([
  [undefined, "192.0.2.1"],
  ["203.0.113.7", "203.0.113.7"],
  ["198.51.100.1, 203.0.113.7", "203.0.113.7"],
  ["203.0.113.7, 192.0.2.2", "203.0.113.7"],
  [["198.51.100.1", "203.0.113.7"], "203.0.113.7"],
  ["203.0.113.7:4711", "203.0.113.7"],
  ["203.0.113.7:4711, 192.0.2.2:80", "203.0.113.7"],
  ["[2001:db8::7]:4711", "2001:db8::7"],
  ["[2001:db8::7]", "2001:db8::7"],
  ["2001:db8::7:4711", "2001:db8::7:4711"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["203.0.113.7, unknown", "192.0.2.1"],
  ["203.0.113.7, garbage, 192.0.2.2", "192.0.2.2"],
  ["203.0.113.7:port", "192.0.2.1"],
  ["203.0.113.7:471100", "192.0.2.1"],
  ["203.0.113.7, ", "192.0.2.1"],
  ["[203.0.113.7", "192.0.2.1"],
  [":4711", "192.0.2.1"],
])("X-Forwarded-For: %s from a trusted proxy is of %s", (forwardedFor, client) => {
  const read = clientAddress("192.0.2.1", forwardedFor, (ip) => TRUSTED.has(ip.text));
  expect(read?.text).toBe(client);
});

test("X-Forwarded-For of a stranger is passed over", () => {
  expect(clientAddress("203.0.113.9", "198.51.100.1", () => false)?.text).toBe("203.0.113.9");
});
