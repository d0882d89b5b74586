import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { client, createStoppedClock, serve, until } from "../../../test/servers/dns-client.ts";
import type { TestQuestion, TestReply, TestScript } from "../../../test/servers/dns-server.ts";
import type { Clock } from "../../base/clock.ts";
import { systemClock } from "../../base/clock.ts";
import { createDnssecChecks } from "./dnssec.ts";

const ZONE = "example.com";
const KEY = { flags: 257, algorithm: 13, key: Buffer.from("abc") };
const WIRE = Buffer.from("\x07example\x03com\x00\x01\x01\x03\x0dabc", "latin1");
const DS = {
  keyTag: 51312,
  algorithm: 13,
  digestType: 2,
  digest: createHash("sha256").update(WIRE).digest(),
};
const SHOWN = {
  key_tag: 51312,
  algorithm: 13,
  digest_type: 2,
  digest: DS.digest.toString("hex").toUpperCase(),
};
const SOA = { mname: "ns.x", rname: "a.x", serial: 1, refresh: 2, retry: 3, expire: 4, minimum: 5 };
const SERVFAIL: TestReply = { rcode: 2 };

const ad: TestReply = { authenticatedData: true };
const ds: TestReply = { answers: [{ type: "DS", data: DS }] };
const otherDs: TestReply = { answers: [{ type: "DS", data: { ...DS, keyTag: 1 } }] };
const oddDs: TestReply = { answers: [{ type: "DS", data: { ...DS, digestType: 99 } }] };
const key: TestReply = { answers: [{ type: "DNSKEY", data: KEY }] };
const soa: TestReply = { answers: [{ type: "SOA", data: SOA }] };

type Replies = {
  readonly DS: TestReply | "silence";
  readonly DNSKEY: TestReply | "silence";
  readonly SOA: TestReply | "silence";
};

const isUnchecked = ({ flags }: TestQuestion) => (flags & 0x0010) !== 0;

/** Answers by type, otherwise when the question has CD. */
const by =
  (replies: Replies, unchecked: Replies = replies): TestScript =>
  (question) =>
    (isUnchecked(question) ? unchecked : replies)[
      question.type === "DS" ? "DS" : question.type === "SOA" ? "SOA" : "DNSKEY"
    ];

async function checksOf(script: TestScript, clock: Clock = systemClock) {
  const server = await serve(script);
  const checks = createDnssecChecks({ dns: client([server], { clock, timeoutMs: 1000 }), clock });
  const statusOf = (name = ZONE, signal = new AbortController().signal) =>
    checks.statusOf(name, { signal, deadlineMs: clock.monotonicMs() + 60_000 });
  return { server, statusOf };
}

