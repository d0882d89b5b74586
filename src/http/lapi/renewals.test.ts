import fc from "fast-check";
import { expect, test } from "vitest";
import { DAY_S, HOUR_MS, MINUTE_MS } from "../../base/durations.ts";
import { LEAST_DURATION_S } from "../../exports/decisions/decision.ts";
import { SLOTS } from "../../exports/decisions/outputs.ts";
import { createCursors } from "./cursors.ts";
import { dueSlots } from "./send-stream.ts";

const DURATIONS_S = [LEAST_DURATION_S, 2 * DAY_S, 14 * DAY_S];

/** What happens once, while a firewall's bouncer asks. */
type Happening = {
  readonly atMs: number;
  /** By so much the wall clock is set. */
  readonly clockByMs: number;
  /** For so long neither asks the other. */
  readonly awayMs: number;
  readonly isServiceNew: boolean;
  /** Its set in the kernel stays, as it does through its restart. */
  readonly isBouncerNew: boolean;
  /** For so long decisions hold from then on. */
  readonly durationS: number;
};

const NOTHING = { clockByMs: 0, awayMs: 0, isServiceNew: false, isBouncerNew: false };

/** What ends while they ask each other, and sooner than all can be renewed after they could not. */
const CAUGHT_UP_MS = 7 * MINUTE_MS;

/**
 * The kernel's set of CrowdSec's firewall bouncer, by the turns of its elements: an element that is there keeps its time, unless it
 * is deleted and added in one answer. Returns how many turns were ever missing from it while the service answered.
 */
function missingTurns(startS: number, pollMs: number, happening: Happening): number {
  let [nowMs, wallMs, durationS] = [1_000_000, 1_760_000_000_000, startS];
  const clock = { now: () => new Date(wallMs), monotonicMs: () => nowMs };
  let cursors = createCursors(clock);
  const endMs: number[] = [];
  const missing = new Set<number>();
  let [isStartup, happened, trustedMs] = [true, false, 0];
  const lastMs = happening.atMs + happening.awayMs + 40 * HOUR_MS;
  for (; nowMs < lastMs; nowMs += pollMs, wallMs += pollMs) {
    if (!happened && nowMs >= happening.atMs) {
      happened = true;
      ({ durationS, isBouncerNew: isStartup } = happening);
      nowMs += happening.awayMs;
      wallMs += happening.awayMs + happening.clockByMs;
      trustedMs = happening.awayMs === 0 ? 0 : nowMs + CAUGHT_UP_MS;
      if (happening.isServiceNew) cursors = createCursors(clock);
    }
    const poll = { client: "a", isStartup, hasChangesSince: () => true, oldest: 1 };
    const plan = cursors.plan({ ...poll, durationS, keepsTimes: true });
    const due = plan.from === null ? new Set<number>() : dueSlots(plan, plan.heldS);
    for (let slot = 0; slot < SLOTS; slot++) {
      const isThere = (endMs[slot] ?? 0) >= nowMs;
      if (!isThere && endMs[slot] !== undefined && nowMs >= trustedMs) missing.add(slot);
      if (due.has(slot) || (plan.from === null && !isThere)) endMs[slot] = nowMs + durationS * 1000;
    }
    cursors.delivered("a", { plan, generation: 1, isStartup });
    isStartup = false;
  }
  return missing.size;
}

const happenings = fc.record({
  atMs: fc.integer({ min: 1_000_000, max: 30 * HOUR_MS }),
  clockByMs: fc.oneof(fc.constant(0), fc.integer({ min: -40 * 24 * HOUR_MS, max: 40 * 24 * HOUR_MS })),
  awayMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 * HOUR_MS })),
  isServiceNew: fc.boolean(),
  isBouncerNew: fc.boolean(),
  durationS: fc.constantFrom(...DURATIONS_S),
});

test("an element of the kernel's set never ends while the service answers: clocks set, restarts, outages, other durations", () => {
  const polls = fc.constantFrom(10_000, 30_000);
  fc.assert(
    fc.property(fc.constantFrom(...DURATIONS_S), polls, happenings, (startS, pollMs, happening) => {
      expect(missingTurns(startS, pollMs, happening)).toBe(0);
    }),
    { numRuns: 60 },
  );
});

test.each([
  ["the clock is set back by a day", { clockByMs: -24 * HOUR_MS }],
  ["a daily list joins hourly ones", { durationS: 2 * DAY_S }],
  ["a restart with a weekly list more", { durationS: 14 * DAY_S, isServiceNew: true }],
  ["the service is away for two and a half hours", { awayMs: 150 * MINUTE_MS, isServiceNew: true }],
  ["the bouncer is away for two and a half hours", { awayMs: 150 * MINUTE_MS, isBouncerNew: true }],
  ["the network between them is down for three hours", { awayMs: 3 * HOUR_MS }],
])("%s", (_name, more) => {
  const happening = { ...NOTHING, atMs: 20 * HOUR_MS, durationS: LEAST_DURATION_S, ...more };
  for (const pollMs of [10_000, 30_000]) expect(missingTurns(LEAST_DURATION_S, pollMs, happening)).toBe(0);
});
