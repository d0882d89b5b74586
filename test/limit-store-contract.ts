import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Admission, LimitStore } from "../src/metering/limits/types.ts";

/** A store and the hand on its time. `advance` moves the store's clock by that many milliseconds. */
export type LimitStoreUnderTest = {
  readonly store: LimitStore;
  readonly advance: (ms: number) => Promise<void>;
};

/** What every limit store promises (interface 8.3, design 13.1, security P19), whatever keeps its state. */
export function limitStoreContract(name: string, create: () => Promise<LimitStoreUnderTest>): void {
  describe(`${name} keeps the limits of interface 8.3:`, () => {
    let store: LimitStore;
    let advance: LimitStoreUnderTest["advance"];

    const start = async (bucket: string, perSecond: number): Promise<Admission> =>
      store.admit(bucket, perSecond);
    const startAndEnd = async (bucket: string, perSecond: number): Promise<Admission> => {
      const admission = await start(bucket, perSecond);
      if (admission.state === "admitted") admission.release();
      return admission;
    };

    beforeEach(async () => {
      const made = await create();
      store = made.store;
      advance = made.advance;
    });
    afterEach(() => store.close());

    test("the first start is admitted and its state counts it", async () => {
      expect(await start("a", 3)).toMatchObject({
        state: "admitted",
        limits: { limit: 3, remaining: 2, resetAfterS: 0, concurrencyLimit: 3, concurrencyRemaining: 2 },
      });
    });

    test("what may be under way once at a time is begun again when it has ended, however often that is said", async () => {
      const end = await store.begin("lookup");
      expect(await store.begin("lookup")).toBeNull();
      const other = await store.begin("another");
      expect(other).not.toBeNull();
      end?.();
      const next = await store.begin("lookup");
      end?.();
      expect(next).not.toBeNull();
      expect(await store.begin("lookup")).toBeNull();
      await advance(60_000);
      expect(await store.begin("lookup")).toBeNull();
      expect(await store.begin("another")).toBeNull();
    });

    test("a start beyond the window's allowance is refused with scope requests", async () => {
      await startAndEnd("a", 2);
      await advance(250);
      expect(await startAndEnd("a", 2)).toMatchObject({
        state: "admitted",
        limits: { remaining: 0, resetAfterS: 0.75 },
      });
      expect(await startAndEnd("a", 2)).toMatchObject({
        state: "refused",
        scope: "requests",
        retryAfterS: 1,
        limits: { limit: 2, remaining: 0, resetAfterS: 0.75, concurrencyRemaining: 2 },
      });
    });

    test("a start frees up exactly one second after it was made, and not before", async () => {
      await startAndEnd("a", 1);
      await advance(999);
      expect((await startAndEnd("a", 1)).state).toBe("refused");
      await advance(1);
      expect((await startAndEnd("a", 1)).state).toBe("admitted");
    });

    test("a refused start takes no place in the window", async () => {
      await startAndEnd("a", 1);
      for (let i = 0; i < 5; i++) {
        await advance(190);
        expect((await startAndEnd("a", 1)).state).toBe("refused");
      }
      await advance(50);
      expect((await startAndEnd("a", 1)).state).toBe("admitted");
    });

    test("calls in flight beyond the allowance are refused with scope concurrency, to be tried again in a second", async () => {
      const first = await start("a", 2);
      await start("a", 2);
      await advance(1000);
      expect(await start("a", 2)).toEqual({
        state: "refused",
        scope: "concurrency",
        retryAfterS: 1,
        limits: { limit: 2, remaining: 2, resetAfterS: 0, concurrencyLimit: 2, concurrencyRemaining: 0 },
      });
      if (first.state === "admitted") first.release();
      expect((await start("a", 2)).state).toBe("admitted");
    });

    test("both limits exceeded is scope requests", async () => {
      await start("a", 1);
      expect(await start("a", 1)).toMatchObject({ state: "refused", scope: "requests" });
    });

    test("release frees the slot once, however often it is called", async () => {
      const first = await start("a", 2);
      await start("a", 2);
      await advance(1000);
      if (first.state === "admitted") {
        first.release();
        first.release();
      }
      expect(await start("a", 2)).toMatchObject({ state: "admitted", limits: { concurrencyRemaining: 0 } });
      expect(await start("a", 2)).toMatchObject({ state: "refused", scope: "concurrency" });
    });

    test("a call in flight keeps its slot over many seconds without calls", async () => {
      const long = await start("a", 1);
      for (let i = 0; i < 5; i++) {
        await advance(1500);
        await startAndEnd(`other ${i}`, 1);
      }
      expect(await start("a", 1)).toMatchObject({ state: "refused", scope: "concurrency" });
      if (long.state === "admitted") long.release();
      expect((await start("a", 1)).state).toBe("admitted");
    });

    test("buckets do not share a budget", async () => {
      await start("a", 1);
      expect((await start("b", 1)).state).toBe("admitted");
    });

    test("a smaller allowance counts the starts made under the larger one, and the larger one still knows them", async () => {
      for (let i = 0; i < 5; i++) await startAndEnd("a", 5);
      expect(await startAndEnd("a", 2)).toMatchObject({
        state: "refused",
        limits: { limit: 2, remaining: 0 },
      });
      expect(await startAndEnd("a", 6)).toMatchObject({ state: "admitted", limits: { remaining: 0 } });
      expect((await startAndEnd("a", 6)).state).toBe("refused");
      await advance(1000);
      expect((await startAndEnd("a", 2)).state).toBe("admitted");
    });

    test("an allowance of nothing admits nothing", async () => {
      expect(await start("a", 0)).toMatchObject({
        state: "refused",
        scope: "requests",
        retryAfterS: 1,
        limits: { limit: 0, remaining: 0, resetAfterS: 1, concurrencyRemaining: 0 },
      });
    });
  });
}
