import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Clock, systemClock } from "../../base/clock.ts";
import { type Answer, answered, unavailable } from "../../base/failure.ts";
import { createLog } from "../../base/log.ts";
import type { HttpReply, HttpRequest } from "../../net/http/http-types.ts";
import { readCidr } from "../../targets/cidr.ts";
import { IANA_BOOTSTRAP_URL } from "../options.ts";
import { type Bootstrap, createBootstrap } from "./bootstrap.ts";
import { type BootstrapFile, readBootstrap, registryOfHost, type Subject } from "./bootstrap-table.ts";

const seedDir = fileURLToPath(new URL("../../../seed", import.meta.url));
let folder = "";
const opened: Bootstrap[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "repute-bootstrap-"));
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ close }) => close()));
  rmSync(folder, { recursive: true, force: true });
});

const domain = (name: string): Subject => ({ kind: "domain", name });
const network = (text: string): Subject => {
  const cidr = readCidr(text);
  if (cidr === null) throw new Error(`${text} is no network`);
  return { kind: "ip", network: cidr };
};
const asn = (number: number): Subject => ({ kind: "asn", number });
const tableOf = (file: BootstrapFile, services: unknown) => readBootstrap(file, { services }, () => true);

describe("readBootstrap()", () => {
  test("finds the longest suffix of whole labels", () => {
    const table = tableOf("dns", [
      [["uk", "xn--bcher-kva.example"], ["https://uk.example/"]],
      [["co.uk"], ["http://co.example", "https://co.example/rdap"]],
    ]);
    expect(table?.find(domain("example.co.uk"))).toBe("https://co.example/rdap/");
    expect(table?.find(domain("example.org.uk"))).toBe("https://uk.example/");
    expect(table?.find(domain("notuk"))).toBeNull();
  });

  test("finds the longest prefix that holds the whole network", () => {
    const table = tableOf("ipv4", [
      [["41.0.0.0/8"], ["https://wide.example/"]],
      [["41.7.0.0/16"], ["https://narrow.example/"]],
    ]);
    expect(table?.find(network("41.7.8.9"))).toBe("https://narrow.example/");
    expect(table?.find(network("41.7.0.0/16"))).toBe("https://narrow.example/");
    expect(table?.find(network("41.6.0.0/15"))).toBe("https://wide.example/");
    expect(table?.find(network("40.0.0.0/7"))).toBeNull();
  });

  test("finds ranges of AS numbers and single ones", () => {
    const table = tableOf("asn", [
      [["100-200", "7"], ["https://a.example/"]],
      [["150-160"], ["https://b.example/"]],
    ]);
    expect([7, 100, 155, 200].map((number) => table?.find(asn(number)))).toEqual([
      "https://a.example/",
      "https://a.example/",
      "https://b.example/",
      "https://a.example/",
    ]);
    expect(table?.find(asn(8))).toBeNull();
  });

  test("is null without a service that can be used", () => {
    expect(readBootstrap("dns", { services: [[["kg"], ["http://rdap.example/"]]] }, () => false)).toBeNull();
    expect(tableOf("dns", [[["kg"], ["ftp//"]]])).toBeNull();
    expect(readBootstrap("dns", "<html>", () => true)).toBeNull();
  });
});

test.each([
  ["rdap.db.ripe.net", "ripe"],
  ["whois.ARIN.net", "arin"],
  ["rdap.registro.br", "lacnic"],
  ["notarin.net", null],
])("registryOfHost(%j) is %j", (host, registry) => {
  expect(registryOfHost(host)).toBe(registry);
});

/** A web that answers with what a test says, and a clock that it moves. */
function world(url: string) {
  let movedMs = 0;
  const clock: Clock = {
    now: () => new Date(Date.parse("2026-11-21T09:00:00Z") + movedMs),
    monotonicMs: () => movedMs,
    sleep: systemClock.sleep,
  };
  const asked: string[] = [];
  const web = { answer: (_url: string): Answer<HttpReply> => unavailable("web", "error", "away") };
  const http = {
    get: async (request: HttpRequest) => {
      asked.push(request.url);
      return web.answer(request.url);
    },
  };
  const open = () => {
    const log = createLog({ level: "silent" });
    const bootstrap = createBootstrap({ http, clock, log, url, seedDir, keptDir: folder });
    opened.push(bootstrap);
    return bootstrap;
  };
  const move = (ms: number) => {
    movedMs += ms;
  };
  return { open, web, asked, move };
}

const reply = (body: string, status = 200): Answer<HttpReply> =>
  answered({ status, headers: new Map(), body: Buffer.from(body), url: "https://iana.example/" });
const file = (services: unknown) => reply(JSON.stringify({ services }));
const patience = { signal: new AbortController().signal, withinMs: 30_000 };
const OWN = "http://registries.lab/";

