import { describe, expect, test } from "vitest";
import { until } from "../../../test/servers/dns-client.ts";
import type { TestScript } from "../../../test/servers/dns-server.ts";
import {
  listedAs,
  NOT_LISTED,
  openZones,
  said,
  TIMEOUT_MS,
  wellKept,
  type ZonesWorld,
} from "../../../test/zones.ts";
import { MINUTE_MS } from "../../base/durations.ts";
import { ipTarget } from "../test-world.ts";

const target = ipTarget("192.0.2.7");

/** Asks a zone that is silent, and lets its time pass. */
async function timeOut(world: ZonesWorld, address: string, silent: () => number) {
  const before = silent();
  const answer = world.ask(ipTarget(address));
  await until(() => silent() > before);
  world.clock.advance(TIMEOUT_MS / 2);
  await until(() => silent() > before + 1);
  world.clock.advance(TIMEOUT_MS / 2);
  return answer;
}

describe("a zone that gives no answer", () => {
  test("rests for a minute after five time-outs in a row, shown as timeout since the first", async () => {
    const world = await openZones(wellKept(() => NOT_LISTED));
    await world.ask(target);
    world.server.use(wellKept(() => "silence"));
    const silent = () => world.asked().length;
    for (let i = 1; i <= 5; i++) {
      expect(said(await timeOut(world, `192.0.2.${10 + i}`, silent))).toEqual([
        `timeout: No answer within ${TIMEOUT_MS} ms`,
      ]);
    }
    const before = silent();
    const resting = await world.ask(ipTarget("192.0.2.30"));
    expect(resting.absences[0]).toMatchObject({ status: "timeout", since: "2027-01-15T08:00:02Z" });
    expect(resting.absences[0]?.detail).toContain("rests");
    expect(silent()).toBe(before);
    world.server.use(wellKept(() => NOT_LISTED));
    world.clock.advance(MINUTE_MS);
    expect(said(await world.ask(ipTarget("192.0.2.30")))).toEqual(["not listed"]);
  });

  test("does not rest when an answer came between the time-outs", async () => {
    const world = await openZones(wellKept(() => NOT_LISTED));
    await world.ask(target);
    const silent = () => world.asked().length;
    for (let i = 0; i < 8; i++) {
      world.server.use(wellKept(() => "silence"));
      await timeOut(world, `192.0.2.${10 + i}`, silent);
      if (i !== 3) continue;
      world.server.use(wellKept(() => NOT_LISTED));
      await world.ask(ipTarget("192.0.2.100"));
    }
    const before = silent();
    const answer = timeOut(world, "192.0.2.99", silent);
    await until(() => silent() > before);
    await answer;
  });

  test("delays no other: at the call's limit it has timed out, and what came counts", async () => {
    const world = await openZones(
      wellKept(({ name }) =>
        name.toLowerCase().endsWith("hang.example") ? "silence" : listedAs("127.0.0.2"),
      ),
      [{}, { zone: "hang.example" }],
    );
    const answer = world.ask(target, 500);
    await until(() => world.asked().length >= 3);
    world.clock.advance(500);
    expect(said(await answer)).toEqual([
      "listed 127.0.0.2",
      "timeout: No answer before the end of the call's time",
    ]);
  });

  test("is left when the caller leaves", async () => {
    const world = await openZones(wellKept(() => "silence"));
    const leave = new AbortController();
    const answer = world.ask(target, 60_000, leave.signal);
    await until(() => world.asked().length > 0);
    leave.abort();
    expect((await answer).absences[0]?.status).toBe("timeout");
  });

  test("keeps a hit whose words are late", async () => {
    const world = await openZones(wellKept(({ type }) => (type === "A" ? listedAs("127.0.0.2") : "silence")));
    const answer = world.ask(target, 500);
    await until(() => world.asked().length === 2);
    world.clock.advance(500);
    expect((await answer).verdicts).toMatchObject([{ detected: true, codes: ["127.0.0.2"], reason: null }]);
  });
});

describe("the cache", () => {
  const listed = (ttl: number): TestScript =>
    wellKept(({ type }) =>
      type === "A"
        ? { answers: [{ type: "A", data: "127.0.0.2", ttl }] }
        : { answers: [{ type: "TXT", data: "why" }] },
    );
  const empty = (ttl: number): TestScript =>
    wellKept(() => ({
      rcode: 3,
      authorities: [
        { type: "SOA", name: "bl.example", ttl, data: { mname: "a", rname: "b", serial: 1, minimum: 900 } },
      ],
    }));

  test.each<[string, TestScript, number]>([
    ["a listing for its TTL", listed(600), 600],
    ["a listing for a minute at least", listed(1), 60],
    ["a listing for an hour at most", listed(90_000), 3600],
    ["an absence for the SOA's TTL", empty(120), 120],
    ["an absence for five minutes at most", empty(3600), 300],
  ])("keeps %s, with its age", async (_, script, seconds) => {
    const world = await openZones(script, [{ self_test: "off" }]);
    const first = await world.ask(target);
    expect([first.cached, first.verdicts[0]?.dataAgeS]).toEqual([false, 0]);
    const asked = world.asked().length;
    world.clock.advance(seconds * 1000 - 1);
    const kept = await world.ask(target);
    expect([kept.cached, kept.verdicts[0]?.dataAgeS]).toEqual([true, seconds - 1]);
    expect({ ...kept.verdicts[0], dataAgeS: 0, elapsedMs: 0 }).toEqual({
      ...first.verdicts[0],
      elapsedMs: 0,
    });
    expect(world.asked().length).toBe(asked);
    world.clock.advance(1);
    expect((await world.ask(target)).cached).toBe(false);
  });

  test.each<[string, number, TestScript]>([
    ["a refusal", 0, () => ({ rcode: 5 })],
    ["an error beyond the 5 seconds of RFC 9520", 5000, () => ({ rcode: 2 })],
  ])("never keeps %s", async (_, laterMs, script) => {
    const world = await openZones(wellKept(script));
    const answers = await world.ask(target);
    expect(answers.verdicts).toEqual([]);
    world.clock.advance(laterMs);
    world.server.use(wellKept(() => listedAs("127.0.0.2")));
    expect(said(await world.ask(target))).toEqual(["listed 127.0.0.2"]);
  });

  test("equal lookups under way share one question", async () => {
    const world = await openZones(wellKept(() => ({ rcode: 3, delayMs: 20 })));
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.ask(target)));
    expect(new Set(answers.flatMap(said))).toEqual(new Set(["not listed"]));
    expect(world.asked()).toHaveLength(1);
  });
});

test("a time-out that is repeated within 5 seconds does not bring a zone nearer to its rest", async () => {
  const world = await openZones(wellKept(() => "silence"));
  const silent = () => world.asked().length;
  expect((await timeOut(world, "192.0.2.7", silent)).absences[0]?.status).toBe("timeout");
  for (let i = 0; i < 6; i++) {
    expect((await world.ask(target)).absences[0]?.detail).not.toContain("rests");
  }
  expect(world.asked()).toHaveLength(2);
});
