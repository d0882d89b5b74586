import { expect, test } from "vitest";
import { forEachDatabase } from "../../test/databases.ts";
import { callOf, createCaller, startLedger } from "../../test/ledger-setting.ts";
import { createUsageHours } from "./usage-hours.ts";

const sumOf = (rows: readonly { readonly calls: number }[]) =>
  rows.reduce((sum, { calls }) => sum + calls, 0);

forEachDatabase((_dialect, database) => {
  test("a day with more rows than are kept says how many calls are left out", async () => {
    const setting = await startLedger(database);
    const { account, caller } = await createCaller(setting);
    const record = (endpoint: string) => setting.ledger.record(callOf(caller, { endpoint, status: 422 }));
    for (const endpoint of ["/a", "/b", "/c", "/a", "/c", "/c"]) record(endpoint);
    await setting.ledger.flush();
    const day = setting.clock.now().toISOString().slice(0, 10);
    const bounded = await createUsageHours(setting, { maxRows: 2 })(account.id, day);
    expect(bounded.rows).toHaveLength(2);
    expect(bounded.leftOut).toBeGreaterThan(0);
    expect(sumOf(bounded.rows) + bounded.leftOut).toBe(6);
    const whole = await createUsageHours(setting)(account.id, day);
    expect([sumOf(whole.rows), whole.leftOut]).toEqual([6, 0]);
  });

  test("more than twenty readings that wait are refused, and taken again when those are done", async () => {
    const setting = await startLedger(database);
    const read = createUsageHours(setting);
    const readings = Array.from({ length: 21 }, (_, i) => read(`account-${i}`, "2026-01-01"));
    expect(() => read("another", "2026-01-01")).toThrow(
      expect.objectContaining({ code: "SERVICE_UNAVAILABLE", retryAfterS: 5 }),
    );
    expect(read("account-0", "2026-01-01")).toBe(readings[0]);
    await Promise.all(readings);
    expect(await read("another", "2026-01-01")).toMatchObject({ rows: [], leftOut: 0 });
  });

  test("one account has four places, and the others are there for all others", async () => {
    const setting = await startLedger(database);
    const read = createUsageHours(setting);
    const readings = [1, 2, 3, 4].map((day) => read("greedy", `2026-01-0${day}`));
    expect(() => read("greedy", "2026-01-05")).toThrow(
      expect.objectContaining({ code: "SERVICE_UNAVAILABLE" }),
    );
    expect(await read("another", "2026-01-05")).toMatchObject({ leftOut: 0 });
    await Promise.all(readings);
    expect(await read("greedy", "2026-01-05")).toMatchObject({ leftOut: 0 });
  });

  test("a reading that is not done takes one place, however often and long it is asked for", async () => {
    const setting = await startLedger(database);
    const { account } = await createCaller(setting);
    let nowMs = 0;
    const read = createUsageHours({ ...setting, clock: { ...setting.clock, monotonicMs: () => nowMs } });
    const first = read(account.id, "2026-01-01");
    nowMs = 60_000;
    expect(read(account.id, "2026-01-01")).toBe(first);
    await first;
    const second = read(account.id, "2026-01-01");
    expect(second).not.toBe(first);
    await second;
  });
});
