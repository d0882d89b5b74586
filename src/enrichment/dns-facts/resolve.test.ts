import { describe, expect, test } from "vitest";
import { addressRecord, client, createStoppedClock, serve, until } from "../../../test/servers/dns-client.ts";
import {
  encodeReply,
  type TestRecord,
  type TestReply,
  type TestScript,
} from "../../../test/servers/dns-server.ts";
import { systemClock } from "../../base/clock.ts";
import type { RecordType } from "../../net/dns/dns-types.ts";
import { createDnsRecords, type DnsRecords } from "./resolve.ts";

const SOA: TestRecord = {
  name: "Example.com",
  type: "SOA",
  data: { mname: "ns.example", rname: "a.example", serial: 1, refresh: 2, retry: 3, expire: 4, minimum: 5 },
};
const cname = (name: string, data: string): TestRecord => ({ type: "CNAME", name, data });
const [NAME, TARGET] = ["www.example.com", "host.example.net"];

async function recordsFrom(script: TestScript, settings: { timeoutMs?: number } = {}): Promise<DnsRecords> {
  const timeoutMs = settings.timeoutMs ?? 30_000;
  const dns = client([await serve(script)], { timeoutMs });
  return createDnsRecords({ dns, clock: systemClock, timeoutMs });
}

const time = (withinMs = 60_000) => ({
  signal: new AbortController().signal,
  deadlineMs: systemClock.monotonicMs() + withinMs,
});

async function resolveFrom(script: TestScript, type: RecordType = "A") {
  return (await recordsFrom(script)).resolve(NAME, type, time());
}

