import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createStoppedClock } from "../../test/servers/dns-client.ts";
import { systemClock } from "../base/clock.ts";
import { callAfter, TICK_MS } from "./timer-wheel.ts";

/** Lets promises go on, and what was due before them. */
async function settle(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** Holds the event loop. */
function hold(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

describe("callAfter()", () => {
  test("fires never early, once, and within a tick, whatever is set and cancelled meanwhile", async () => {
    const step = fc.record({
      waits: fc.array(fc.record({ ms: fc.nat(300), isCancelled: fc.boolean() }), { maxLength: 5 }),
      advanceMs: fc.integer({ min: 0, max: 60 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const clock = createStoppedClock();
        const late: number[] = [];
        const expected: number[] = [];
        const cancels: (() => void)[] = [];
        const move = async (ms: number) => {
          // As a clock goes: a timer that is due is not missed for long.
          for (let i = 0; i < ms; i++) {
            clock.advance(1);
            await settle();
          }
        };
        for (const { waits, advanceMs } of steps) {
          for (const { ms, isCancelled } of waits) {
            const dueMs = clock.monotonicMs() + ms;
            const cancel = callAfter(clock, ms, () => late.push(clock.monotonicMs() - dueMs));
            if (isCancelled && ms > 0) cancels.push(cancel);
            else expected.push(dueMs);
          }
          for (const cancel of cancels.splice(0)) cancel();
          await move(advanceMs);
        }
        await move(300 + TICK_MS);
        expect(late).toHaveLength(expected.length);
        for (const ms of late) {
          expect(ms).toBeGreaterThanOrEqual(0);
          expect(ms).toBeLessThanOrEqual(TICK_MS);
        }
      }),
      { numRuns: 25 },
    );
  });

  test("fires in the order of their times after a long pause", async () => {
    const clock = createStoppedClock();
    const fired: number[] = [];
    for (const ms of [500, 20, 9000, 70]) callAfter(clock, ms, () => fired.push(ms));
    clock.advance(10_000);
    await settle();
    expect(fired).toEqual([20, 70, 500, 9000]);
  });

  test("does not fire a timer that another one of the same tick cancels", async () => {
    const clock = createStoppedClock();
    const fired: string[] = [];
    let cancelSecond: () => void = () => undefined;
    callAfter(clock, 50, () => {
      fired.push("first");
      cancelSecond();
    });
    cancelSecond = callAfter(clock, 50, () => fired.push("second"));
    clock.advance(60);
    await settle();
    expect(fired).toEqual(["first"]);
  });

  test("fires many in several turns of the event loop, in their order, also what is set and cancelled meanwhile", async () => {
    const clock = createStoppedClock();
    const fired: number[] = [];
    const turns: number[] = [];
    const cancels = Array.from({ length: 200 }, (_, i) =>
      callAfter(clock, 50 + i, () => {
        hold(0.2);
        fired.push(i);
      }),
    );
    clock.advance(1000);
    for (let i = 0; i < 100; i++) {
      await settle();
      turns.push(fired.length);
      if (i === 0) {
        for (const cancel of cancels.slice(150)) cancel();
        callAfter(clock, 0, () => fired.push(150));
        clock.advance(TICK_MS);
      }
    }
    expect(turns[0]).toBeLessThan(100);
    expect(fired).toEqual(Array.from({ length: 151 }, (_, i) => i));
    callAfter(clock, 50, () => fired.push(151));
    clock.advance(60);
    await settle();
    expect(fired).toHaveLength(152);
  });

  test("fires what a timer sets", async () => {
    const clock = createStoppedClock();
    const fired: number[] = [];
    callAfter(clock, 50, () => callAfter(clock, 50, () => fired.push(clock.monotonicMs())));
    clock.advance(50);
    await settle();
    clock.advance(50);
    await settle();
    expect(fired).toEqual([100]);
  });

  test("sleeps only while a timer is set", async () => {
    const asleep = new Set<AbortSignal | undefined>();
    const clock = {
      monotonicMs: systemClock.monotonicMs,
      sleep: async (ms: number, signal?: AbortSignal) => {
        asleep.add(signal);
        await systemClock.sleep(ms, signal).finally(() => asleep.delete(signal));
      },
    };
    const cancels = [5000, 100, 60_000].map((ms) => callAfter(clock, ms, () => undefined));
    await settle();
    expect(asleep.size).toBe(1);
    for (const cancel of cancels) cancel();
    await settle();
    expect(asleep.size).toBe(0);
    await new Promise<void>((resolve) => {
      callAfter(clock, 1, resolve);
    });
    expect(asleep.size).toBe(0);
  });
});
