import { describe, expect, test } from "vitest";
import { DAY_MS } from "../src/base/durations.ts";
import { openCustomer, startBilling } from "./billing-setting.ts";
import { endBeforeDatabase, forEachDatabase, type TestDatabase } from "./databases.ts";
import { createMovableClock } from "./movable-clock.ts";
import { invoiceOf } from "./servers/stripe-objects.ts";

const BEGIN = new Date("2026-01-01T00:00:00Z");
const day = (days: number): Date => new Date(BEGIN.getTime() + days * DAY_MS);

async function start(database: TestDatabase) {
  const clock = createMovableClock(BEGIN);
  const db = await database.open(clock);
  const setting = await startBilling({ db, clock });
  endBeforeDatabase(setting.stripe.close);
  return setting;
}

type Setting = Awaited<ReturnType<typeof start>>;

/** A customer of Pro whose payment has been late since day 0. */
async function openLate(setting: Setting) {
  const customer = await openCustomer(setting, "Pro");
  customer.put({
    status: "past_due",
    price: "price_pro",
    currentPeriodStart: BEGIN,
    currentPeriodEnd: day(31),
    invoice: invoiceOf({ price: "price_pro", start: BEGIN, status: "open" }),
  });
  await customer.tell();
  expect(await customer.now()).toMatchObject({ plan: "Pro", graceEndsAt: day(7) });
  return customer;
}

const eventsOf = (setting: Setting) =>
  setting.db.kysely.selectFrom("billing_events").select("type").orderBy("type").execute();

forEachDatabase((_dialect, database) => {
  describe("a grace ends, and events are forgotten, when", () => {
    test("the provider lists a subscription that cannot be read", async () => {
      const setting = await start(database);
      const first = await openLate(setting);
      const second = await openLate(setting);
      for (const { put, subscription } of [first, second]) {
        put({ status: "active" }, `${subscription}_other`);
        setting.stripe.garble(`${subscription}_other`);
      }
      setting.clock.set(day(100));
      await setting.billing.tidy();
      for (const { now } of [first, second])
        expect(await now()).toMatchObject({ plan: "Free", graceEndsAt: null });
      const types = (await eventsOf(setting)).map(({ type }) => type);
      // Their period is over as well, and no event told of another one.
      expect(types).toEqual(["grace.over", "grace.over", "period.over", "period.over"]);
    });

    test("the late subscription itself cannot be read", async () => {
      const setting = await start(database);
      const late = await openLate(setting);
      setting.stripe.garble(late.subscription);
      setting.clock.set(day(8));
      await setting.billing.tidy();
      expect(await late.now()).toMatchObject({ plan: "Free", graceEndsAt: null });
    });

    test("another account cannot be changed at all", async () => {
      const setting = await start(database);
      const late = [await openLate(setting), await openLate(setting), await openLate(setting)];
      const [, broken] = late;
      const write = setting.db.kysely.updateTable("accounts").set({ plan: "Gold" });
      await write.where("id", "=", broken?.id ?? "").execute();
      setting.clock.set(day(100));
      await setting.billing.tidy();
      const plans = await setting.db.kysely
        .selectFrom("accounts")
        .select(["id", "plan"])
        .orderBy("id")
        .execute();
      expect(new Map(plans.map(({ id, plan }) => [id, plan]))).toEqual(
        new Map(late.map((one) => [one.id, one === broken ? "Gold" : "Free"])),
      );
      expect((await eventsOf(setting)).map(({ type }) => type)).not.toContain(
        "customer.subscription.updated",
      );
    });
  });

  test.each([
    ["a grace is over while the provider is away", (setting: Setting) => setting.billing.tidy()],
    [
      "the operator sets it",
      async ({ accounts }: Setting, email: string) => void (await accounts.setPlan({ email, plan: "Free" })),
    ],
  ])("a cancelled subscription's account that is Free since %s has no end ahead", async (_how, end) => {
    const setting = await start(database);
    const late = await openLate(setting);
    late.put({ cancelAtPeriodEnd: true });
    await late.tell();
    const before = await setting.accounts.subscriptionOf(late.id);
    expect(before).toMatchObject({ plan: "Pro", cancel_at_period_end: true });
    setting.stripe.failWith(400);
    setting.clock.set(day(8));
    await end(setting, late.email);
    expect(await setting.accounts.subscriptionOf(late.id)).toMatchObject({
      ...{ plan: "Free", billing_status: null, current_period_end: null, cancel_at_period_end: false },
    });
  });

  test("an event is taken when the customer's other subscription cannot be read", async () => {
    const setting = await start(database);
    const late = await openLate(setting);
    late.put({ status: "active" }, `${late.subscription}_other`);
    setting.stripe.garble(`${late.subscription}_other`);
    late.put({ status: "canceled" });
    await late.tell("customer.subscription.deleted");
    expect(await late.now()).toMatchObject({ plan: "Free", billingStatus: "canceled" });
  });
});