describe("statusOf() says", () => {
  test.each<[string, string, Replies, Replies | undefined, object]>([
    [
      "secure",
      "DS and SOA have AD",
      { DS: { ...ds, ...ad }, DNSKEY: { ...key, ...ad }, SOA: { ...soa, ...ad } },
      undefined,
      { zoneSigned: true, dsRecords: [SHOWN] },
    ],
    [
      "secure",
      "DS and SOA have AD, whatever keys are being rolled",
      { DS: { ...otherDs, ...ad }, DNSKEY: key, SOA: { ...soa, ...ad } },
      undefined,
      { zoneSigned: true },
    ],
    [
      "secure",
      "DS and SOA have AD, and nothing is said of keys",
      { DS: { ...ds, ...ad }, DNSKEY: { rcode: 5 }, SOA: { ...soa, ...ad } },
      undefined,
      { zoneSigned: null, dsRecords: [SHOWN] },
    ],
    [
      "unsigned",
      "there is neither DS nor DNSKEY",
      { DS: {}, DNSKEY: {}, SOA: soa },
      undefined,
      { zoneSigned: false, dsRecords: [] },
    ],
    [
      "unsigned",
      "the name is not delegated",
      { DS: { rcode: 3 }, DNSKEY: { rcode: 3 }, SOA: { rcode: 3 } },
      undefined,
      { zoneSigned: false },
    ],
    [
      "zone_signed_no_ds",
      "there are keys and no DS",
      { DS: {}, DNSKEY: key, SOA: soa },
      undefined,
      { zoneSigned: true, dsRecords: [] },
    ],
    [
      "broken",
      "there is a DS and no key",
      { DS: ds, DNSKEY: {}, SOA: soa },
      undefined,
      { zoneSigned: false, dsRecords: [SHOWN] },
    ],
    [
      "broken",
      "no key is the one that the DS names",
      { DS: otherDs, DNSKEY: key, SOA: soa },
      undefined,
      { zoneSigned: true },
    ],
    [
      "broken",
      "SERVFAIL becomes NOERROR with CD",
      { DS: { ...ds, ...ad }, DNSKEY: SERVFAIL, SOA: SERVFAIL },
      { DS: ds, DNSKEY: key, SOA: soa },
      { zoneSigned: true, dsRecords: [SHOWN] },
    ],
    [
      "broken",
      "the DS itself does not validate",
      { DS: SERVFAIL, DNSKEY: SERVFAIL, SOA: SERVFAIL },
      { DS: ds, DNSKEY: key, SOA: soa },
      { zoneSigned: true, dsRecords: [SHOWN] },
    ],
  ])("%s when %s", async (status, _why, replies, unchecked, expected) => {
    const { statusOf } = await checksOf(by(replies, unchecked));
    expect(await statusOf()).toMatchObject({
      status,
      checkedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      ...expected,
    });
  });

  test.each<[string, Replies]>([
    ["the resolver does not validate", { DS: ds, DNSKEY: key, SOA: soa }],
    ["the SOA alone lacks AD", { DS: { ...ds, ...ad }, DNSKEY: { ...key, ...ad }, SOA: soa }],
    ["the DS alone lacks AD", { DS: ds, DNSKEY: { ...key, ...ad }, SOA: { ...soa, ...ad } }],
    ["the DS has an unknown digest", { DS: oddDs, DNSKEY: key, SOA: soa }],
  ])("null, with the facts, when %s", async (_, replies) => {
    const { statusOf } = await checksOf(by(replies));
    const check = await statusOf();
    expect(check).toMatchObject({ status: null, zoneSigned: true, checkedAt: expect.any(String) });
    expect(check.dsRecords).toHaveLength(1);
  });

  test.each<[string, Replies, Replies?]>([
    ["the resolver refuses", { DS: { rcode: 5 }, DNSKEY: { rcode: 5 }, SOA: { rcode: 5 } }],
    ["SERVFAIL stays with CD", { DS: SERVFAIL, DNSKEY: SERVFAIL, SOA: SERVFAIL }],
  ])("nothing at all when %s, and asks again 5 seconds later", async (_, replies, unchecked) => {
    const clock = createStoppedClock();
    const { statusOf, server } = await checksOf(by(replies, unchecked), clock);
    const nothing = { status: null, zoneSigned: null, dsRecords: null, checkedAt: null, cached: false };
    expect(await statusOf()).toEqual(nothing);
    const asked = server.questions.length;
    clock.advance(5000);
    await statusOf();
    expect(server.questions.length).toBe(2 * asked);
  });

  test.each<[string, Replies, object]>([
    [
      "only the DS was answered",
      { DS: {}, DNSKEY: { rcode: 5 }, SOA: soa },
      { zoneSigned: null, dsRecords: [] },
    ],
    [
      "the SOA was not answered",
      { DS: { ...ds, ...ad }, DNSKEY: { ...key, ...ad }, SOA: { rcode: 5 } },
      { zoneSigned: true, dsRecords: [SHOWN] },
    ],
  ])("what was answered when %s, and asks again the next time", async (_, replies, answered) => {
    const { statusOf, server } = await checksOf(by(replies));
    expect(await statusOf()).toMatchObject({
      status: null,
      ...answered,
      checkedAt: expect.any(String),
      cached: false,
    });
    const asked = server.questions.length;
    await statusOf();
    expect(server.questions.length).toBe(2 * asked);
  });

  test("nothing when a SERVFAIL was gone at the second try: that were the name servers", async () => {
    const seen = new Set<string>();
    const { statusOf } = await checksOf((question) => {
      if (isUnchecked(question)) return question.type === "DS" ? ds : key;
      if (seen.has(question.type)) return {};
      seen.add(question.type);
      return SERVFAIL;
    });
    expect((await statusOf()).status).toBeNull();
  });

  test("nothing when no server answers in time", async () => {
    const clock = createStoppedClock();
    const { statusOf, server } = await checksOf(() => "silence", clock);
    const pending = statusOf();
    await until(() => server.questions.length === 3);
    clock.advance(500);
    await until(() => server.questions.length === 6);
    clock.advance(500);
    expect(await pending).toMatchObject({ status: null, checkedAt: null });
  });

  test("nothing to a caller who left", async () => {
    const { statusOf, server } = await checksOf(() => "silence");
    expect(await statusOf(ZONE, AbortSignal.abort())).toMatchObject({ status: null });
    expect(server.questions).toEqual([]);
  });
});

test("statusOf() asks once an hour, and calls at the same time ask once", async () => {
  const clock = createStoppedClock();
  const { statusOf, server } = await checksOf(by({ DS: {}, DNSKEY: {}, SOA: soa }), clock);
  const [first, second] = await Promise.all([statusOf(), statusOf()]);
  expect(second).toEqual(first);
  clock.advance(3_599_000);
  expect(first.cached).toBe(false);
  expect(await statusOf()).toEqual({ ...first, cached: true });
  expect(server.questions).toHaveLength(3);
  clock.advance(1_000);
  expect((await statusOf()).checkedAt).not.toBe(first.checkedAt);
  expect(server.questions).toHaveLength(6);
});
