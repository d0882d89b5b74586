import { describe, expect, test } from "vitest";
import { DAY_MS } from "../src/base/durations.ts";
import { openCustomer, startBilling } from "./billing-setting.ts";
import { endBeforeDatabase, forEachDatabase, type TestDatabase } from "./databases.ts";
import { callOf } from "./ledger-setting.ts";
import { createMovableClock } from "./movable-clock.ts";
import { invoiceOf, type SubscriptionParts } from "./servers/stripe-objects.ts";

const BEGIN = new Date("2026-01-01T00:00:00Z");
const CYCLE_END = new Date("2026-01-31T00:00:00Z");
const day = (days: number): Date => new Date(BEGIN.getTime() + days * DAY_MS);

/** A whole period of a plan from day 10 on; its invoice is open or paid. */
const wholePeriod = (plan: string, status: "open" | "paid"): SubscriptionParts => ({
  status: "active",
  price: `price_${plan}`,
  currentPeriodStart: day(10),
  currentPeriodEnd: day(41),
  invoice: invoiceOf({ id: `in_${plan}`, price: `price_${plan}`, start: day(10), status }),
});

/** A customer on day 10 who spends. */
async function start(database: TestDatabase) {
  const clock = createMovableClock(BEGIN);
  const db = await database.open(clock);
  const setting = await startBilling({ db, clock });
  endBeforeDatabase(setting.stripe.close);
  const customer = await openCustomer(setting);
  const { text } = await setting.accounts.createKey({ email: customer.email });
  clock.set(day(10));
  const spend = async (cost: number) => {
    const caller = await setting.ledger.findCaller(text);
    if (caller === null) throw new Error("The key is not known");
    expect(await setting.ledger.settle(callOf(caller), cost)).toMatchObject({ state: "charged" });
  };
  const tellOf = async (parts: SubscriptionParts, type?: string) => {
    customer.put(parts);
    await customer.tell(type);
  };
  return { ...setting, ...customer, spend, tellOf };
}

forEachDatabase((_dialect, database) => {
  describe("a subscription that is active before its invoice is paid", () => {
    test("gets the plan's grant once, in the cycle that runs, and nothing with the payment", async () => {
      const { tellOf, now, spend, clock } = await start(database);
      await tellOf(wholePeriod("pro", "open"));
      expect(await now()).toMatchObject({ plan: "Pro", credits: 300_000, creditsResetAt: CYCLE_END });
      await spend(299_000);
      clock.set(day(20));
      await tellOf(wholePeriod("pro", "paid"), "invoice.paid");
      expect(await now()).toMatchObject({ plan: "Pro", credits: 1000, creditsResetAt: CYCLE_END });
      clock.set(day(30));
      expect(await now()).toMatchObject({ credits: 300_000, creditsResetAt: day(60) });
    });

    test.each([
      ["its collection is paused", { isPaused: true }, { isPaused: false }],
      ["its quantity is none", { quantity: 0 }, { quantity: 1 }],
      ["it is late", { status: "unpaid" }, { status: "active" }],
    ])("gets nothing again when %s before the payment", async (_why, off, on) => {
      const { tellOf, now, spend, clock } = await start(database);
      await tellOf(wholePeriod("pro", "open"));
      await spend(299_000);
      clock.set(day(15));
      await tellOf(off);
      expect(await now()).toMatchObject({ plan: "Free", credits: 100 });
      await tellOf({ ...wholePeriod("pro", "paid"), ...on }, "invoice.paid");
      expect(await now()).toMatchObject({ plan: "Pro", credits: 100, creditsResetAt: CYCLE_END });
    });

    test("gets nothing again when the cycle ended before the payment", async () => {
      const { tellOf, now, spend, clock } = await start(database);
      await tellOf(wholePeriod("pro", "open"));
      clock.set(day(31));
      await spend(200_000);
      await tellOf(wholePeriod("pro", "paid"), "invoice.paid");
      expect(await now()).toMatchObject({ plan: "Pro", credits: 100_000, creditsResetAt: day(60) });
    });

    test("begins a cycle with the paid period of a plan that is still higher", async () => {
      const { tellOf, now, clock } = await start(database);
      await tellOf(wholePeriod("starter", "open"));
      expect(await now()).toMatchObject({ plan: "Starter", credits: 80_000, creditsResetAt: CYCLE_END });
      clock.set(day(12));
      const from = { currentPeriodStart: day(12), currentPeriodEnd: day(43) };
      const invoice = invoiceOf({ price: "price_pro", start: day(12) });
      await tellOf({ ...wholePeriod("pro", "paid"), ...from, invoice }, "invoice.paid");
      expect(await now()).toMatchObject({ plan: "Pro", credits: 300_000, creditsResetAt: day(42) });
    });
  });
});
