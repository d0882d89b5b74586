import { describe, expect, test } from "vitest";
import { deleteAccount } from "../src/accounts/delete-account.ts";
import { systemRandom } from "../src/base/clock.ts";
import { mayCollect } from "../src/billing/entitlement.ts";
import { openCustomer, startBilling } from "./billing-setting.ts";
import { endBeforeDatabase, forEachDatabase } from "./databases.ts";
import { createMovableClock } from "./movable-clock.ts";
import type { TestStripe } from "./servers/stripe-server.ts";
import { outcomeOf } from "./sign-in-setting.ts";

const cancelled = ({ asked }: TestStripe): number =>
  asked.filter((question) => question.startsWith("DELETE ")).length;

forEachDatabase((_dialect, database) => {
  const start = async () => {
    const clock = createMovableClock();
    const db = await database.open(clock);
    const setting = await startBilling({ db, clock });
    endBeforeDatabase(setting.stripe.close);
    const customer = await openCustomer(setting);
    const rules = { mayCollect, owners: [] };
    const remove = () =>
      outcomeOf(
        deleteAccount({ accountId: customer.id, actor: "cli" }, rules, { db, clock, random: systemRandom }),
      );
    const left = async () => {
      const { kysely } = db;
      return {
        accounts: (await kysely.selectFrom("accounts").select("id").execute()).length,
        customers: (await kysely.selectFrom("billing_customers").select("account_id").execute()).length,
        invoices: (await kysely.selectFrom("billing_invoices").select("id").execute()).length,
        named: (await kysely.selectFrom("billing_events").select("account_id").execute()).filter(
          ({ account_id }) => account_id !== null,
        ).length,
      };
    };
    return { ...setting, customer, remove, left };
  };
  const NOTHING = { accounts: 0, customers: 0, invoices: 0, named: 0 };

  test.each(["active", "trialing", "past_due", "unpaid", "paused", "incomplete"])(
    "an account whose subscription is %s stays until that has ended",
    async (status) => {
      const { customer, remove } = await start();
      customer.put({ status, price: "price_pro" });
      await customer.tell();
      expect(await remove()).toBe("CONFLICT");
      customer.put({ status: "canceled", price: "price_pro" });
      await customer.tell();
      expect(await remove()).toBe("done");
    },
  );

  test("a plan that is pressed while the account is deleted leaves nothing to pay, and no name", async () => {
    const { customer, remove, left, billing, stripe } = await start();
    const [before, plans] = [await customer.now(), ["Pro", "Enterprise"] as const];
    expect(await remove()).toBe("done");
    for (const plan of plans) expect(await outcomeOf(billing.checkout(before, plan))).toBe("NOT_FOUND");
    expect(stripe.checkouts.map(({ status }) => status)).toEqual(plans.map(() => "expired"));
    expect(await left()).toEqual(NOTHING);
  });

  test.each([
    "customer.subscription.updated",
    "customer.subscription.deleted",
    "invoice.paid",
    "checkout.session.completed",
    "customer.deleted",
  ])("a later %s is taken, twice, and changes nothing", async (type) => {
    const { customer, remove, take, left } = await start();
    customer.put({ status: "canceled", price: "price_pro" });
    await customer.tell();
    expect(await remove()).toBe("done");
    customer.put({ status: "active", price: "price_enterprise" });
    const event = customer.event(type);
    await take(event);
    await take(event);
    expect(await left()).toEqual(NOTHING);
  });

  describe("a checkout that was open when its account was deleted, and is paid then", () => {
    test.each(["active", "trialing", "past_due", "unpaid", "paused", "incomplete"])(
      "is a subscription that is cancelled once, whichever event tells of it: %s",
      async (status) => {
        const { customer, remove, take, left, stripe } = await start();
        expect(await remove()).toBe("done");
        customer.put({ status, price: "price_pro" });
        const events = ["customer.subscription.created", "checkout.session.completed", "invoice.paid"];
        for (const type of events) {
          const event = customer.event(type);
          await take(event);
          await take(event);
          expect([type, stripe.statusOf(customer.subscription)]).toEqual([type, "canceled"]);
        }
        expect(cancelled(stripe)).toBe(1);
        expect(await left()).toEqual(NOTHING);
      },
    );

    test("is taken again when the provider could not be told to cancel", async () => {
      const { customer, remove, take, stripe } = await start();
      expect(await remove()).toBe("done");
      customer.put({ price: "price_pro" });
      const event = customer.event("checkout.session.completed");
      stripe.refuseCancelling(true);
      expect(await outcomeOf(take(event))).toBe("SERVICE_UNAVAILABLE");
      stripe.refuseCancelling(false);
      await take(event);
      expect(stripe.statusOf(customer.subscription)).toBe("canceled");
    });

    test("is left alone when it was begun for an account that was never here", async () => {
      const { take, stripe } = await start();
      for (const accountId of ["00000000-0000-4000-8000-000000000000", undefined]) {
        const name = `sub_of_${accountId}`;
        stripe.put(name, { customer: "cus_other", ...(accountId === undefined ? {} : { accountId }) });
        const object = { customer: "cus_other", subscription: name, client_reference_id: accountId };
        await take(stripe.event("checkout.session.completed", object));
        await take(stripe.event("customer.subscription.created", { id: name, customer: "cus_other" }));
        expect(stripe.statusOf(name)).toBe("active");
      }
      expect(cancelled(stripe)).toBe(0);
    });
  });

  test("events and the deletion at the same time: each event is taken, and nothing of the account is left", async () => {
    const { customer, remove, take, left } = await start();
    customer.put({ status: "canceled", price: "price_pro" });
    const events = Array.from({ length: 12 }, () => take(customer.event()));
    const outcomes = await Promise.all([...events.map((event) => outcomeOf(event)), remove()]);
    expect(new Set(outcomes)).toEqual(new Set(["done"]));
    expect(await left()).toEqual(NOTHING);
  });
});
