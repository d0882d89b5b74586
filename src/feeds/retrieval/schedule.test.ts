import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { systemRandom } from "../../base/clock.ts";
import type { FeedDefinition } from "../feed.ts";
import { type FailureKind, retryAfterSeconds, waitAfterFailure, waitAfterSuccess } from "./schedule.ts";

const feed = (refreshMinutes: number, source?: FeedDefinition["source"]): FeedDefinition => ({
  key: "mine",
  name: "Mine",
  role: "engine",
  builtin: false,
  target: "ip",
  source: source ?? { kind: "web", url: "https://lists.example/x", headers: {} },
  seed: null,
  format: "netset",
  options: {},
  refreshMinutes,
  maxEntries: null,
  allowEmpty: false,
});
const file = (refreshMinutes: number) => feed(refreshMinutes, { kind: "file", path: "/x" });
/** No jitter. */
const even = { bytes: () => new Uint8Array([0, 0, 0, 0x80]) };
const minutes = (ms: number) => ms / 60_000;

describe("the wait after a success", () => {
  test("is the interval, give or take a tenth", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 525_600 }), (refresh) => {
        const wait = minutes(waitAfterSuccess(feed(refresh), systemRandom));
        expect(wait).toBeGreaterThanOrEqual(refresh * 0.9 - 0.01);
        expect(wait).toBeLessThanOrEqual(refresh * 1.1 + 0.01);
      }),
    );
    const waits = Array.from({ length: 50 }, () => waitAfterSuccess(feed(60), systemRandom));
    expect(new Set(waits).size).toBeGreaterThan(10);
  });

  test("is exactly the interval for a file", () =>
    expect(waitAfterSuccess(file(7), systemRandom)).toBe(420_000));
});

describe("the wait after a failure", () => {
  const waits = (definition: FeedDefinition, kind: FailureKind, failures: readonly number[]) =>
    failures.map((count) =>
      minutes(waitAfterFailure(definition, { kind, failures: count, retryAfterS: null }, even)),
    );

  test.each([
    ["an outage of an hourly list", feed(60), "outage", [5, 10, 20, 40, 60, 60]],
    ["an outage of a list of every 2 minutes", feed(2), "outage", [2, 2, 2, 2, 2, 2]],
    ["an outage of a daily list", feed(1440), "outage", [5, 10, 20, 40, 80, 160]],
    ["a refusal of an hourly list", feed(60), "refusal", [60, 120, 240, 480, 960, 1440]],
    ["a refusal of a weekly list", feed(10_080), "refusal", [10_080, 10_080, 10_080, 10_080, 10_080, 10_080]],
    ["a name that cannot be resolved, of a daily list", feed(1440), "offline", [5, 5, 5, 5, 5, 5]],
    ["a name that cannot be resolved, of every 2 minutes", feed(2), "offline", [2, 2, 2, 2, 2, 2]],
    ["a key that a list of every 5 minutes refuses", feed(5), "key", [60, 60, 60, 60, 80, 160]],
    ["a missing file", file(60), "outage", [1, 1, 1, 1, 1, 1]],
    ["a rejected file", file(60), "refusal", [60, 60, 60, 60, 60, 60]],
  ] as const)("of %s", (_what, definition, kind, expected) => {
    expect(waits(definition, kind, [1, 2, 3, 4, 5, 6])).toEqual(expected);
  });

  test.each([
    [30, 5],
    [7200, 120],
    [1e15, 7 * 1440],
    [Number.POSITIVE_INFINITY, 7 * 1440],
  ])("of a Retry-After of %d s is at least that, within a week", (retryAfterS, expected) => {
    expect(minutes(waitAfterFailure(feed(60), { kind: "outage", failures: 1, retryAfterS }, even))).toBe(
      expected,
    );
  });

  test("stays finite after any number of failures", () => {
    expect(waits(feed(60), "refusal", [5000])).toEqual([1440]);
  });
});

describe("retryAfterSeconds()", () => {
  const now = new Date("2026-11-21T09:00:00Z");
  test.each([
    [undefined, null],
    ["120", 120],
    [" 0 ", 0],
    ["Sat, 21 Nov 2026 09:01:00 GMT", 60],
    ["Sat, 21 Nov 2020 09:01:00 GMT", 0],
    ["soon", null],
    ["-5", null],
    ["99999999999999", 99_999_999_999_999],
    ["9".repeat(30), 1e30],
    ["x".repeat(1e6), null],
  ])("reads %o as %o", (header, seconds) => {
    const read = retryAfterSeconds(header, now);
    if (header === "-5")
      expect(read === null || read === 0).toBe(true); // Date.parse takes it for a year
    else expect(read).toBe(seconds);
  });
});
