import { expect, test } from "vitest";
import { forEachDatabase } from "../../../test/databases.ts";
import { createMovableClock } from "../../../test/movable-clock.ts";
import { DAY_MS } from "../../base/durations.ts";
import { createSourceDays, KEPT_DAYS } from "./source-days.ts";

const QUARTER_MS = 900_000;

forEachDatabase((_, database) => {
  async function open() {
    const clock = createMovableClock();
    const db = await database.open();
    return { clock, days: createSourceDays({ db, clock }), other: createSourceDays({ db, clock }) };
  }

  test("a day of a source counts its looks, those that were well, and its last trouble", async () => {
    const { clock, days } = await open();
    for (const status of ["ok", "timeout", "ok", "stale"]) {
      await days.record([
        { key: "a", status },
        { key: "b", status: "ok" },
      ]);
      clock.advance(QUARTER_MS);
    }
    const history = await days.history();
    expect(history.get("a")).toMatchObject([{ checks: 4, healthy: 2, trouble: "stale" }]);
    expect(history.get("b")).toMatchObject([{ checks: 4, healthy: 4, trouble: null }]);
  });

  test("of two processes that look in one quarter of an hour one counts", async () => {
    const { clock, days, other } = await open();
    const sources = [{ key: "a", status: "ok" }];
    await Promise.all([days.record(sources), other.record(sources)]);
    await other.record(sources);
    expect((await days.history()).get("a")).toMatchObject([{ checks: 1, healthy: 1 }]);
    clock.advance(QUARTER_MS);
    await other.record(sources);
    expect((await other.history()).get("a")).toMatchObject([{ checks: 2, healthy: 2 }]);
  });

  test("ninety days are kept", async () => {
    const { clock, days } = await open();
    for (let day = 0; day < KEPT_DAYS + 3; day++) {
      await days.record([{ key: "a", status: "ok" }]);
      clock.advance(DAY_MS);
    }
    clock.advance(-DAY_MS);
    await days.prune();
    const kept = (await days.history()).get("a") ?? [];
    expect(kept.length).toBe(KEPT_DAYS);
    expect(kept.at(-1)?.day).toBe(clock.now().toISOString().slice(0, 10));
  });
});
