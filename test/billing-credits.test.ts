import { describe, expect, test } from "vitest";
import { DAY_MS } from "../src/base/durations.ts";
import { openCustomer, startBilling } from "./billing-setting.ts";
import { endBeforeDatabase, forEachDatabase, type TestDatabase } from "./databases.ts";
import { callOf } from "./ledger-setting.ts";
import { createMovableClock } from "./movable-clock.ts";
import { type InvoiceWish, invoiceOf } from "./servers/stripe-objects.ts";

const BEGIN = new Date("2026-01-01T00:00:00Z");
const CYCLE_END = new Date("2026-01-31T00:00:00Z");
const day = (days: number): Date => new Date(BEGIN.getTime() + days * DAY_MS);

async function start(
  database: TestDatabase,
  { trialCredits, plan }: { trialCredits?: number; plan?: string } = {},
) {
  const clock = createMovableClock(BEGIN);
  const db = await database.open(clock);
  const setting = await startBilling({ db, clock, ...(trialCredits === undefined ? {} : { trialCredits }) });
  endBeforeDatabase(setting.stripe.close);
  const customer = await openCustomer(setting, plan);
  return { ...setting, ...customer };
}

/** A period of a month that begins on a day, and its invoice. */
const period = (price: string, startDay: number, wish: Partial<InvoiceWish> = {}) => ({
  price,
  currentPeriodStart: day(startDay),
  currentPeriodEnd: day(startDay + 31),
  invoice: invoiceOf({ price, start: day(startDay), ...wish }),
});

