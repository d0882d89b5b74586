import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../src/base/durations.ts";
import { openCustomer, startBilling } from "./billing-setting.ts";
import { endBeforeDatabase, forEachDatabase, type TestDatabase } from "./databases.ts";
import { createMovableClock } from "./movable-clock.ts";

/** A process whose configuration has one price, and one that has them all. */
async function start(database: TestDatabase) {
  const clock = createMovableClock(new Date("2026-01-01T00:00:00Z"));
  const db = await database.open(clock);
  const old = await startBilling({ db, clock, prices: { Starter: "price_starter" } });
  endBeforeDatabase(old.stripe.close);
  const { billing } = await startBilling({ db, clock, stripe: old.stripe });
  const openOne = async (price = "price_pro", status = "active") => {
    const customer = await openCustomer(old);
    customer.put({ price, status, currentPeriodStart: clock.now() });
    await customer.tell();
    clock.advance(1000);
    return customer;
  };
  const waiting = async () =>
    (await db.kysely.selectFrom("billing_events").select("id").where("type", "=", "price.unknown").execute())
      .length;
  return {
    old,
    billing,
    stripe: old.stripe,
    clock,
    openOne,
    waiting,
    questions: () => old.stripe.asked.length,
  };
}

forEachDatabase((_dialect, database) => {
  test("a subscription without a plan waits for a process that knows its price, which asks once", async () => {
    const { old, billing, openOne, waiting, questions } = await start(database);
    const customer = await openOne();
    await openOne("price_starter");
    await openOne("price_of_another_product");
    await openOne("price_pro", "canceled");
    expect(await waiting()).toBe(2);
    const before = questions();
    await old.billing.tidy();
    expect(questions()).toBe(before);
    expect(await customer.now()).toMatchObject({ plan: "Free", billingStatus: "active" });
    await billing.tidy();
    expect(await customer.now()).toMatchObject({ plan: "Pro", billingStatus: "active" });
    expect(await waiting()).toBe(1);
    const asked = questions();
    expect(asked).toBeGreaterThan(before);
    await billing.tidy();
    expect(questions()).toBe(asked);
  });

  test("while the provider does not answer one is asked about a minute, and each again after an hour", async () => {
    const { billing, stripe, clock, openOne, waiting, questions } = await start(database);
    const customers = [await openOne(), await openOne()];
    const plans = async () => (await Promise.all(customers.map(({ now }) => now()))).map(({ plan }) => plan);
    stripe.failWith(400);
    const asked: number[] = [];
    for (let i = 0; i < 4; i++) {
      const before = questions();
      await billing.tidy();
      asked.push(questions() - before);
      clock.advance(MINUTE_MS);
    }
    expect(asked).toEqual([1, 1, 0, 0]);
    expect([await plans(), await waiting()]).toEqual([["Free", "Free"], 2]);
    stripe.failWith(null);
    clock.advance(HOUR_MS);
    await billing.tidy();
    expect([await plans(), await waiting()]).toEqual([["Pro", "Pro"], 0]);
  });
});
