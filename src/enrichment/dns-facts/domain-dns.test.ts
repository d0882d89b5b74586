import { describe, expect, test } from "vitest";
import type { TestReply, TestScript } from "../../../test/servers/dns-server.ts";
import { type DnsWorld, lookupTime, openDnsWorld } from "../../../test/servers/dns-world.ts";
import { systemClock, systemRandom } from "../../base/clock.ts";
import { createDnssecChecks } from "./dnssec.ts";
import { createDomainDns } from "./domain-dns.ts";
import type { MailDomain } from "./mail-policy/dmarc.ts";

const SERVFAIL: TestReply = { rcode: 2 };
/** `example.com` with so many mail servers, each with an address of its own. */
function worldOfMailServers(count: number): DnsWorld {
  const servers = Array.from({ length: count }, (_, i) => i + 10);
  return {
    "MX example.com": servers.map((i) => ({ preference: i, exchange: `mx${i}.example.com` })),
    ...Object.fromEntries(servers.map((i) => [`A mx${i}.example.com`, [`192.0.2.${i}`]])),
  };
}

const DOMAIN = { name: "example.com", registeredDomain: "example.com" };

describe("DomainDnsLookups.gather()", () => {
  async function gather(world: DnsWorld | TestScript, domain: MailDomain = DOMAIN, timeoutMs = 30_000) {
    const { dns, dnsRecords, server } = await openDnsWorld(world, { timeoutMs });
    const dnssec = createDnssecChecks({ dns, clock: systemClock });
    const lookups = createDomainDns({ dnsRecords, dnssec, random: systemRandom });
    return { found: await lookups.gather(domain, lookupTime()), server };
  }

  test.each<[string, string, string | null, readonly string[] | null]>([
    ["the domain itself", "example.com", "example.com", ["ns.park.example"]],
    ["a host", "www.example.com", "example.com", ["ns.park.example"]],
    ["a host further below", "a.b.example.com", "example.com", ["ns.park.example"]],
    ["a host with name servers of its own", "sub.example.com", "example.com", ["ns.sub.example"]],
    ["a host of a domain that does not answer", "www.mute.com", "mute.com", null],
    ["a host that does not answer", "mute.example.com", "example.com", null],
    ["a host of a domain without any", "www.bare.com", "bare.com", []],
    ["a public suffix", "com", null, []],
  ])("names the servers of the zone of %s", async (_, name, registeredDomain, expected) => {
    const zone: Readonly<Record<string, string>> = {
      "example.com": "ns.park.example",
      "sub.example.com": "ns.sub.example",
    };
    const { found } = await gather(
      ({ name: asked, type }) => {
        const server = type === "NS" ? zone[asked.toLowerCase()] : undefined;
        if (/^mute\./i.test(asked)) return SERVFAIL;
        return server === undefined ? {} : { answers: [{ type, data: server }] };
      },
      { name, registeredDomain },
    );
    expect(found.nameServers).toEqual(expected);
  });

  test("brings records, hosts by role, policies and DNSSEC together", async () => {
    const { found } = await gather({
      "A example.com": ["192.0.2.2", "192.0.2.1"],
      "AAAA example.com": ["2001:db8::1"],
      "MX example.com": [
        { preference: 20, exchange: "mx2.example.com" },
        { preference: 10, exchange: "mx1.example.com" },
      ],
      "NS example.com": ["ns.example.net"],
      "TXT example.com": ["v=spf1 mx -all"],
      "A mx1.example.com": ["192.0.2.10"],
      "AAAA mx2.example.com": ["2001:db8::10"],
      "A ns.example.net": ["192.0.2.53"],
      "TXT _dmarc.example.com": ["v=DMARC1; p=reject"],
      "DNSKEY example.com": [{ flags: 257, algorithm: 13, key: Buffer.from("k") }],
      "CAA example.com": [{ flags: 0, tag: "issue", value: "ca.example" }],
    });
    expect(found).toMatchObject({
      status: "ok",
      a: [{ address: "192.0.2.1" }, { address: "192.0.2.2" }],
      aaaa: [{ address: "2001:db8::1" }],
      mx: [{ exchange: "mx1.example.com" }, { exchange: "mx2.example.com" }],
      ns: [{ target: "ns.example.net" }],
      caa: [{ content: "ca.example" }],
      soa: null,
      hosts: [
        { ip: "192.0.2.1", role: "a", name: "example.com" },
        { ip: "192.0.2.2", role: "a", name: "example.com" },
        { ip: "2001:db8::1", role: "a", name: "example.com" },
        { ip: "192.0.2.10", role: "mx", name: "mx1.example.com" },
        { ip: "2001:db8::10", role: "mx", name: "mx2.example.com" },
        { ip: "192.0.2.53", role: "ns", name: "ns.example.net" },
      ],
      spf: { valid: true, all: "fail", lookups: 1 },
      dmarc: { policy: "reject" },
      nullMx: false,
      wildcard: false,
      dnssec: { status: "zone_signed_no_ds" },
      cnameChain: [],
      danglingCname: false,
    });
    expect(found.errors).toEqual(new Map());
  });

  test("names what failed, and calls nothing absent that was not answered", async () => {
    const { found } = await gather({
      "A example.com": ["192.0.2.1"],
      "MX example.com": SERVFAIL,
      "TXT example.com": { rcode: 5 },
      "TXT _dmarc.example.com": SERVFAIL,
    });
    expect(found).toMatchObject({
      status: "ok",
      mx: [],
      nullMx: null,
      spf: { present: null, lookups: null },
      dmarc: { present: null },
      danglingCname: false,
    });
    expect([...found.errors]).toEqual([
      ["MX", "servfail"],
      ["TXT", "refused"],
    ]);
  });

  test("does not know where a chain ends when neither family was answered", async () => {
    const { found } = await gather({ "A example.com": SERVFAIL, "AAAA example.com": SERVFAIL });
    expect(found).toMatchObject({ danglingCname: null, cnameChain: [] });
  });

  test("brings the addresses of thirteen mail servers, and knows that these are all", async () => {
    const { found } = await gather(worldOfMailServers(13));
    expect(found.hosts.filter(({ role }) => role === "mx")).toHaveLength(13);
    expect(found).toMatchObject({ unaskedHostNames: 0, areHostsKnown: true });
  });

  test("asks for the addresses of no more than fifty, and counts the others", async () => {
    const { found } = await gather(worldOfMailServers(53));
    expect(found.mx).toHaveLength(53);
    expect(found.hosts.filter(({ role }) => role === "mx")).toHaveLength(50);
    expect(found).toMatchObject({ unaskedHostNames: 3, areHostsKnown: false });
  });

  test("knows that a mail server's addresses were not answered", async () => {
    const { found } = await gather({ ...worldOfMailServers(2), "AAAA mx11.example.com": SERVFAIL });
    expect(found.hosts).toHaveLength(2);
    expect(found).toMatchObject({ unaskedHostNames: 0, areHostsKnown: false });
  });

  test("sees a null MX and asks nothing of it", async () => {
    const { found } = await gather({ "MX example.com": [{ preference: 0, exchange: "." }] });
    expect(found).toMatchObject({ nullMx: true, hosts: [], mx: [{ value: "0 ." }] });
  });

  test("sees a wildcard by a newly made random name", async () => {
    const { found, server } = await gather(({ type }) =>
      type === "A" ? { answers: [{ type, data: "192.0.2.1" }] } : {},
    );
    expect(found.wildcard).toBe(true);
    expect(server.questions.some(({ name }) => /^[0-9a-f]{20}\.example\.com$/i.test(name))).toBe(true);
  });

  test("sees a CNAME that leads nowhere", async () => {
    const { found } = await gather(
      Object.fromEntries(
        ["A", "AAAA", "MX", "NS", "TXT", "CAA", "SOA"].map((type) => [
          `${type} shop.example.com`,
          { rcode: 3, answers: [{ type: "CNAME", data: "gone.example.net" }] },
        ]),
      ),
      { name: "shop.example.com", registeredDomain: "example.com" },
    );
    expect(found).toMatchObject({
      status: "ok",
      danglingCname: true,
      cnameChain: ["gone.example.net"],
      a: [],
    });
  });

  test.each(["A", "AAAA", "MX", "NS", "TXT", "CAA", "SOA"])(
    "knows a name that has %s records, whatever its server says of the other types",
    async (type) => {
      const data = {
        A: "192.0.2.1",
        AAAA: "2001:db8::1",
        MX: { preference: 10, exchange: "mx.example.net" },
        NS: "ns.example.net",
        TXT: ["text"],
        CAA: { flags: 0, tag: "issue", value: "ca.example" },
        SOA: { mname: "ns.example.net", rname: "host.example.net", serial: 1 },
      }[type];
      const { found } = await gather((question) =>
        question.type === type && question.name.toLowerCase() === "example.com"
          ? { answers: [{ type, data }] }
          : { rcode: 3 },
      );
      expect(found).toMatchObject({ status: "ok", danglingCname: false });
    },
  );

  test.each(["A", "AAAA"])("does not call an alias dangling whose target has %s records", async (type) => {
    const alias = { type: "CNAME", data: "lb.example.net" };
    const address = { type, name: "lb.example.net", data: type === "A" ? "192.0.2.1" : "2001:db8::1" };
    const { found } = await gather((question) =>
      question.type === type ? { answers: [alias, address] } : { rcode: 3, answers: [alias] },
    );
    expect(found).toMatchObject({ status: "ok", danglingCname: false, cnameChain: ["lb.example.net"] });
  });

  test.each<[string, TestReply]>([
    ["nxdomain", { rcode: 3 }],
    ["servfail", SERVFAIL],
    ["error", { rcode: 5 }],
    ["error", { rcode: 4 }],
  ])("has status %s when every reply is %j", async (status, reply) => {
    const { found } = await gather(() => reply);
    expect(found.status).toBe(status);
    expect(found.wildcard).toBe(status === "nxdomain" ? false : null);
  });

  test("has status timeout when no server answers", async () => {
    const { found } = await gather(() => "silence", DOMAIN, 60);
    expect(found).toMatchObject({ status: "timeout", nullMx: null, dnssec: { status: null } });
    expect(found.errors.size).toBe(7);
  });
});
