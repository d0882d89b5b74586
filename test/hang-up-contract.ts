import fc from "fast-check";
import { expect, test } from "vitest";
import { HANG_UP_WINDOW_MS, MAX_HANG_UPS } from "../src/metering/limits/hang-ups.ts";
import type { Admission, LimitStore } from "../src/metering/limits/types.ts";
import type { LimitStoreUnderTest } from "./limit-store-contract.ts";

/** What every limit store promises of abandoned calls (design 13.2). */
export function hangUpContract(name: string, create: () => Promise<LimitStoreUnderTest>): void {
  const start = async (store: LimitStore, owner: string, endpoint = "check-ip"): Promise<Admission> => {
    const admission = await store.admit(`${owner} ${endpoint}`, 1000, owner);
    if (admission.state === "admitted") admission.release();
    return admission;
  };
  const hangUp = async (store: LimitStore, owner: string, count: number): Promise<void> => {
    for (let i = 0; i < count; i++) store.noteHangUp(owner);
    // They are noted before what is asked after them, and so before time goes on.
    await start(store, "another");
  };

  test(`${name}: sixty abandoned calls in a minute are let pass, with one more all of the owner's are refused until it is over`, async () => {
    const { store, advance } = await create();
    await hangUp(store, "a", MAX_HANG_UPS - 1);
    await advance(20_000);
    await hangUp(store, "a", 1);
    expect((await start(store, "a")).state).toBe("admitted");
    await advance(10_000);
    await hangUp(store, "a", 1);
    expect(await start(store, "a")).toMatchObject({
      state: "refused",
      scope: "requests",
      retryAfterS: 30,
      limits: { limit: 1000, remaining: 0, resetAfterS: 30 },
      isForHangUps: true,
    });
    expect((await start(store, "a", "bulk/dns-lookup")).state).toBe("refused");
    expect((await start(store, "b")).state).toBe("admitted");
    // A bucket without an owner has no caller who hangs up.
    expect((await store.admit("a session", 10)).state).toBe("admitted");
    await advance(29_999);
    expect(await start(store, "a")).toMatchObject({ state: "refused", retryAfterS: 1 });
    await advance(1);
    expect((await start(store, "a")).state).toBe("admitted");
    await store.close();
  });

  test(`${name}: a caller who goes on hanging up is let in when fewer than sixty-one are in the minute, and not before`, async () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ hangUps: fc.integer({ min: 1, max: 40 }) }) },
      { weight: 2, arbitrary: fc.record({ ms: fc.integer({ min: 1, max: 45_000 }) }) },
    );
    const { store, advance } = await create();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const owner = `owner${++run}`;
        let nowMs = 0;
        const times: number[] = [];
        for (const one of steps) {
          if ("ms" in one) {
            nowMs += one.ms;
            await advance(one.ms);
          } else {
            await hangUp(store, owner, one.hangUps);
            times.push(...Array<number>(one.hangUps).fill(nowMs));
          }
          const live = times.filter((atMs) => atMs > nowMs - HANG_UP_WINDOW_MS);
          const waitMs =
            (live.at(-(MAX_HANG_UPS + 1)) ?? nowMs - HANG_UP_WINDOW_MS) + HANG_UP_WINDOW_MS - nowMs;
          const admission = await start(store, owner);
          expect(admission.state).toBe(waitMs > 0 ? "refused" : "admitted");
          if (admission.state === "refused") expect(admission.retryAfterS).toBe(Math.ceil(waitMs / 1000));
        }
      }),
      { numRuns: 30 },
    );
    await store.close();
  });
}
