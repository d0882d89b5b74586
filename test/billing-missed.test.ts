import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../src/base/durations.ts";
import { openCustomer, startBilling } from "./billing-setting.ts";
import { endBeforeDatabase, forEachDatabase, type TestDatabase } from "./databases.ts";
import { createMovableClock } from "./movable-clock.ts";
import type { SubscriptionParts } from "./servers/stripe-objects.ts";

const BEGIN = new Date("2026-01-01T00:00:00Z");
const day = (days: number): Date => new Date(BEGIN.getTime() + days * DAY_MS);
const END = day(30);

async function start(database: TestDatabase) {
  const clock = createMovableClock(BEGIN);
  const db = await database.open(clock);
  const setting = await startBilling({ db, clock });
  endBeforeDatabase(setting.stripe.close);
  const questions = () => setting.stripe.asked.length;
  return { ...setting, questions };
}

type Setting = Awaited<ReturnType<typeof start>>;

const TERM = { price: "price_pro", currentPeriodStart: BEGIN, currentPeriodEnd: END };
const NEXT_TERM = { currentPeriodStart: END, currentPeriodEnd: day(60) };

/** A customer of Pro whose period ends after 30 days. */
async function openPaid(setting: Setting, parts: SubscriptionParts = {}) {
  const customer = await openCustomer(setting);
  customer.put({ ...TERM, status: "active", ...parts });
  await customer.tell();
  return customer;
}

forEachDatabase((_dialect, database) => {
  describe("of a period's end that no event told of", () => {
    test.each([
      ["canceled", {}, "Free", null],
      ["unpaid", NEXT_TERM, "Free", null],
      ["paused", NEXT_TERM, "Free", null],
      ["active", NEXT_TERM, "Pro", null],
      ["active", { ...NEXT_TERM, price: "price_starter" }, "Starter", null],
      ["past_due", NEXT_TERM, "Pro", day(37)],
    ] as const)("the provider is asked: %s %o is %s", async (status, parts, plan, graceEndsAt) => {
      const setting = await start(database);
      const customer = await openPaid(setting);
      customer.put({ status, ...parts });
      setting.clock.set(new Date(END.getTime() + HOUR_MS - 1));
      await setting.billing.tidy();
      expect(await customer.now()).toMatchObject({ plan: "Pro", billingStatus: "active" });
      setting.clock.advance(1);
      await setting.billing.tidy();
      expect(await customer.now()).toMatchObject({ plan, billingStatus: status, graceEndsAt });
    });

    test("a subscription that is gone, and one whose trial is over, as well", async () => {
      const setting = await start(database);
      const gone = await openPaid(setting);
      setting.stripe.remove(gone.subscription);
      const tried = await openPaid(setting, { status: "trialing" });
      tried.put({ status: "canceled" });
      setting.clock.set(day(31));
      await setting.billing.tidy();
      expect(await gone.now()).toMatchObject({ plan: "Free", billingStatus: "canceled" });
      expect(await tried.now()).toMatchObject({ plan: "Free", billingStatus: "canceled" });
    });

    test("a plan that has ended is refilled no more, and its account can buy again and be deleted", async () => {
      const setting = await start(database);
      const customer = await openPaid(setting);
      customer.put({ status: "canceled" });
      setting.clock.set(day(31));
      await setting.billing.tidy();
      setting.clock.set(day(62));
      const account = await customer.now();
      expect(account.credits).toBe(100);
      expect(setting.billing.hasSubscription(account)).toBe(false);
    });
  });

  describe("the provider is asked", () => {
    test("once a day while nothing changes, by all processes together, and not about what has ended", async () => {
      const setting = await start(database);
      const customer = await openPaid(setting);
      setting.clock.set(day(31));
      const before = setting.questions();
      await setting.billing.tidy();
      for (let hour = 0; hour < 10; hour++) {
        setting.clock.advance(HOUR_MS);
        await setting.billing.tidy();
      }
      expect(setting.questions() - before).toBe(1);
      setting.clock.advance(DAY_MS);
      await setting.billing.tidy();
      expect(setting.questions() - before).toBe(2);
      customer.put({ status: "canceled" });
      setting.clock.advance(DAY_MS);
      await setting.billing.tidy();
      for (let days = 0; days < 5; days++) {
        setting.clock.advance(DAY_MS);
        await setting.billing.tidy();
      }
      // The end, and whether the customer pays for something else.
      expect(setting.questions() - before).toBe(4);
    });

    test("again when it did not answer, and about one account a minute meanwhile", async () => {
      const setting = await start(database);
      const customers = [await openPaid(setting), await openPaid(setting), await openPaid(setting)];
      for (const { put } of customers) put({ status: "canceled" });
      setting.clock.set(day(31));
      setting.stripe.failWith(400);
      const before = setting.questions();
      for (let minute = 0; minute < 10; minute++) {
        await setting.billing.tidy();
        setting.clock.advance(60_000);
      }
      expect(setting.questions() - before).toBe(3);
      for (const { now } of customers) expect(await now()).toMatchObject({ plan: "Pro" });
      setting.stripe.failWith(null);
      setting.clock.advance(HOUR_MS);
      await setting.billing.tidy();
      for (const { now } of customers) expect(await now()).toMatchObject({ plan: "Free" });
    });

    test("about the others as well when one subscription cannot be read", async () => {
      const setting = await start(database);
      const [unread, other] = [await openPaid(setting), await openPaid(setting)];
      setting.stripe.garble(unread.subscription);
      other.put({ status: "canceled" });
      setting.clock.set(day(31));
      await setting.billing.tidy();
      await setting.billing.tidy();
      expect(await other.now()).toMatchObject({ plan: "Free" });
      expect(await unread.now()).toMatchObject({ plan: "Pro" });
    });
  });
});
