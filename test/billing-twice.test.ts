import { expect, test } from "vitest";
import { HOUR_MS } from "../src/base/durations.ts";
import { openCustomer, startBilling } from "./billing-setting.ts";
import { endBeforeDatabase, forEachDatabase, type TestDatabase } from "./databases.ts";
import { createMovableClock } from "./movable-clock.ts";
import { outcomeOf } from "./sign-in-setting.ts";

async function start(database: TestDatabase) {
  const clock = createMovableClock();
  const db = await database.open(clock);
  const setting = await startBilling({ db, clock });
  endBeforeDatabase(setting.stripe.close);
  const customer = await openCustomer(setting);
  // Bought once, and ended: the provider's customer is known.
  customer.put({ status: "canceled", price: "price_pro" });
  await customer.tell();
  const buy = async (plan: "Starter" | "Pro" | "Enterprise") =>
    outcomeOf(setting.billing.checkout(await customer.now(), plan));
  return { ...setting, customer, buy };
}

forEachDatabase((_dialect, database) => {
  test.each([
    ["active", "Pro"],
    ["trialing", "Pro"],
    ["past_due", "Free"],
    ["unpaid", "Free"],
    ["paused", "Free"],
  ])(
    "a subscription that is %s, and no event told of, is not sold a second time: it counts",
    async (status, plan) => {
      const { customer, buy, billing, stripe } = await start(database);
      customer.put({ status, price: "price_pro" }, "sub_again");
      expect(await buy("Starter")).toBe("CONFLICT");
      expect(stripe.checkouts).toEqual([]);
      const account = await customer.now();
      expect(account).toMatchObject({ plan, billingStatus: status });
      expect(billing.hasSubscription(account)).toBe(true);
      // The event comes after all, and changes nothing.
      await customer.tell("customer.subscription.created", "sub_again");
      expect(await customer.now()).toEqual(account);
    },
  );

  test("nothing else keeps a plan from being sold", async () => {
    const { customer, buy, stripe } = await start(database);
    customer.put({ status: "active", price: "price_of_something_else" }, "sub_support");
    customer.put({ status: "incomplete_expired", price: "price_pro" }, "sub_lapsed");
    expect(await buy("Starter")).toBe("done");
    expect(stripe.checkouts.length).toBe(1);
    expect((await customer.now()).billingStatus).toBe("canceled");
  });

  test("a first plan that no event told of is the same checkout for up to 23 hours, however often it is asked for", async () => {
    const setting = await start(database);
    const { billing, stripe, clock } = setting;
    // The beginning of such a stretch.
    clock.set(new Date(Math.ceil(clock.now().getTime() / (23 * HOUR_MS)) * 23 * HOUR_MS));
    const first = await openCustomer(setting);
    const buy = async (plan: "Starter" | "Pro") => billing.checkout(await first.now(), plan);
    const url = await buy("Pro");
    for (let hour = 0; hour < 22; hour++) {
      clock.advance(HOUR_MS);
      expect(await buy("Pro")).toBe(url);
    }
    expect(stripe.checkouts.length).toBe(1);
    expect(await buy("Starter")).not.toBe(url);
    // The provider has ended the first one by then.
    clock.advance(24 * HOUR_MS);
    expect(await buy("Pro")).not.toBe(url);
    // An event that acted makes room for another one.
    const later = await buy("Pro");
    first.put({ status: "active", price: "price_pro" });
    await first.tell();
    first.put({ status: "canceled" });
    await first.tell();
    expect(await buy("Pro")).not.toBe(later);
  });

  test("nothing is sold while the provider cannot say what was", async () => {
    const { buy, stripe } = await start(database);
    stripe.failWith(400);
    expect(await buy("Starter")).toBe("SERVICE_UNAVAILABLE");
    expect(stripe.checkouts).toEqual([]);
  });

  async function startNew() {
    const setting = await start(database);
    const first = await openCustomer(setting);
    const buy = async (plan: "Starter" | "Pro" | "Enterprise") =>
      setting.billing.checkout(await first.now(), plan);
    const open = () =>
      setting.stripe.checkouts.filter(({ status }) => status === "open").map(({ url }) => url);
    return { ...setting, first, buy, open };
  }

  test.each(["Starter", "Pro", "Enterprise"] as const)(
    "a first plan that was paid, and no event told of, counts when %s is asked for, and is not sold again",
    async (next) => {
      const { first, buy, stripe, open } = await startNew();
      stripe.payUnheard(await buy("Pro"));
      expect(await outcomeOf(buy(next))).toBe("CONFLICT");
      expect(open()).toEqual([]);
      expect(await first.now()).toMatchObject({ plan: "Pro", billingStatus: "active", credits: 300_000 });
    },
  );

  test.each([1, 3, 30])("nor is it sold again when no event told of it for %i days", async (days) => {
    const { first, buy, stripe, open, clock } = await startNew();
    await buy("Starter");
    stripe.payUnheard(await buy("Pro"));
    clock.advance(days * 24 * HOUR_MS + 1);
    expect(await outcomeOf(buy("Pro"))).toBe("CONFLICT");
    expect(open()).toEqual([]);
    expect(await first.now()).toMatchObject({ plan: "Pro", billingStatus: "active" });
  });

  test("of one account's checkouts one is open: another plan ends it, and the way back is one that can be paid", async () => {
    const { first, buy, stripe, open } = await startNew();
    const urls: string[] = [];
    for (const plan of ["Pro", "Starter", "Pro", "Enterprise", "Pro"] as const) {
      const url = await buy(plan);
      expect(open()).toEqual([url]);
      expect(await buy(plan)).toBe(url);
      expect(urls).not.toContain(url);
      urls.push(url);
    }
    expect(() => stripe.payUnheard(urls[0] ?? "")).toThrow();
    stripe.payUnheard(urls.at(-1) ?? "");
    expect(await outcomeOf(buy("Starter"))).toBe("CONFLICT");
    expect((await first.now()).plan).toBe("Pro");
  });

  test("no more than twenty checkouts begin for an account in a day, and the last one can be paid", async () => {
    const { buy, stripe, open, clock } = await startNew();
    const outcomes: string[] = [];
    for (let i = 0; i < 24; i++) outcomes.push(await outcomeOf(buy(i % 2 === 0 ? "Pro" : "Starter")));
    expect(outcomes.filter((one) => one === "done").length).toBe(22);
    expect(stripe.checkouts.length).toBe(20);
    const [last = ""] = open();
    expect(await buy("Starter")).toBe(last);
    clock.advance(25 * HOUR_MS);
    expect(await outcomeOf(buy("Pro"))).toBe("done");
  });

  test("nor where another one is open by then", async () => {
    const { buy, open } = await startNew();
    for (let i = 0; i < 4; i++) {
      await buy("Pro");
      const plans = ["Starter", "Enterprise", "Starter", "Pro", "Enterprise"] as const;
      const outcomes = await Promise.all(plans.map((plan) => outcomeOf(buy(plan))));
      expect(open().length).toBeLessThanOrEqual(1);
      expect(["done", "CONFLICT"]).toEqual(expect.arrayContaining(outcomes));
    }
  });

  test("of plans that are asked for at the same moment at most one can be paid", async () => {
    const { buy, open } = await startNew();
    const plans = ["Starter", "Pro", "Enterprise", "Starter"] as const;
    await Promise.all(plans.map((plan) => outcomeOf(buy(plan))));
    expect(open().length).toBeLessThanOrEqual(1);
    const url = await buy("Pro");
    expect(open()).toEqual([url]);
  });

  test("a plan that was bought and has ended, while no event told of it, is sold again", async () => {
    const { buy, stripe, open } = await startNew();
    stripe.payUnheard(await buy("Pro"));
    const [id = ""] = stripe.checkouts.flatMap(({ subscription }) => subscription ?? []);
    stripe.put(id, { status: "canceled" });
    const url = await buy("Pro");
    expect(open()).toEqual([url]);
  });

  test("a key of the provider's that may not read checkouts sells: the same plan is the same checkout", async () => {
    const { buy, stripe } = await startNew();
    stripe.refuseCheckouts(true);
    const url = await buy("Pro");
    expect(await buy("Pro")).toBe(url);
    expect(stripe.checkouts.length).toBe(1);
  });
});