describe("createBootstrap()", () => {
  test("answers from the packed copy while IANA is away, and not what that copy does not hold", async () => {
    const { open, asked } = world(IANA_BOOTSTRAP_URL);
    const bootstrap = open();
    expect(await bootstrap.serverOf(domain("example.com"), patience)).toEqual(
      answered("https://rdap.verisign.com/com/v1/"),
    );
    expect(await bootstrap.serverOf(domain("example.kg"), patience)).toMatchObject({ state: "unavailable" });
    expect(await bootstrap.serverOf(asn(400_000), patience)).toMatchObject({ state: "unavailable" });
    expect(bootstrap.registryOfAsn(15_169)).toBe("arin");
    expect(asked[0]).toBe(`${IANA_BOOTSTRAP_URL}dns.json`);
  });

  test("never leads special-purpose numbers to IANA's registries", async () => {
    const bootstrap = world(IANA_BOOTSTRAP_URL).open();
    for (const subject of [
      network("192.0.2.0/24"),
      network("10.0.0.0/8"),
      network("fc00::/7"),
      asn(64_500),
      asn(0),
    ]) {
      expect(await bootstrap.serverOf(subject, patience)).toEqual(answered(null));
    }
  });

  test("asks an operator's own files before the first answer, and never uses the packed ones", async () => {
    const { open, web, move } = world(OWN);
    const bootstrap = open();
    expect(bootstrap.isAway(domain("example.com"))).toBe(false); // it was not looked for yet
    expect(await bootstrap.serverOf(domain("example.com"), patience)).toMatchObject({ state: "unavailable" });
    expect(bootstrap.isAway(domain("example.com"))).toBe(true);
    web.answer = () => file([[["com"], ["http://registry.lab/"]]]);
    move(60_000);
    expect(bootstrap.isAway(domain("example.com"))).toBe(false);
    expect(await bootstrap.serverOf(domain("example.com"), patience)).toEqual(
      answered("http://registry.lab/"),
    );
    expect(await bootstrap.serverOf(domain("example.net"), patience)).toEqual(answered(null));
    expect(bootstrap.isAway(domain("example.net"))).toBe(false);
  });

  test("is away for ordinary numbers that its file does not hold, until that is due", async () => {
    const { open, web, move } = world(OWN);
    web.answer = () => file([[["15000-16000"], ["http://registry.lab/"]]]);
    const bootstrap = open();
    expect(await bootstrap.serverOf(asn(20_000), patience)).toEqual(answered(null));
    expect(bootstrap.isAway(asn(20_000))).toBe(true);
    expect(bootstrap.isAway(asn(64_512))).toBe(false); // not registered is an answer
    move(25 * 3600_000);
    expect(bootstrap.isAway(asn(20_000))).toBe(false);
  });

  test.each([
    ["HTML", reply("<html>")],
    ["an empty list", file([])],
    ["a 500", reply("", 500)],
    ["silence", unavailable("web", "timeout", "")],
  ])("keeps the old file when the new one is %s", async (_what, answer) => {
    const { open, web, asked, move } = world(OWN);
    web.answer = () => file([[["com"], ["https://one.lab/"]]]);
    const bootstrap = open();
    await bootstrap.serverOf(domain("a.com"), patience);
    web.answer = () => answer;
    move(25 * 3600_000);
    expect(await bootstrap.serverOf(domain("a.com"), patience)).toEqual(answered("https://one.lab/"));
    expect(await bootstrap.serverOf(domain("a.net"), patience)).toEqual(answered(null));
    expect(asked).toHaveLength(2);
  });

  test("renews a file daily, while the old one answers", async () => {
    const { open, web, asked, move } = world(OWN);
    web.answer = () => file([[["com"], ["https://one.lab/"]]]);
    const bootstrap = open();
    await bootstrap.serverOf(domain("a.com"), patience);
    move(23 * 3600_000);
    await bootstrap.serverOf(domain("a.com"), patience);
    expect(asked).toHaveLength(1);
    web.answer = () => file([[["com"], ["https://two.lab/"]]]);
    move(2 * 3600_000);
    expect(await bootstrap.serverOf(domain("a.com"), patience)).toEqual(answered("https://one.lab/"));
    await expect
      .poll(() => bootstrap.serverOf(domain("a.com"), patience))
      .toEqual(answered("https://two.lab/"));
  });

  test("starts again from what it kept, of the same folder of files alone", async () => {
    const first = world(OWN);
    first.web.answer = () => file([[["com"], ["https://one.lab/"]]]);
    await first.open().serverOf(domain("a.com"), patience);
    await expect.poll(() => existsSync(join(folder, "dns.json"))).toBe(true);
    expect(statSync(join(folder, "dns.json")).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(join(folder, "dns.json"), "utf8"))).toMatchObject({ url: OWN });
    const again = world(OWN);
    expect(await again.open().serverOf(domain("a.com"), patience)).toEqual(answered("https://one.lab/"));
    expect(again.asked).toEqual([]);
    const other = world("http://other.lab/");
    expect(await other.open().serverOf(domain("a.com"), patience)).toMatchObject({ state: "unavailable" });
  });
});
