import { afterEach, describe, expect, test } from "vitest";
import { createMovableClock } from "../../../test/servers/dns-client.ts";
import {
  startDnsServer,
  type TestDnsServer,
  type TestQuestion,
  type TestReply,
} from "../../../test/servers/dns-server.ts";
import { systemRandom } from "../../base/clock.ts";
import { createDns } from "../../net/dns/dns.ts";
import type { Dns } from "../../net/dns/dns-types.ts";
import { offlineDns } from "../../net/offline.ts";
import { parseIp } from "../../targets/ip.ts";
import { createReverseDns, hostNameOf, reverseNameOf } from "./reverse-dns.ts";

type Zone = Readonly<Record<string, TestReply | "silence">>;

const open: { server: TestDnsServer; dns: Dns }[] = [];
afterEach(async () => {
  for (const { server, dns } of open.splice(0)) {
    dns.close();
    await server.close();
  }
});

const keyOf = ({ name, type }: TestQuestion): string => `${name.toLowerCase().replace(/\.$/, "")} ${type}`;

async function withZone(zone: Zone, timeoutMs = 5000) {
  const server = await startDnsServer((question) => zone[keyOf(question)] ?? { rcode: 3 });
  const clock = createMovableClock();
  const dns = createDns({ servers: [server.address], timeoutMs, clock, random: systemRandom });
  open.push({ server, dns });
  return { server, move: clock.move, reverse: createReverseDns({ dns, clock, timeoutMs }) };
}

const patience = (withinMs = 20_000) => ({ signal: new AbortController().signal, withinMs });

const PTR = "7.113.0.203.in-addr.arpa PTR";
const ip = parseIp("203.0.113.7");

const ptr = (data: string, ttl = 300): TestReply => ({ answers: [{ type: "PTR", data, ttl }] });
const a = (data: string, ttl = 300): TestReply => ({ answers: [{ type: "A", data, ttl }] });

const REFERRAL: TestReply = { authorities: [{ type: "NS", name: "example", data: "ns.example" }] };
const owned = (name: string): TestReply => ({ answers: [{ type: "PTR", name, data: "host.example" }] });
const RFC_2317: Zone = {
  [PTR]: { answers: [{ type: "CNAME", data: "7.0-127.113.0.203.in-addr.arpa" }] },
  "7.0-127.113.0.203.in-addr.arpa PTR": ptr("host.example"),
  "host.example A": a("203.0.113.7"),
};

