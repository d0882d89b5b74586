import fc from "fast-check";
import { expect, test } from "vitest";
import { LEAST_DURATION_S } from "../../exports/decisions/decision.ts";
import { SLOTS } from "../../exports/decisions/outputs.ts";
import { createCursors } from "./cursors.ts";
import { dueSlots } from "./send-stream.ts";

const HOUR_MS = 3_600_000;
const DAY_S = 86_400;
const POLL_MS = 10_000;
const DURATIONS_S = [LEAST_DURATION_S, 2 * DAY_S, 14 * DAY_S];

/** What happens to the service once, while a firewall's bouncer asks. */
type Happening = {
  readonly atMs: number;
  /** By so much the wall clock is set. */
  readonly clockByMs: number;
  readonly isRestart: boolean;
  /** For so long decisions hold from then on. */
  readonly durationS: number;
};

/**
 * The kernel's set of CrowdSec's firewall bouncer, by the turns of its elements: an element that is there keeps its time, unless it
 * is deleted and added in one answer. Returns how many turns were ever missing from it.
 */
function missingTurns(startS: number, happening: Happening, lastMs: number): number {
  let [nowMs, wallMs, durationS] = [1_000_000, 1_760_000_000_000, startS];
  const clock = { now: () => new Date(wallMs), monotonicMs: () => nowMs };
  let cursors = createCursors(clock);
  const endMs: number[] = [];
  const missing = new Set<number>();
  let happened = false;
  for (let isStartup = true; nowMs < lastMs; nowMs += POLL_MS, wallMs += POLL_MS, isStartup = false) {
    if (!happened && nowMs >= happening.atMs) {
      happened = true;
      wallMs += happening.clockByMs;
      durationS = happening.durationS;
      if (happening.isRestart) cursors = createCursors(clock);
    }
    const plan = cursors.plan({
      ...{ client: "a", isStartup, hasChangesSince: () => true, oldest: 1, durationS },
    });
    const due = plan.from === null ? new Set<number>() : dueSlots(plan, plan.heldS);
    for (let slot = 0; slot < SLOTS; slot++) {
      if ((endMs[slot] ?? nowMs) < nowMs) missing.add(slot);
      if (isStartup || due.has(slot)) endMs[slot] = nowMs + durationS * 1000;
    }
    cursors.delivered("a", { plan, generation: 1, isStartup });
  }
  return missing.size;
}

const happenings = fc.record({
  atMs: fc.integer({ min: 1_000_000, max: 30 * HOUR_MS }),
  clockByMs: fc.oneof(fc.constant(0), fc.integer({ min: -40 * 24 * HOUR_MS, max: 40 * 24 * HOUR_MS })),
  isRestart: fc.boolean(),
  durationS: fc.constantFrom(...DURATIONS_S),
});

test("an element of the kernel's set never ends while the service answers: clocks set, restarts, other durations", () => {
  fc.assert(
    fc.property(fc.constantFrom(...DURATIONS_S), happenings, (startS, happening) => {
      expect(missingTurns(startS, happening, 80 * HOUR_MS)).toBe(0);
    }),
    { numRuns: 40 },
  );
}, 120_000);

test.each([
  ["the clock is set back by a day", { clockByMs: -24 * HOUR_MS, durationS: LEAST_DURATION_S }],
  ["a daily list joins hourly ones", { clockByMs: 0, durationS: 2 * DAY_S }],
  ["a restart with a weekly list more", { clockByMs: 0, durationS: 14 * DAY_S, isRestart: true }],
])("%s", (_name, more) => {
  const happening = { atMs: 20 * HOUR_MS, isRestart: false, ...more };
  expect(missingTurns(LEAST_DURATION_S, happening, 80 * HOUR_MS)).toBe(0);
});
