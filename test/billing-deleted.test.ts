import { expect, test } from "vitest";
import { deleteAccount } from "../src/accounts/delete-account.ts";
import { systemRandom } from "../src/base/clock.ts";
import { mayCollect } from "../src/billing/entitlement.ts";
import { openCustomer, startBilling } from "./billing-setting.ts";
import { endBeforeDatabase, forEachDatabase } from "./databases.ts";
import { createMovableClock } from "./movable-clock.ts";
import { outcomeOf } from "./sign-in-setting.ts";

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

  test("events and the deletion at the same time: each event is taken, and nothing of the account is left", async () => {
    const { customer, remove, take, left } = await start();
    customer.put({ status: "canceled", price: "price_pro" });
    const events = Array.from({ length: 12 }, () => take(customer.event()));
    const outcomes = await Promise.all([...events.map((event) => outcomeOf(event)), remove()]);
    expect(new Set(outcomes)).toEqual(new Set(["done"]));
    expect(await left()).toEqual(NOTHING);
  });
});
