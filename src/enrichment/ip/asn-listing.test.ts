import { afterEach, describe, expect, test } from "vitest";
import { createMovableClock } from "../../../test/servers/dns-client.ts";
import { startDnsServer, type TestDnsServer, type TestReply } from "../../../test/servers/dns-server.ts";
import { systemRandom } from "../../base/clock.ts";
import { createDns } from "../../net/dns/dns.ts";
import type { Dns } from "../../net/dns/dns-types.ts";
import { NOT_LISTED } from "../vendor.ts";
import { createAsnListing } from "./asn-listing.ts";

const open: { server: TestDnsServer; dns: Dns }[] = [];
afterEach(async () => {
  for (const { server, dns } of open.splice(0)) {
    dns.close();
    await server.close();
  }
});

async function listingOf(a: TestReply | "silence", txt: TestReply = { rcode: 3 }, timeoutMs = 5000) {
  const server = await startDnsServer(({ type }) => (type === "A" ? a : txt));
  const clock = createMovableClock();
  const dns = createDns({ servers: [server.address], timeoutMs, clock, random: systemRandom });
  open.push({ server, dns });
  const listing = createAsnListing({ zone: "asn.example.", dns, clock, timeoutMs });
  return { server, move: clock.move, listing };
}

const address = (...data: readonly string[]): TestReply => ({
  answers: data.map((each) => ({ type: "A", data: each })),
});
const text = (data: string): TestReply => ({ answers: [{ type: "TXT", data }] });

describe("createAsnListing()", () => {
  test("gives a listed AS with the zone's own words", async () => {
    const { listing, server } = await listingOf(address("127.0.0.2"), text("Hijacked\u0007 space"));
    expect((await listing.find(64500))?.said).toEqual({
      ...NOT_LISTED,
      listed: true,
      dataset: "ASN",
      rule: "Hijacked space",
      asn: 64500,
    });
    expect(server.questions[0]?.name.toLowerCase()).toBe("64500.asn.example");
  });

  test("gives a listed AS without words when the zone has none", async () => {
    const { listing } = await listingOf(address("127.0.0.2"));
    expect((await listing.find(64500))?.said).toMatchObject({ listed: true, rule: null });
  });

  test.each([
    ["NXDOMAIN", { rcode: 3 }],
    ["no address", {}],
  ])("calls %s not listed", async (_why, reply) => {
    expect((await (await listingOf(reply)).listing.find(64500))?.said).toEqual(NOT_LISTED);
  });

  test.each([
    ["a refusal code", address("127.255.255.254")],
    ["127.0.0.1", address("127.0.0.1")],
    ["an address outside 127/8", address("203.0.113.1")],
    ["a listing mixed with a refusal", address("127.0.0.2", "127.255.255.254")],
    ["SERVFAIL", { rcode: 2 }],
    ["REFUSED", { rcode: 5 }],
  ])("gives no answer for %s and asks again 5 seconds later", async (_why, reply) => {
    const { listing, server, move } = await listingOf(reply);
    expect(await listing.find(64500)).toBeNull();
    const asked = server.questions.length;
    move(5000);
    await listing.find(64500);
    expect(server.questions.length).toBeGreaterThan(asked);
  });

  test("gives no answer for silence", async () => {
    expect(await (await listingOf("silence", {}, 100)).listing.find(64500)).toBeNull();
  });

  test("keeps an answer", async () => {
    const { listing, server } = await listingOf({ rcode: 3 });
    const first = await listing.find(64500);
    expect(first).toMatchObject({ said: NOT_LISTED, cached: false });
    expect(await listing.find(64500)).toEqual({ ...first, cached: true });
    expect(server.questions).toHaveLength(1);
  });
});
