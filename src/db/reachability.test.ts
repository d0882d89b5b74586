import { expect, test } from "vitest";
import { type Clock, systemClock } from "../base/clock.ts";
import { createReachability } from "./reachability.ts";

function createTicker(): Clock & { advance: (ms: number) => void } {
  let atMs = 0;
  const never: Clock["sleep"] = (_ms, signal) =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  return { now: systemClock.now, monotonicMs: () => atMs, sleep: never, advance: (ms) => (atMs += ms) };
}

test("createReachability() asks once for many, again after 250 ms, and turns a rejection into false", async () => {
  const clock = createTicker();
  let asked = 0;
  let isAway = false;
  const probe = async () => {
    asked += 1;
    if (isAway) throw new Error("away");
  };
  const isReachable = createReachability({ probe, clock });
  expect(await Promise.all([isReachable(), isReachable(), isReachable()])).toEqual([true, true, true]);
  expect(asked).toBe(1);
  isAway = true;
  clock.advance(249);
  expect(await isReachable()).toBe(true);
  clock.advance(1);
  expect(await isReachable()).toBe(false);
  isAway = false;
  clock.advance(250);
  expect(await isReachable()).toBe(true);
  expect(asked).toBe(3);
});

test("createReachability() says false when the probe never answers", async () => {
  const clock: Clock = { ...createTicker(), sleep: async () => undefined };
  const isReachable = createReachability({ probe: () => new Promise(() => undefined), clock });
  expect(await isReachable()).toBe(false);
});
