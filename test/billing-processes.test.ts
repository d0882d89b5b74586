import { afterEach, expect, test } from "vitest";
import { createAccounts } from "../src/accounts/account-store.ts";
import { deleteAccount } from "../src/accounts/delete-account.ts";
import { systemClock, systemRandom } from "../src/base/clock.ts";
import { mayCollect } from "../src/billing/entitlement.ts";
import { openCustomer } from "./billing-setting.ts";
import { forEachDatabase, type TestDatabase } from "./databases.ts";
import { invoiceOf, type TestEvent } from "./servers/stripe-objects.ts";
import { startStripeServer } from "./servers/stripe-server.ts";
import { callService } from "./service.ts";
import { createServicePlace, endServiceProcesses, startServiceProcess } from "./service-process.ts";
import { outcomeOf } from "./sign-in-setting.ts";

let leave: () => Promise<void> = async () => undefined;
afterEach(async () => {
  await endServiceProcesses();
  await leave();
});

const GRANTS = { Free: 1000, Starter: 80_000, Pro: 300_000, Enterprise: 1_500_000 } as const;

type Prices = Readonly<Record<string, string>>;
const PRICES: Prices = { Starter: "price_starter", Pro: "price_pro", Enterprise: "price_enterprise" };

/** Two processes of one service, and a provider whose events may go to either. */
async function start(database: TestDatabase, pricesOf: readonly Prices[] = [PRICES, PRICES]) {
  const stripe = await startStripeServer();
  leave = stripe.close;
  const secrets = {
    ...{ stripe_secret_key: "sk_test", stripe_webhook_secret: stripe.webhookSecret },
    stripe_api_base: stripe.url,
  };
  const processes = [];
  for (const prices of pricesOf) {
    const { env } = await createServicePlace(database, { file: { billing: { ...secrets, prices } } });
    processes.push(startServiceProcess(env));
  }
  const ports = await Promise.all(processes.map(({ listening }) => listening));
  const db = await database.open();
  const deps = { db, clock: db.clock, random: systemRandom };
  const accounts = createAccounts(deps);
  const tell = (i: number, event: TestEvent): Promise<number> =>
    stripe.deliver(event, `http://127.0.0.1:${ports[i % 2]}/api/billing/webhook`).catch(() => 0);
  /** As the provider does: sent until it is taken, to one process or the other. */
  const tellUntilTaken = async (i: number, event: TestEvent): Promise<void> => {
    for (let at = i; ; at++) {
      const status = await tell(at, event);
      if (status === 200) return;
      expect([0, 503]).toContain(status);
      await systemClock.sleep(50);
    }
  };
  const take = async (event: TestEvent): Promise<void> => tellUntilTaken(0, event);
  const openOne = async () => {
    const customer = await openCustomer({ accounts, stripe, take });
    const { text: key, key: made } = await accounts.createKey({ email: customer.email });
    return { ...customer, key, keyId: made.id };
  };
  const remove = (accountId: string) =>
    outcomeOf(deleteAccount({ accountId, actor: "cli" }, { mayCollect, owners: [] }, deps));
  const askOn = async (i: number, key: string): Promise<number> =>
    (await callService(ports[i] ?? 0, { method: "GET", path: "/api/account/subscription", key })).status;
  return { stripe, processes, db, accounts, tell, tellUntilTaken, openOne, remove, askOn };
}

type Setting = Awaited<ReturnType<typeof start>>;
type One = Awaited<ReturnType<Setting["openOne"]>>;

/** What an admin does at the same moment; the highest plan that the account had by it, and whether its key still works. */
const CHANGES = {
  nothing: [async () => "done", "Pro", true],
  "a higher plan": [
    ({ accounts }, { email }) => outcomeOf(accounts.setPlan({ email, plan: "Enterprise" })),
    "Enterprise",
    true,
  ],
  "a lower plan": [
    ({ accounts }, { email }) => outcomeOf(accounts.setPlan({ email, plan: "Starter" })),
    "Pro",
    true,
  ],
  "other credits": [
    ({ accounts }, { email }) => outcomeOf(accounts.setCredits({ email, credits: 5 })),
    "Pro",
    true,
  ],
  disabling: [
    ({ accounts }, { email }) => outcomeOf(accounts.setDisabled({ email, isDisabled: true })),
    "Pro",
    false,
  ],
  "revoking the key": [({ accounts }, { keyId }) => outcomeOf(accounts.revokeKey(keyId)), "Pro", false],
  deleting: [({ remove }, { id }) => remove(id), "Pro", null],
} as const satisfies Record<
  string,
  readonly [(setting: Setting, one: One) => Promise<string>, keyof typeof GRANTS, boolean | null]
