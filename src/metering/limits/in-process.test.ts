import fc from "fast-check";
import { expect, test } from "vitest";
import { hangUpContract } from "../../../test/hang-up-contract.ts";
import { limitStoreContract } from "../../../test/limit-store-contract.ts";
import { createMemoryLimits } from "./in-process.ts";
import type { Admission } from "./types.ts";

function start() {
  let nowMs = 12_345.25;
  const store = createMemoryLimits({ clock: { monotonicMs: () => nowMs } });
  const advance = (ms: number) => {
    nowMs += ms;
  };
  return {
    store,
    advance,
    now: () => nowMs,
    admit: (name: string, limit: number) => admitNow(store, name, limit),
  };
}

function admitNow(store: ReturnType<typeof createMemoryLimits>, name: string, limit: number): Admission {
  const admission = store.admit(name, limit);
  if (admission instanceof Promise) throw new Error("The memory store answers at once");
  return admission;
}

async function startForContract() {
  const { store, advance } = start();
  return { store, advance: async (ms: number) => advance(ms) };
}

limitStoreContract("createMemoryLimits()", startForContract);
hangUpContract("createMemoryLimits()", startForContract);

test("createMemoryLimits() drops the state of idle buckets", async () => {
  const { store, advance, admit } = start();
  const long = admit("long", 2);
  for (let i = 0; i < 1000; i++) {
    const admission = admit(`account ${i}`, 2);
    if (admission.state === "admitted") admission.release();
  }
  expect(store.bucketCount()).toBe(1001);
  for (let i = 0; i < 3; i++) {
    await advance(1000);
    const admission = admit("busy", 2);
    if (admission.state === "admitted") admission.release();
  }
  expect(store.bucketCount()).toBe(2);
  if (long.state === "admitted") long.release();
  for (let i = 0; i < 3; i++) {
    await advance(1000);
    admit("other", 5);
  }
  expect(store.bucketCount()).toBe(1);
});

const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ do: fc.constant("admit" as const), bucket: fc.constantFrom("a", "b", "c") }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant("advance" as const), quarterMs: fc.nat({ max: 1600 }) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant("jump" as const),
        ms: fc.constantFrom(1000, 999.75, 2000, 5000),
      }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constant("release" as const), which: fc.nat() }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant("plan" as const), limit: fc.integer({ min: 1, max: 6 }) }),
    },
  ),
  { maxLength: 120 },
);

test("createMemoryLimits() agrees with a plain list of starts and calls in flight", () => {
  fc.assert(
    fc.property(steps, (script) => {
      const { advance, now, admit } = start();
      const starts: { bucket: string; atMs: number }[] = [];
      const running: { bucket: string; release: () => void }[] = [];
      let limit = 3;
      for (const step of script) {
        if (step.do === "advance") advance(step.quarterMs / 4);
        else if (step.do === "jump") advance(step.ms);
        else if (step.do === "plan") limit = step.limit;
        else if (step.do === "release") {
          const [call] = running.length === 0 ? [] : running.splice(step.which % running.length, 1);
          call?.release();
        } else {
          const { bucket } = step;
          const live = starts
            .filter((it) => it.bucket === bucket && it.atMs > now() - 1000)
            .map(({ atMs }) => atMs);
          const inFlight = running.filter((it) => it.bucket === bucket).length;
          const expected = live.length >= limit ? "requests" : inFlight >= limit ? "concurrency" : "admitted";
          const got = admit(bucket, limit);
          expect(got.state === "admitted" ? "admitted" : got.scope).toBe(expected);
          if (got.state === "admitted") {
            starts.push({ bucket, atMs: now() });
            live.push(now());
            running.push({ bucket, release: got.release });
          }
          const freesAt = live.length < limit ? now() : (live[live.length - limit] ?? 0) + 1000;
          expect(got.limits).toEqual({
            limit,
            remaining: Math.max(0, limit - live.length),
            resetAfterS: Math.ceil(freesAt - now()) / 1000,
            concurrencyLimit: limit,
            concurrencyRemaining: Math.max(0, limit - inFlight - (got.state === "admitted" ? 1 : 0)),
          });
        }
      }
    }),
    { numRuns: 500 },
  );
});

test("createMemoryLimits() holds no half-open second with more starts than the allowance", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.nat({ max: 400_000 }), { maxLength: 200 }),
      (limit, gapsUs) => {
        const { advance, now, admit } = start();
        const starts: number[] = [];
        for (const gapUs of gapsUs) {
          advance(gapUs / 1000);
          const admission = admit("a", limit);
          if (admission.state !== "admitted") continue;
          admission.release();
          starts.push(now());
        }
        for (const from of starts) {
          expect(starts.filter((atMs) => atMs >= from && atMs - from < 1000).length).toBeLessThanOrEqual(
            limit,
          );
        }
      },
    ),
  );
});
