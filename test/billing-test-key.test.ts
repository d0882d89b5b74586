import { expect, test } from "vitest";
import { deleteAccount } from "../src/accounts/delete-account.ts";
import { systemRandom } from "../src/base/clock.ts";
import { DAY_MS, HOUR_MS } from "../src/base/durations.ts";
import { mayCollect } from "../src/billing/entitlement.ts";
import { openCustomer, startBilling } from "./billing-setting.ts";
import { endBeforeDatabase, forEachDatabase } from "./databases.ts";
import { createMovableClock } from "./movable-clock.ts";
import { outcomeOf } from "./sign-in-setting.ts";

forEachDatabase((_dialect, database) => {
  /** A customer of Pro, and a key of the provider's test mode in the place of the one that sold it. */
  const start = async () => {
    const clock = createMovableClock();
    const db = await database.open(clock);
    const setting = await startBilling({ db, clock });
    endBeforeDatabase(setting.stripe.close);
    const customer = await openCustomer(setting);
    const begin = clock.now();
    const end = new Date(begin.getTime() + 30 * DAY_MS);
    customer.put({
      status: "active",
      price: "price_pro",
      currentPeriodStart: begin,
      currentPeriodEnd: end,
    });
    await customer.tell();
    setting.stripe.useTestKey(true);
    return { ...setting, customer, end };
  };

  test("an event is not taken with a key of the test mode, and acts when the key is right again", async () => {
    const { customer, stripe } = await start();
    for (const type of ["customer.subscription.updated", "invoice.paid"]) {
      expect(await outcomeOf(customer.tell(type))).toBe("SERVICE_UNAVAILABLE");
    }
    expect(await customer.now()).toMatchObject({ plan: "Pro", billingStatus: "active" });
    stripe.useTestKey(false);
    customer.put({ price: "price_starter" });
    await customer.tell();
    expect((await customer.now()).plan).toBe("Starter");
  });

  test("a plan whose period ends meanwhile is kept, and is asked about again", async () => {
    const { customer, stripe, billing, clock, end } = await start();
    clock.set(new Date(end.getTime() + HOUR_MS));
    await billing.tidy();
    expect(await customer.now()).toMatchObject({ plan: "Pro", billingStatus: "active" });
    stripe.useTestKey(false);
    customer.put({ status: "canceled" });
    clock.advance(DAY_MS);
    await billing.tidy();
    expect((await customer.now()).plan).toBe("Free");
  });

  test("what was bought for an account that is deleted is cancelled with the right key", async () => {
    const { accounts, stripe, take, db, clock } = await start();
    const { id } = await accounts.createAccount({ email: "gone@example.com" });
    const rules = { mayCollect, owners: [] };
    await deleteAccount({ accountId: id, actor: "cli" }, rules, { db, clock, random: systemRandom });
    stripe.put("sub_late", { status: "active", customer: "cus_late", price: "price_pro", accountId: id });
    const paid = stripe.event("checkout.session.completed", {
      ...{ id: "cs_late", client_reference_id: id, customer: "cus_late", subscription: "sub_late" },
    });
    expect(await outcomeOf(take(paid))).toBe("SERVICE_UNAVAILABLE");
    expect(stripe.statusOf("sub_late")).toBe("active");
    stripe.useTestKey(false);
    await take(paid);
    expect(stripe.statusOf("sub_late")).toBe("canceled");
  });

  test("nothing is sold to a customer of the live mode by a key of the test mode", async () => {
    const { customer, billing } = await start();
    const account = await customer.now();
    expect(await outcomeOf(billing.portal(account))).toBe("SERVICE_UNAVAILABLE");
    expect(await outcomeOf(billing.checkout({ ...account, billingStatus: null }, "Pro"))).toBe(
      "SERVICE_UNAVAILABLE",
    );
  });
});