>;

const TIMES = 4;

forEachDatabase(
  (_dialect, database) => {
    test("events that come twice, late and at both processes beside an admin's change: one grant, no key revived, none lost", async () => {
      const setting = await start(database);
      const { stripe, db, accounts, tellUntilTaken, openOne, askOn } = setting;
      const race = async (name: keyof typeof CHANGES) => {
        const one = await openOne();
        const [change, highest, isAlive] = CHANGES[name];
        const startAt = new Date();
        one.put({ currentPeriodStart: startAt, price: "price_pro", ...paid(one.subscription, startAt) });
        const events = ["customer.subscription.created", "invoice.paid", "customer.subscription.updated"].map(
          (type) => one.event(type),
        );
        const twice = [...events, ...events.toReversed()];
        const [outcome] = await Promise.all([
          change(setting, one),
          ...twice.map((event, i) => tellUntilTaken(i, event)),
        ]);
        const before = await accounts.findAccount(one.email);
        // All of them come once more, late and the other way round.
        for (const [i, event] of events.toReversed().entries()) await tellUntilTaken(i, event);
        const account = await accounts.findAccount(one.email);
        expect(account, name).toEqual(before);
        const ids = events.map(({ id }) => id);
        const known = await db.kysely
          .selectFrom("billing_events")
          .select("id")
          .where("id", "in", ids)
          .execute();
        expect(known.map(({ id }) => id).toSorted(), name).toEqual(ids.toSorted());
        const works = await Promise.all([0, 1].map((i) => askOn(i, one.key)));
        if (name === "deleting" && outcome === "done") {
          expect(account).toBeNull();
          expect(stripe.statusOf(one.subscription)).toBe("canceled");
          expect(works).toEqual([401, 401]);
          return;
        }
        expect(outcome).toBe(name === "deleting" ? "CONFLICT" : "done");
        expect(account?.billingStatus, name).toBe("active");
        expect(account?.credits, name).toBeLessThanOrEqual(GRANTS[highest]);
        expect(account?.creditsGranted, name).toBeLessThanOrEqual(GRANTS[highest]);
        if (name === "nothing") expect(account).toMatchObject({ plan: "Pro", credits: GRANTS.Pro });
        expect(works, name).toEqual(isAlive === false ? [401, 401] : [200, 200]);
        const invoices = await db.kysely
          .selectFrom("billing_invoices")
          .select("id")
          .where("account_id", "=", one.id)
          .execute();
        expect(invoices).toHaveLength(1);
      };
      const names = Object.keys(CHANGES) as (keyof typeof CHANGES)[];
      for (let i = 0; i < TIMES; i++) await Promise.all(names.map(race));
    }, 180_000);

    test("an event whose process dies in the middle of it acts once, at the other process", async () => {
      const { stripe, processes, accounts, tell, tellUntilTaken, openOne } = await start(database);
      const one = await openOne();
      const startAt = new Date();
      one.put({ currentPeriodStart: startAt, price: "price_pro", ...paid(one.subscription, startAt) });
      const event = one.event("invoice.paid");
      const held = stripe.holdNext();
      const first = tell(0, event);
      await held.asked;
      processes[0]?.kill();
      expect(await first).toBe(0);
      held.letGo();
      expect((await one.now()).plan).toBe("Free");
      await tellUntilTaken(1, event);
      const account = await one.now();
      expect(account).toMatchObject({ plan: "Pro", credits: GRANTS.Pro });
      expect(await tell(1, event)).toBe(200);
      expect(await accounts.findAccount(one.email)).toEqual(account);
    }, 60_000);

    test("a price that the process which took the event does not know counts as soon as the other one looks", async () => {
      const setting = await start(database, [{ Starter: "price_starter" }, PRICES]);
      const { db, tell, openOne } = setting;
      const one = await openOne();
      const startAt = new Date();
      one.put({ currentPeriodStart: startAt, price: "price_pro", ...paid(one.subscription, startAt) });
      expect(await tell(0, one.event("invoice.paid"))).toBe(200);
      expect(await one.now()).toMatchObject({ plan: "Free", billingStatus: "active" });
      await expect
        .poll(one.now, { timeout: 90_000, interval: 500 })
        .toMatchObject({ plan: "Pro", credits: GRANTS.Pro });
      const waiting = () =>
        db.kysely.selectFrom("billing_events").select("id").where("type", "=", "price.unknown").execute();
      await expect.poll(waiting).toEqual([]);
    }, 120_000);
  },
  { hasSqlite: false },
);

const paid = (name: string, start: Date) => ({
  status: "active",
  invoice: invoiceOf({ id: `in_${name}`, price: "price_pro", start, status: "paid" }),
});