describe("DnsRecords.resolve() judges", () => {
  test.each<[string, TestReply, RecordType, object]>([
    [
      "records as ok",
      { answers: [addressRecord("192.0.2.2"), addressRecord("192.0.2.1")], authenticatedData: true },
      "A",
      { outcome: "ok", rcode: "NOERROR", authority: null, message: null, authenticatedData: true },
    ],
    [
      "NOERROR without records as nodata, with the zone",
      { authorities: [SOA] },
      "A",
      {
        outcome: "nodata",
        rcode: "NOERROR",
        authority: "example.com",
        records: [],
        authenticatedData: false,
      },
    ],
    ["NOERROR without anything as nodata", {}, "A", { outcome: "nodata", authority: null }],
    [
      "NXDOMAIN as nxdomain, with the zone",
      { rcode: 3, authorities: [SOA], authenticatedData: true },
      "A",
      { outcome: "nxdomain", rcode: "NXDOMAIN", authority: "example.com", authenticatedData: true },
    ],
    ["SERVFAIL as servfail", { rcode: 2 }, "A", { outcome: "servfail", rcode: "SERVFAIL" }],
    [
      "SERVFAIL without a question as servfail",
      { rcode: 2, questionless: true },
      "A",
      { outcome: "servfail" },
    ],
    ["REFUSED as refused", { rcode: 5 }, "A", { outcome: "refused", rcode: "REFUSED" }],
    ["FORMERR as error", { rcode: 1 }, "A", { outcome: "error", rcode: "FORMERR" }],
    ["NOTIMP as error", { rcode: 4 }, "A", { outcome: "error", rcode: "NOTIMP" }],
    [
      "a referral as error: no server said that there is nothing",
      { authorities: [{ type: "NS", name: "com", data: "ns.example" }] },
      "A",
      { outcome: "error", rcode: "NOERROR", message: expect.stringContaining("referral") },
    ],
    [
      "records of another name as nodata",
      { answers: [addressRecord("6.6.6.6", "evil.example")], authorities: [SOA] },
      "A",
      { outcome: "nodata", records: [] },
    ],
    [
      "records of another type as nodata",
      { answers: [{ type: "TXT", data: "x" }], authorities: [SOA] },
      "A",
      { outcome: "nodata", records: [] },
    ],
    [
      "a CNAME behind the name as ok with the chain",
      { answers: [addressRecord("192.0.2.1", TARGET), cname(NAME, TARGET)] },
      "A",
      { outcome: "ok", chain: [TARGET], records: [expect.objectContaining({ name: TARGET })] },
    ],
    [
      "a CNAME whose target has no record of the type as nodata",
      { answers: [cname(NAME, TARGET)], authorities: [SOA] },
      "MX",
      { outcome: "nodata", chain: [TARGET], authority: "example.com" },
    ],
    [
      "a CNAME into the void as nxdomain with the chain",
      { rcode: 3, answers: [cname(NAME, TARGET)], authorities: [SOA] },
      "A",
      { outcome: "nxdomain", chain: [TARGET] },
    ],
    [
      "a CNAME that was asked for as the record it is",
      { answers: [cname(NAME, TARGET)] },
      "CNAME",
      { outcome: "ok", chain: [], records: [expect.objectContaining({ target: TARGET })] },
    ],
    [
      "CNAME records in a circle as error",
      { answers: [cname(NAME, TARGET), cname(TARGET, NAME)] },
      "A",
      { outcome: "error", rcode: "NOERROR", message: "The CNAME records lead in a circle" },
    ],
    [
      "a CNAME to itself as error",
      { answers: [cname(NAME, NAME)] },
      "A",
      { outcome: "error", message: "The CNAME records lead in a circle" },
    ],
    [
      "17 CNAME records in a row as error",
      { answers: [cname(NAME, "n1.x"), ...range(16).map((i) => cname(`n${i + 1}.x`, `n${i + 2}.x`))] },
      "A",
      { outcome: "error", message: "More than 16 CNAME records in a row" },
    ],
  ])("%s", async (_, reply, type, expected) => {
    expect(await resolveFrom(() => reply, type)).toMatchObject(expected);
  });

  test.each<[string, TestScript, object]>([
    ["an answer that is no DNS", (q) => ({ raw: encodeReply(q, {}).subarray(0, 14) }), { outcome: "error" }],
    [
      "compression that points at itself",
      (q) => ({ raw: withLoop(encodeReply(q, { answers: [addressRecord("192.0.2.1")] })) }),
      { outcome: "error" },
    ],
    [
      "a connection that closes after truncation",
      (q) => (q.transport === "tcp" ? "hang_up" : { truncated: true }),
      { outcome: "error" },
    ],
  ])("%s as error without an rcode", async (_, script, expected) => {
    const found = await resolveFrom(script);
    expect(found).toMatchObject({ ...expected, rcode: null, records: [] });
    expect(found.message).not.toBeNull();
  });

  test("silence as timeout, at twice the time-out of a question at most", async () => {
    const clock = createStoppedClock();
    const server = await serve((q) =>
      q.name.toLowerCase() === NAME ? { answers: [cname(NAME, TARGET)] } : "silence",
    );
    const dns = client([server], { clock, timeoutMs: 1000 });
    const pending = createDnsRecords({ dns, clock, timeoutMs: 1000 }).resolve(NAME, "A", {
      signal: new AbortController().signal,
      deadlineMs: 60_000,
    });
    await until(() => server.questions.length === 2);
    clock.advance(500);
    await until(() => server.questions.length === 3);
    clock.advance(500);
    expect(await pending).toMatchObject({
      outcome: "timeout",
      rcode: null,
      chain: [TARGET],
      elapsedMs: 1000,
      message: "No answer within 1000 ms",
    });
  });

  test("no time left as timeout, without asking", async () => {
    const server = await serve(() => ({}));
    const records = createDnsRecords({ dns: client([server]), clock: systemClock, timeoutMs: 1000 });
    expect(await records.resolve(NAME, "A", time(0))).toMatchObject({ outcome: "timeout" });
    expect(server.questions).toEqual([]);
  });
});

