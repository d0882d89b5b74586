import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createWhoisServers, readWhoisServers } from "./servers.ts";

const SEED = join(import.meta.dirname, "../../../seed");
const bundled = new Map([
  ["uk", "whois.nic.uk"],
  ["ac.uk", "whois.ja.net"],
]);
const servers = createWhoisServers(
  { lab: "127.0.0.1:4343", six: "[::1]:4344", plain: "whois.lab.example" },
  bundled,
);

describe("WhoisServers.of()", () => {
  test.each([
    ["a.lab", { server: { host: "127.0.0.1", port: 4343 }, isOperatorsWord: true }],
    ["a.b.six", { server: { host: "::1", port: 4344 }, isOperatorsWord: true }],
    ["a.plain", { server: { host: "whois.lab.example", port: 43 }, isOperatorsWord: true }],
    ["example.co.uk", { server: { host: "whois.nic.uk", port: 43 }, isOperatorsWord: false }],
    ["example.ac.uk", { server: { host: "whois.ja.net", port: 43 }, isOperatorsWord: false }],
    ["example.unknown", null],
    ["constructor.__proto__", null],
  ])("gives for %s %j", (domain, known) => {
    expect(servers.of(domain)).toEqual(known);
  });

  test("puts the operator's word before the bundled table", () => {
    const own = createWhoisServers({ uk: "10.0.0.1" }, bundled);
    expect(own.of("example.ac.uk")).toEqual({
      server: { host: "10.0.0.1", port: 43 },
      isOperatorsWord: true,
    });
  });

  test("knows the servers of the bundled table", () => {
    const real = readWhoisServers({}, SEED);
    expect(real.of("example.com")?.server).toEqual({ host: "whois.verisign-grs.com", port: 43 });
    expect(real.of("example.de")?.server.host).toBe("whois.denic.de");
    expect(real.of("example.co.jp")?.server.host).toBe("whois.jprs.jp");
    expect(real.of("example.abb")).toBeNull();
  });
});

describe("WhoisServers.referred()", () => {
  test.each([
    ["whois.registrar.example", { host: "whois.registrar.example", port: 43 }],
    [" WHOIS.Registrar.Example. ", { host: "whois.registrar.example", port: 43 }],
    ["whois.registrar.example:43", { host: "whois.registrar.example", port: 43 }],
  ])("takes %j by the guard's leave", (text, server) => {
    expect(servers.referred(text)).toEqual({ server, isOperatorsWord: false });
  });

  test.each([
    ["whois.registrar.example:4343"],
    ["whois.registrar.example:22"],
    ["whois://whois.registrar.example"],
    ["rwhois://rwhois.registrar.example:4321"],
    ["https://whois.registrar.example/"],
    ["whois.registrar.example/path"],
    ["whois.registrar.example foo"],
    ["user@whois.registrar.example"],
    ["localhost"],
    ["127.0.0.1"],
    ["127.0.0.1:4300"],
    ["0x7f.0.0.1"],
    ["2130706433"],
    ["[::1]"],
    ["bücher.example"],
    ["-h.example"],
    ["a..example"],
    ["whois.registrar.example\r\nX"],
    [""],
  ])("ignores %j", (text) => {
    expect(servers.referred(text)).toBeNull();
  });

  test("takes an address with a port that the operator configured", () => {
    const server = { host: "127.0.0.1", port: 4343 };
    expect(servers.referred("127.0.0.1:4343")).toEqual({ server, isOperatorsWord: true });
  });

  test("gives port 43 of a host name alone, of any text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.domain(), fc.webUrl(), fc.ipV4(), fc.ipV6()), (text) => {
        const known = createWhoisServers({}, new Map()).referred(text);
        if (known === null) return;
        expect(known.server.host).toMatch(/^[a-z0-9.-]+\.[a-z][a-z0-9-]*$/);
        expect(known).toMatchObject({ server: { port: 43 }, isOperatorsWord: false });
      }),
    );
  });
});
