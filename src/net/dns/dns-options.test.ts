import { describe, expect, test } from "vitest";
import { InvalidValue } from "../../base/failure.ts";
import { dnsOptionsSchema, parseServer, systemServers } from "./dns-options.ts";

describe("parseServer()", () => {
  test.each([
    ["127.0.0.1", "127.0.0.1:53", 4],
    ["127.0.0.1:5300", "127.0.0.1:5300", 4],
    ["::1", "[::1]:53", 6],
    ["2001:DB8:0::53", "[2001:db8::53]:53", 6],
    ["[::1]", "[::1]:53", 6],
    ["[::1]:5300", "[::1]:5300", 6],
    ["fe80::1%eth0", "[fe80::1%eth0]:53", 6],
    ["[fe80::1%2]:5353", "[fe80::1%2]:5353", 6],
  ])("reads %s as %s", (text, canonical, family) => {
    expect(parseServer(text)).toMatchObject({ text: canonical, family });
  });

  test.each([
    "",
    "localhost",
    "dns.example:53",
    "127.0.0.1:",
    "127.0.0.1:0",
    "127.0.0.1:65536",
    "127.1",
    "0x7f.0.0.1",
    "[127.0.0.1]:53",
    "[::1",
    "::1]:53",
    "[::1]:x",
    "127.0.0.1%eth0",
    "udp://127.0.0.1",
    "127.0.0.1 127.0.0.2",
  ])("refuses %j", (text) => {
    expect(() => parseServer(text)).toThrow(InvalidValue);
  });
});

describe("systemServers()", () => {
  test("gives addresses that parse", () => {
    for (const server of systemServers()) expect(parseServer(server.text)).toEqual(server);
  });
});

describe("dnsOptionsSchema", () => {
  test("has the documented defaults", () => {
    const defaults = { servers: [], timeout_ms: 2000, dnsbl_servers: [], probe: true, probe_names: [] };
    expect(dnsOptionsSchema.parse({})).toEqual(defaults);
  });

  test.each([
    { servers: ["localhost"] },
    { servers: "127.0.0.1" },
    { timeout_ms: "2s" },
    { timeout_ms: 0 },
    { server: [] },
  ])("refuses %j", (options) => {
    expect(dnsOptionsSchema.safeParse(options).success).toBe(false);
  });
});
