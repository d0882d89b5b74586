import { describe, expect, test } from "vitest";
import { until } from "../../../test/servers/dns-client.ts";
import { encodeReply, type TestScript } from "../../../test/servers/dns-server.ts";
import { listedAs, NOT_LISTED, openZones, said, TIMEOUT_MS, wellKept } from "../../../test/zones.ts";
import { ipTarget } from "../test-world.ts";

const target = ipTarget("192.0.2.7");
const SOA = {
  type: "SOA",
  data: { mname: "ns.example", rname: "x.example", serial: 1, minimum: 120 },
  ttl: 120,
};
const cname = (name: string, data: string) => ({ type: "CNAME", name, data });
const NAME = "7.2.0.192.bl.example";

/** The outcome table of design 3.5: what the server does, the zone's options, what the engine says. */
describe("the outcome of", () => {
  test.each<[string, ReturnType<TestScript>, Record<string, unknown>, string]>([
    ["an answer in 127/8", listedAs("127.0.0.2"), {}, "listed 127.0.0.2"],
    ["several answers", listedAs("127.0.0.10", "127.0.0.4", "127.0.0.4"), {}, "listed 127.0.0.4 127.0.0.10"],
    ["NXDOMAIN", NOT_LISTED, {}, "not listed"],
    ["NXDOMAIN with an SOA", { rcode: 3, authorities: [{ ...SOA, name: "bl.example" }] }, {}, "not listed"],
    ["NOERROR without records", {}, {}, "not listed"],
    ["NOERROR with other records", { answers: [{ type: "TXT", data: "x" }] }, {}, "not listed"],
    ["127.0.0.1", listedAs("127.0.0.1"), {}, "refused: The zone refuses this resolver: 127.0.0.1"],
    [
      "127.255.255.254",
      listedAs("127.255.255.254"),
      {},
      "refused: The zone refuses this resolver: 127.255.255.254",
    ],
    [
      "a refusal among listings",
      listedAs("127.0.0.2", "127.255.255.255"),
      {},
      "refused: The zone refuses this resolver: 127.255.255.255",
    ],
    ["rcode REFUSED", { rcode: 5 }, {}, "refused: The resolver answered REFUSED"],
    [
      "an answer outside 127/8",
      listedAs("198.51.100.9"),
      {},
      "error: 198.51.100.9 is not an answer of this blacklist",
    ],
    [
      "an answer outside 127/8 beside a listing",
      listedAs("127.0.0.2", "198.51.100.9"),
      {},
      "error: 198.51.100.9 is not an answer of this blacklist",
    ],
    ["SERVFAIL", { rcode: 2 }, {}, "error: The resolver answered SERVFAIL"],
    ["FORMERR", { rcode: 1 }, {}, "error: The resolver answered FORMERR"],
    ["NOTIMP", { rcode: 4 }, {}, "error: The resolver answered NOTIMP"],
    [
      "an answer inside `listed`",
      listedAs("127.0.0.5"),
      { listed: ["127.0.0.2-127.0.0.11"] },
      "listed 127.0.0.5",
    ],
    [
      "an answer in 127/8 outside `listed`",
      listedAs("127.0.0.12"),
      { listed: ["127.0.0.2-127.0.0.11"] },
      "error: 127.0.0.12 is not an answer of this blacklist",
    ],
    [
      "an unknown answer beside a listing",
      listedAs("127.0.0.12", "127.0.0.2"),
      { listed: ["127.0.0.2-127.0.0.11"] },
      "listed 127.0.0.2",
    ],
    ["a network of `listed`", listedAs("127.0.2.200"), { listed: ["127.0.2.0/24"] }, "listed 127.0.2.200"],
    [
      "an explicit listing that is refused by default",
      listedAs("127.0.0.1"),
      { listed: ["127.0.0.1-127.0.0.5"], self_test: "off" },
      "listed 127.0.0.1",
    ],
    [
      "an answer inside `refused`",
      listedAs("127.0.0.255"),
      { refused: ["127.0.0.255"] },
      "refused: The zone refuses this resolver: 127.0.0.255",
    ],
    [
      "an answer inside both `refused` and `listed`",
      listedAs("127.0.0.3"),
      { refused: ["127.0.0.3"], listed: ["127.0.0.2-127.0.0.4"] },
      "refused: The zone refuses this resolver: 127.0.0.3",
    ],
    [
      "127.0.0.1 where `refused` leaves it out",
      listedAs("127.0.0.1"),
      { refused: ["127.255.255.0/24"] },
      "error: 127.0.0.1 is not an answer of this blacklist",
    ],
    [
      "a neutral answer",
      listedAs("127.0.0.1"),
      { listed: ["127.0.0.2"], neutral: ["127.0.0.1"] },
      "not listed",
    ],
    ["a sum with a listed bit", listedAs("127.0.0.12"), { listed_bits: [8, 64] }, "listed 127.0.0.12"],
    ["a sum of other bits", listedAs("127.0.0.6"), { listed_bits: [8, 64] }, "not listed"],
    [
      "bit 1 of a sum",
      listedAs("127.0.0.1"),
      { listed_bits: [8, 64] },
      "refused: The zone refuses this resolver: 127.0.0.1",
    ],
    [
      "an alias that leads to a listing",
      { answers: [cname(NAME, "x.example"), { type: "A", name: "x.example", data: "127.0.0.2" }] },
      {},
      "listed 127.0.0.2",
    ],
    [
      "aliases that point at themselves",
      { answers: [cname(NAME, "x.example"), cname("x.example", NAME)] },
      {},
      "error: The aliases of the answer have no end",
    ],
    [
      "an alias without an end",
      { answers: [cname(NAME, "x.example")] },
      {},
      "error: The resolver answered with a referral: it does not look up names for us",
    ],
    [
      "an answer about another name",
      { answers: [{ type: "A", name: "other.example", data: "127.0.0.2" }] },
      {},
      "error: The answer is about another name",
    ],
    [
      "NXDOMAIN with an address",
      { rcode: 3, answers: [{ type: "A", data: "127.0.0.2" }] },
      {},
      "error: The resolver answered NXDOMAIN with an address",
    ],
    [
      "a referral",
      { authorities: [{ type: "NS", name: "example", data: "ns.example" }] },
      {},
      "error: The resolver answered with a referral: it does not look up names for us",
    ],
    [
      "500 records",
      listedAs(...Array.from({ length: 500 }, (_, i) => `127.0.${1 + (i >> 8)}.${i & 255}`)),
      {},
      "error: The zone gave 500 answers to one question",
    ],
  ])("%s", async (_, behaviour, options, expected) => {
    const world = await openZones(
      wellKept(() => behaviour),
      [options],
    );
    expect(said(await world.ask(target))).toEqual([expected]);
  });

  test("an answer that is cut over UDP is that over TCP", async () => {
    const { ask, server } = await openZones(
      wellKept(() => ({ truncated: true, ...Object(listedAs("127.0.0.2")) })),
    );
    expect(said(await ask(target))).toEqual(["listed 127.0.0.2"]);
    expect(server.questions.map(({ transport }) => transport)).toContain("tcp");
  });

  test("octets with our id that are no DNS message is an error", async () => {
    const { ask } = await openZones(
      wellKept((question) => {
        const reply = encodeReply(question, Object(listedAs("127.0.0.2")));
        return { raw: reply.subarray(0, reply.length - 2) };
      }),
    );
    expect(said(await ask(target))).toEqual(["error: The resolver's answer is not a valid DNS message"]);
  });

  test("silence for dns.timeout_ms, a second try included, is a time-out", async () => {
    const { ask, clock, asked } = await openZones(wellKept(() => "silence"));
    const answer = ask(target);
    await until(() => asked().length === 1);
    clock.advance(TIMEOUT_MS / 2);
    await until(() => asked().length === 2);
    clock.advance(TIMEOUT_MS / 2);
    expect(said(await answer)).toEqual([`timeout: No answer within ${TIMEOUT_MS} ms`]);
  });

  test("an answer to another question or with another id is none", async () => {
    const { ask } = await openZones(
      wellKept(() => [
        { idOffset: 1, ...Object(listedAs("127.0.0.2")) },
        { question: "other.example", ...Object(listedAs("127.0.0.2")) },
        { rcode: 3 },
      ]),
    );
    expect(said(await ask(target))).toEqual(["not listed"]);
  });
});