describe("DnsRecords.resolve() follows CNAME records", () => {
  test("by asking for a target that the reply does not hold, up to 16", async () => {
    const script: TestScript = ({ name }) => {
      const at = /^n(\d+)\./i.exec(name)?.[1];
      const next = at === undefined ? 1 : Number(at) + 1;
      return next > 16 ? { answers: [addressRecord("192.0.2.1")] } : { answers: [cname(name, `n${next}.x`)] };
    };
    const found = await resolveFrom(script);
    expect(found).toMatchObject({ outcome: "ok", records: [{ name: "n16.x", value: "192.0.2.1" }] });
    expect(found.chain).toEqual(
      range(17)
        .slice(1)
        .map((i) => `n${i}.x`),
    );
  });

  test("and ends at a circle through several replies", async () => {
    const found = await resolveFrom(({ name }) => ({
      answers: [name.toLowerCase() === NAME ? cname(name, TARGET) : cname(name, NAME)],
    }));
    expect(found).toMatchObject({ outcome: "error", chain: [TARGET] });
  });

  test("and has AD only when every reply had it", async () => {
    const found = await resolveFrom(({ name }) =>
      name.toLowerCase() === NAME
        ? { answers: [cname(name, TARGET)], authenticatedData: true }
        : { answers: [addressRecord("192.0.2.1")] },
    );
    expect(found).toMatchObject({ outcome: "ok", authenticatedData: false });
  });

  test("and takes a target that has nothing for nodata", async () => {
    const found = await resolveFrom(({ name }) =>
      name.toLowerCase() === NAME ? { answers: [cname(name, TARGET)] } : {},
    );
    expect(found).toMatchObject({ outcome: "nodata", chain: [TARGET] });
  });
});

const WIRE: readonly (readonly [RecordType, string, unknown, string])[] = [
  ["A", "A", "192.0.2.1", "192.0.2.1"],
  ["AAAA", "AAAA", "2001:DB8::1", "2001:db8::1"],
  ["CNAME", "CNAME", "Host.Example", "host.example"],
  ["MX", "MX", { preference: 5, exchange: "MX.example" }, "5 mx.example"],
  ["NS", "NS", "NS.example", "ns.example"],
  ["TXT", "TXT", ["a", Buffer.from([255])], "a\\255"],
  ["SOA", "SOA", SOA.data, "ns.example a.example 1 2 3 4 5"],
  ["CAA", "CAA", { flags: 0, tag: "issue", value: "ca.example" }, "0 issue ca.example"],
  ["SRV", "SRV", { priority: 1, weight: 2, port: 3, target: "T.example" }, "1 2 3 t.example"],
  ["PTR", "PTR", "Ptr.example", "ptr.example"],
  ["DS", "DS", { keyTag: 1, algorithm: 8, digestType: 2, digest: Buffer.from("ab", "hex") }, "1 8 2 AB"],
  ["DNSKEY", "DNSKEY", { flags: 256, algorithm: 8, key: Buffer.from("k") }, "256 3 8 aw=="],
  ["TLSA", "TLSA", { usage: 3, selector: 1, matchingType: 0, certificate: Buffer.from("x") }, "3 1 0 78"],
  ["HTTPS", "UNKNOWN_65", Buffer.from("000100", "hex"), "1 ."],
  ["SVCB", "UNKNOWN_64", Buffer.from("000000", "hex"), "0 ."],
  [
    "NAPTR",
    "NAPTR",
    { order: 1, preference: 2, flags: "s", services: "x", regexp: "", replacement: "R.example" },
    "1 2 s x  r.example",
  ],
];

describe("DnsRecords.resolve() over the wire", () => {
  test.each(WIRE)("reads %s", async (type, wireType, data, value) => {
    const found = await resolveFrom(() => ({ answers: [{ type: wireType, data }] }), type);
    expect(found).toMatchObject({ outcome: "ok", type, records: [{ name: NAME, type, ttl: 60, value }] });
  });

  test("takes TCP for an answer too large for a datagram", async () => {
    const found = await resolveFrom(() => ({
      truncated: true,
      answers: range(1000).map((i) => addressRecord(`10.0.${i >> 8}.${i & 255}`)),
    }));
    expect(found.records).toHaveLength(1000);
  });

  test("takes one SOA of several", async () => {
    expect(
      (
        await resolveFrom(
          () => ({
            answers: [
              { ...SOA, name: NAME },
              { ...SOA, name: NAME },
            ],
          }),
          "SOA",
        )
      ).records,
    ).toHaveLength(1);
  });
});

function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}

/** The owner of the only answer, an A record, points at itself. */
function withLoop(message: Buffer): Buffer {
  const copy = Buffer.from(message);
  const at = copy.length - 14 - NAME.length - 2;
  copy.writeUInt16BE(0xc000 | at, at);
  return copy;
}