describe("createReverseDns()", () => {
  test.each([
    [
      "a name that resolves back",
      { [PTR]: ptr("Host.Example."), "host.example A": a("203.0.113.7") },
      ["host.example", "ok", true],
    ],
    [
      "a name that resolves elsewhere",
      { [PTR]: ptr("host.example"), "host.example A": a("203.0.113.8") },
      ["host.example", "ok", false],
    ],
    ["a name that does not exist", { [PTR]: ptr("host.example") }, ["host.example", "ok", false]],
    [
      "a name whose zone fails",
      { [PTR]: ptr("host.example"), "host.example A": { rcode: 2 } },
      ["host.example", "ok", null],
    ],
    ["no name", {}, [null, "nxdomain", false]],
    ["an answer without a PTR record", { [PTR]: {} }, [null, "nxdomain", false]],
    ["a failing zone", { [PTR]: { rcode: 2 } }, [null, "error", null]],
    ["a refusing zone", { [PTR]: { rcode: 5 } }, [null, "error", null]],
    ["a name behind an alias (RFC 2317)", RFC_2317, ["host.example", "ok", true]],
    ["a referral", { [PTR]: REFERRAL }, [null, "error", null]],
    ["an answer about another name", { [PTR]: owned("9.113.0.203.in-addr.arpa") }, [null, "error", null]],
    [
      "a name whose resolver refers elsewhere",
      { [PTR]: ptr("host.example"), "host.example A": REFERRAL },
      ["host.example", "ok", null],
    ],
    [
      "a name for which another name's address is given",
      {
        [PTR]: ptr("host.example"),
        "host.example A": { answers: [{ type: "A", name: "other.example", data: "203.0.113.7" }] },
      },
      ["host.example", "ok", null],
    ],
    ["a text that is no host name", { [PTR]: ptr("<script>.example") }, [null, "error", null]],
  ] as const)("tells of %s", async (_why, zone, [name, status, confirmed]) => {
    const { reverse } = await withZone(zone);
    const answer = await reverse.find(ip, patience());
    expect(answer).toEqual({ reverse: { name, status, confirmed }, cached: false });
  });

  test("confirms an IPv6 address by AAAA in any spelling", async () => {
    const v6 = parseIp("2001:db8::7");
    const { reverse } = await withZone({
      [`${reverseNameOf(v6)} PTR`]: ptr("six.example"),
      "six.example AAAA": { answers: [{ type: "AAAA", data: "2001:DB8:0:0:0:0:0:7" }] },
    });
    expect((await reverse.find(v6, patience())).reverse.confirmed).toBe(true);
  });

  test("calls silence a time-out and asks again 5 seconds later", async () => {
    const { reverse, server, move } = await withZone({ [PTR]: "silence" }, 100);
    expect((await reverse.find(ip, patience())).reverse).toEqual({
      name: null,
      status: "timeout",
      confirmed: null,
    });
    const asked = server.questions.length;
    expect(reverse.find(ip, patience())).toEqual({
      reverse: { name: null, status: "timeout", confirmed: null },
      cached: false,
    });
    expect(server.questions.length).toBe(asked);
    move(5000);
    await reverse.find(ip, patience());
    expect(server.questions.length).toBeGreaterThan(asked);
  });

  test("lets a caller leave whose time is up, and keeps the answer for the next", async () => {
    const { reverse } = await withZone({
      [PTR]: { ...ptr("host.example"), delayMs: 150 },
      "host.example A": a("203.0.113.7"),
    });
    expect((await reverse.find(ip, patience(10))).reverse.status).toBe("timeout");
    expect((await reverse.find(ip, patience(0))).reverse.status).toBe("timeout");
    expect((await reverse.find(ip, patience())).reverse.name).toBe("host.example");
  });

  test("lets a caller leave whose signal aborts", async () => {
    const { reverse } = await withZone({ [PTR]: "silence" }, 2000);
    const caller = new AbortController();
    const answer = reverse.find(ip, { signal: caller.signal, withinMs: 10_000 });
    caller.abort();
    expect((await answer).reverse.status).toBe("timeout");
  });

  test("shares one question among equal lookups under way", async () => {
    const { reverse, server } = await withZone({
      [PTR]: ptr("host.example"),
      "host.example A": a("203.0.113.7"),
    });
    await Promise.all(Array.from({ length: 5 }, () => reverse.find(ip, patience())));
    expect(server.questions).toHaveLength(2);
  });

  test.each([
    [
      "60 s when the TTL is shorter",
      { [PTR]: ptr("host.example", 1), "host.example A": a("203.0.113.7", 1) },
      60,
    ],
    [
      "the shorter TTL of both answers",
      { [PTR]: ptr("host.example", 900), "host.example A": a("203.0.113.7", 200) },
      200,
    ],
    [
      "an hour when the TTL is longer",
      { [PTR]: ptr("host.example", 86_400), "host.example A": a("203.0.113.7", 86_400) },
      3600,
    ],
    ["60 s for no name without an SOA", {}, 60],
  ] as const)("keeps an answer for %s", async (_why, zone, seconds) => {
    const { reverse, move } = await withZone(zone);
    await reverse.find(ip, patience());
    move((seconds - 5) * 1000);
    expect((await reverse.find(ip, patience())).cached).toBe(true);
    move(6000);
    expect((await reverse.find(ip, patience())).cached).toBe(false);
  });
});

describe("reverseNameOf()", () => {
  test.each([
    ["192.0.2.7", "7.2.0.192.in-addr.arpa"],
    ["2001:db8::1", "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa"],
  ])("writes %s as %s", (address, name) => {
    expect(reverseNameOf(parseIp(address))).toBe(name);
  });
});

describe("hostNameOf()", () => {
  test.each([
    ["Mail.Example.COM.", "mail.example.com"],
    ["a_b.example", "a_b.example"],
    ["localhost", "localhost"],
    ["", null],
    [".", null],
    ["a..b", null],
    ["-a.example", null],
    ["203.0.113.7", null],
    ["a b.example", null],
    ["a\u001b[31m.example", null],
    ["é.example", null],
    [`${"a".repeat(64)}.example`, null],
    [`${"a.".repeat(127)}aa`, null],
  ])("reads %j as %j", (text, name) => {
    expect(hostNameOf(text)).toBe(name);
  });
});

test("where DNS is off nothing was asked, so that nothing is known of a name, a late lookup's included", () => {
  const reverse = createReverseDns({ dns: offlineDns, clock: createMovableClock(), timeoutMs: 5000 });
  for (const withinMs of [20_000, 0])
    expect(reverse.find(ip, patience(withinMs))).toEqual({
      reverse: { name: null, status: null, confirmed: null },
      cached: false,
    });
});
