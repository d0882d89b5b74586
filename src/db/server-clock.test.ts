import { expect, test } from "vitest";
import { forEachDatabase } from "../../test/databases.ts";
import { createMovableClock } from "../../test/movable-clock.ts";
import { systemClock } from "../base/clock.ts";
import { openServerClock } from "./server-clock.ts";

const DAY_MS = 86_400_000;
const NEAR_MS = 2000;

/** A machine whose clock is off by so much. */
const machine = (offMs: number) => {
  const clock = createMovableClock(new Date(Date.now() + offMs));
  return clock;
};

const isNow = (instant: Date): boolean => Math.abs(instant.getTime() - Date.now()) < NEAR_MS;

forEachDatabase(
  (_dialect, database) => {
    test.each([-400 * DAY_MS, -DAY_MS, 300_000, DAY_MS, 31 * DAY_MS])(
      "a machine that is off by %i ms goes by the server's time, and tells its own",
      async (offMs) => {
        const clock = machine(offMs);
        const db = await database.open(clock);
        expect(isNow(db.clock.now())).toBe(true);
        clock.advance(7 * DAY_MS);
        expect(isNow(db.clock.now())).toBe(true);
        expect(await db.isReachable()).toBe(true);
        const [probe] = await db.kysely
          .selectFrom("meta")
          .select("value")
          .where("key", "=", "last_probe")
          .execute();
        expect(isNow(new Date(Number(probe?.value)))).toBe(true);
      },
    );

    test("processes agree to a few milliseconds, and time does not stand still", async () => {
      const databases = await Promise.all(
        [0, -DAY_MS, DAY_MS, 0].map((offMs) => database.open(machine(offMs))),
      );
      const times = () => databases.map(({ clock }) => clock.now().getTime());
      const first = times();
      expect(Math.max(...first) - Math.min(...first)).toBeLessThan(250);
      await systemClock.sleep(60);
      for (const [i, ms] of times().entries()) expect(ms - (first[i] ?? 0)).toBeGreaterThanOrEqual(50);
    });
  },
  { hasSqlite: false },
);

test("a server whose clock is set is followed; one that is away, or says nothing useful, leaves the time as it was", async () => {
  let answer: () => Promise<readonly Record<string, unknown>[]> = async () => [{ now_ms: 1_000_000 }];
  const own = { ...systemClock, monotonicMs: () => 500 };
  const { clock, close } = await openServerClock({ read: () => answer() }, own, 5);
  const seen = () => clock.now().getTime();
  const becomes = async (ms: number) => expect.poll(seen).toBe(ms);
  expect(seen()).toBe(1_000_000);
  answer = async () => [{ now_ms: 1_000_000 + 3_600_000 }];
  await becomes(4_600_000);
  answer = async () => [{ now_ms: 900_000 }];
  await becomes(900_000);
  for (const broken of [
    () => Promise.reject(new Error("away")),
    async () => [],
    async () => [{ now_ms: "9" }],
  ]) {
    answer = broken;
    await systemClock.sleep(30);
    expect(seen()).toBe(900_000);
  }
  answer = async () => [{ now_ms: 1_000_000 }];
  await becomes(1_000_000);
  close();
  answer = async () => [{ now_ms: 2_000_000 }];
  await systemClock.sleep(30);
  expect(seen()).toBe(1_000_000);
});

test("an answer that took long moves the time no further than it tells", async () => {
  let nowMs = 0;
  // The server is exactly 1000 ms ahead; it reads its clock at the start or at the end of what an answer takes.
  let takes = { beforeMs: 0, afterMs: 0 };
  const read = async () => {
    nowMs += takes.beforeMs;
    const told = nowMs + 1000;
    nowMs += takes.afterMs;
    return [{ now_ms: told }];
  };
  const own = { ...systemClock, monotonicMs: () => nowMs };
  const { clock, close } = await openServerClock({ read }, own, 5);
  for (const slow of [
    { beforeMs: 4000, afterMs: 0 },
    { beforeMs: 0, afterMs: 4000 },
    { beforeMs: 2000, afterMs: 3000 },
  ]) {
    takes = slow;
    const before = nowMs;
    await expect.poll(() => nowMs).toBeGreaterThan(before);
    expect(clock.now().getTime()).toBe(nowMs + 1000);
  }
  close();
});

test("it rejects where the server cannot be asked, and where it tells no time", async () => {
  const away = () => Promise.reject(new Error("away"));
  await expect(openServerClock({ read: away }, systemClock)).rejects.toThrow("away");
  await expect(openServerClock({ read: async () => [] }, systemClock)).rejects.toThrow("PostgreSQL's time");
});