forEachDatabase((_dialect, database) => {
  describe("changes of a subscription in one paid period", () => {
    test("up, down, up, down, up grant the highest plan once", async () => {
      const { put, tell, now, clock } = await start(database);
      put(period("price_starter", 0));
      await tell();
      const { creditsResetAt } = await now();
      let granted = (await now()).credits;
      for (let round = 0; round < 5; round++)
        for (const price of ["price_enterprise", "price_starter"]) {
          clock.advance(60_000);
          const before = await now();
          put({ price, invoice: invoiceOf({ price, start: clock.now(), isPart: true, amount: 3 }) });
          await tell();
          await tell("invoice.paid");
          granted += Math.max(0, (await now()).credits - before.credits);
        }
      expect(granted).toBe(1_500_000);
      expect(await now()).toMatchObject({ plan: "Starter", credits: 80_000, creditsResetAt });
    });

    test("an upgrade whose invoice was not paid gives nothing, and all of it once it is", async () => {
      const { put, tell, now, clock, billing } = await start(database);
      put(period("price_starter", 0));
      await tell();
      clock.set(day(20));
      const open = { price: "price_enterprise", start: day(20), isPart: true, amount: 9000 };
      put({ status: "past_due", price: "price_enterprise", invoice: invoiceOf({ ...open, status: "open" }) });
      await tell();
      const graceEndsAt = day(27);
      // The period is paid: what is unpaid begins with the change.
      expect(await now()).toMatchObject({ plan: "Starter", credits: 80_000, graceEndsAt });
      clock.set(day(26));
      await billing.tidy();
      put({ status: "active", invoice: invoiceOf(open) });
      await tell("invoice.paid");
      expect(await now()).toMatchObject({
        ...{ plan: "Enterprise", credits: 1_500_000, creditsResetAt: CYCLE_END, graceEndsAt: null },
      });
    });

    test("an unpaid invoice of another change does not extend a grace that runs", async () => {
      const { put, tell, now, clock, billing } = await start(database);
      put(period("price_starter", 0));
      await tell();
      clock.set(day(31));
      put({ ...period("price_starter", 31, { status: "open" }), status: "past_due" });
      await tell();
      for (const at of [33, 35, 37]) {
        clock.set(day(at));
        const change = { price: "price_pro", start: day(at), isPart: true, status: "open" };
        put({ price: "price_pro", invoice: invoiceOf(change) });
        await tell();
        expect(await now()).toMatchObject({ plan: "Starter", graceEndsAt: day(38) });
      }
      clock.set(day(38));
      await billing.tidy();
      expect(await now()).toMatchObject({ plan: "Free", credits: 100, graceEndsAt: null });
    });
  });

  describe("a newly paid period of a higher plan", () => {
    test("begins one cycle for each invoice, whichever event comes first, twice or late", async () => {
      const { put, tell, now, clock, accounts, email } = await start(database);
      clock.set(day(10));
      put({ ...period("price_pro", 10, { status: "open" }), status: "incomplete" });
      await tell();
      expect(await now()).toMatchObject({ plan: "Free", credits: 100, creditsResetAt: CYCLE_END });
      put({ ...period("price_pro", 10, { id: "in_one" }), status: "active" });
      await tell("invoice.paid");
      const paid = { plan: "Pro", credits: 300_000, creditsResetAt: day(40) };
      expect(await now()).toMatchObject(paid);
      await accounts.setCredits({ email, credits: 6 });
      clock.set(day(11));
      await tell("invoice.paid");
      await tell("invoice.payment_succeeded");
      await tell();
      expect(await now()).toMatchObject({ ...paid, credits: 6 });
    });

    test.each([
      ["a credit of the customer paid a part of it", { credit: 1 }],
      ["the plan of before was given back for it", { givenBack: 1000 }],
      ["it cost nothing", { amount: 0 }],
      ["it is for a part of the period", { isPart: true }],
      ["it is open", { status: "open" }],
    ])("begins no cycle when %s", async (_why, wish) => {
      const { put, tell, now, clock, accounts, email } = await start(database);
      clock.set(day(10));
      await accounts.setCredits({ email, credits: 40 });
      put(period("price_pro", 10, wish));
      await tell("invoice.paid");
      expect(await now()).toMatchObject({ plan: "Pro", credits: 299_940, creditsResetAt: CYCLE_END });
    });

    test("is none when a subscription that ended is bought again with its own credit", async () => {
      const { put, tell, now, clock } = await start(database);
      put(period("price_enterprise", 0));
      await tell();
      clock.set(day(1));
      put({ status: "canceled" });
      await tell("customer.subscription.deleted");
      expect(await now()).toMatchObject({ plan: "Free", credits: 100 });
      put({ ...period("price_enterprise", 1, { credit: 4990 }), status: "active" }, "sub_again");
      await tell("customer.subscription.created", "sub_again");
      expect(await now()).toMatchObject({ plan: "Enterprise", credits: 100, creditsResetAt: CYCLE_END });
    });

    test("is one when it is bought again with money", async () => {
      const { put, tell, now, clock } = await start(database);
      put(period("price_pro", 0));
      await tell();
      clock.set(day(1));
      put({ status: "canceled" });
      await tell("customer.subscription.deleted");
      put({ ...period("price_pro", 1), status: "active" }, "sub_paid_again");
      await tell("customer.subscription.created", "sub_paid_again");
      expect(await now()).toMatchObject({ plan: "Pro", credits: 300_000, creditsResetAt: day(31) });
    });
  });

  describe("a late payment", () => {
    const late = async () => {
      const all = await start(database);
      all.clock.set(day(10));
      all.put(period("price_pro", 10));
      await all.tell();
      // The cycle ends on day 40, the paid month on day 39.
      all.clock.set(day(39));
      await all.accounts.setCredits({ email: all.email, credits: 1000 });
      all.put({ ...period("price_pro", 39, { status: "open" }), status: "past_due" });
      await all.tell("invoice.payment_failed");
      return all;
    };

    test("keeps the plan seven days from the start of the unpaid period, without a refill, then Free", async () => {
      const { now, clock, billing } = await late();
      const held = { plan: "Pro", credits: 1000, cycleEndsAt: day(40), graceEndsAt: day(46) };
      expect(await now()).toMatchObject({ ...held, creditsResetAt: day(40), currentPeriodEnd: day(70) });
      for (const at of [41, 45.99]) {
        clock.set(day(at));
        await billing.tidy();
        expect(await now()).toMatchObject({ ...held, creditsResetAt: null });
      }
      clock.set(day(46));
      await billing.tidy();
      // The cycle that ended meanwhile begins as one of Free.
      const free = { plan: "Free", credits: 100, creditsGranted: 100, creditsResetAt: day(70) };
      expect(await now()).toMatchObject({ ...free, graceEndsAt: null, billingStatus: "past_due" });
    });

    test("is charged from what is left, to the last credit and no further, by known and by new callers", async () => {
      const { now, clock, ledger, accounts, email } = await late();
      const { text } = await accounts.createKey({ email });
      const find = async () => {
        const caller = await ledger.findCaller(text);
        if (caller === null) throw new Error("The key is not known");
        return caller;
      };
      await find();
      clock.set(day(41));
      const caller = await find();
      expect(caller).toMatchObject({ credits: 1000, creditsResetAt: null });
      const outcomes = await Promise.all(
        [600, 600, 400, 1].map((cost) => ledger.settle(callOf(caller), cost)),
      );
      expect(outcomes).toMatchObject([
        { state: "charged", creditsRemaining: 400 },
        { state: "insufficient", credits: 400, creditsResetAt: null },
        { state: "charged", creditsRemaining: 0 },
        { state: "insufficient", credits: 0, creditsResetAt: null },
      ]);
      expect((await find()).credits).toBe(0);
      expect(await now()).toMatchObject({ credits: 0, creditsResetAt: null });
    });

    test("that is made within the grace brings the refill that was due, and no new cycle", async () => {
      const { now, clock, put, tell } = await late();
      clock.set(day(44));
      put({ ...period("price_pro", 39), status: "active" });
      await tell("invoice.paid");
      expect(await now()).toMatchObject({
        ...{
          plan: "Pro",
          credits: 300_000,
          creditsGranted: 300_000,
          creditsResetAt: day(70),
          graceEndsAt: null,
        },
      });
    });

    test("that is made after the grace raises the plan in the cycle that runs", async () => {
      const { now, clock, put, tell, billing } = await late();
      clock.set(day(50));
      await billing.tidy();
      put({ ...period("price_pro", 39), status: "active" });
      await tell("invoice.paid");
      expect(await now()).toMatchObject({ plan: "Pro", credits: 300_000, creditsResetAt: day(70) });
    });

    test("ends on time when the provider does not answer; a payment that no event told of is seen", async () => {
      const { now, clock, billing, stripe } = await late();
      clock.set(day(47));
      stripe.failWith(500);
      await billing.tidy();
      stripe.failWith(null);
      expect((await now()).plan).toBe("Free");
      const other = await late();
      other.clock.set(day(47));
      other.put({ ...period("price_pro", 39), status: "active" });
      await other.billing.tidy();
      expect(await other.now()).toMatchObject({ plan: "Pro", graceEndsAt: null });
    });

    test("ends at another subscription of the customer that is paid", async () => {
      const { now, clock, billing, put } = await late();
      put({ ...period("price_starter", 39), status: "active" }, "sub_other");
      clock.set(day(47));
      await billing.tidy();
      expect(await now()).toMatchObject({ plan: "Starter", billingStatus: "active", graceEndsAt: null });
    });

    test("that is seen first gives no plan", async () => {
      const { put, tell, now } = await start(database);
      put({ ...period("price_pro", 0, { status: "open" }), status: "past_due" });
      await tell();
      expect(await now()).toMatchObject({ plan: "Free", credits: 100 });
    });
  });

  describe("a trial", () => {
    test.each([
      [undefined, 100, "the Free grant"],
      [5000, 5000, "billing.trial_credits"],
      [1_500_000, 300_000, "at most the plan's"],
      [0, 100, "none: what Free granted before stays"],
    ])("with trial_credits %s leaves %i: %s", async (trialCredits, credits, _why) => {
      const { put, tell, now } = await start(database, trialCredits === undefined ? {} : { trialCredits });
      put({ ...period("price_pro", 0, { amount: 0 }), status: "trialing" });
      await tell();
      expect(await now()).toMatchObject({ plan: "Pro", credits, creditsResetAt: CYCLE_END });
    });

    test("is refilled as a trial, and becomes the whole grant once it is paid", async () => {
      const { put, tell, now, clock, accounts, email } = await start(database);
      put({ ...period("price_pro", 0, { amount: 0 }), status: "trialing" });
      await tell();
      await accounts.setCredits({ email, credits: 0 });
      clock.set(day(30));
      expect(await now()).toMatchObject({ plan: "Pro", credits: 100, creditsGranted: 100 });
      clock.set(day(31));
      put({ ...period("price_pro", 31), status: "active" });
      await tell();
      expect(await now()).toMatchObject({
        credits: 300_000,
        creditsGranted: 300_000,
        creditsResetAt: day(60),
      });
    });

    test("whose first payment fails gives no more than the trial, then Free", async () => {
      const { put, tell, now, clock, billing } = await start(database, { trialCredits: 5000 });
      put({ ...period("price_pro", 0, { amount: 0 }), status: "trialing" });
      await tell();
      clock.set(day(14));
      put({ ...period("price_pro", 14, { status: "open" }), status: "past_due" });
      await tell();
      expect(await now()).toMatchObject({ plan: "Pro", credits: 5000, graceEndsAt: day(21) });
      clock.set(day(21));
      await billing.tidy();
      expect(await now()).toMatchObject({ plan: "Free", credits: 100 });
    });

    test("of a plan that was paid takes nothing away, and one of a lower plan does", async () => {
      const { put, tell, now } = await start(database);
      put(period("price_starter", 0));
      await tell();
      put({ status: "trialing", price: "price_pro" });
      await tell();
      expect(await now()).toMatchObject({ plan: "Pro", credits: 80_000, creditsGranted: 80_000 });
      put({ status: "trialing", price: "price_starter" });
      await tell();
      expect(await now()).toMatchObject({ plan: "Starter", credits: 100, creditsGranted: 80_000 });
    });
  });

  test("pausing and resuming, or a quantity of none and one again, grants nothing twice", async () => {
    const { put, tell, now } = await start(database);
    put(period("price_pro", 0));
    await tell();
    for (const [off, on] of [
      [{ isPaused: true }, { isPaused: false }],
      [{ quantity: 0 }, { quantity: 1 }],
      [{ status: "paused" }, { status: "active" }],
    ]) {
      put(off ?? {});
      await tell();
      expect(await now()).toMatchObject({ plan: "Free", credits: 100 });
      put(on ?? {});
      await tell();
      expect(await now()).toMatchObject({ plan: "Pro", credits: 100, creditsResetAt: CYCLE_END });
    }
  });
});
