import { expect, test } from "vitest";
import { HOUR_S } from "../../base/durations.ts";
import { dueSlots } from "./send-stream.ts";

test("polls one after the other renew every turn once before two fifths of its time are over", () => {
  const counts = new Map<number, number>();
  const periodMs = 4 * HOUR_S * 1000 * 0.4;
  const startMs = 1_700_000_000_000;
  for (let at = startMs; at < startMs + periodMs; at += 10_000) {
    const untilMs = Math.min(at + 10_000, startMs + periodMs);
    for (const slot of dueSlots({ sinceMs: at, untilMs }, 4 * HOUR_S))
      counts.set(slot, (counts.get(slot) ?? 0) + 1);
  }
  expect([counts.size, ...new Set(counts.values())]).toEqual([256, 1]);
});

test("nothing is due for a bouncer that had everything just now, all for one that was away for long", () => {
  const untilMs = 1_700_000_000_000;
  expect(dueSlots({ sinceMs: null, untilMs }, 4 * HOUR_S).size).toBe(0);
  expect(dueSlots({ sinceMs: untilMs, untilMs }, 4 * HOUR_S).size).toBe(0);
  expect(dueSlots({ sinceMs: untilMs - 4 * HOUR_S * 1000, untilMs }, 4 * HOUR_S).size).toBe(256);
});
