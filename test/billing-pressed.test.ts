import fc from "fast-check";
import { expect, test } from "vitest";
import { deleteAccount } from "../src/accounts/delete-account.ts";
import { systemClock, systemRandom } from "../src/base/clock.ts";
import { mayCollect } from "../src/billing/entitlement.ts";
import { openCustomer, startBilling } from "./billing-setting.ts";
import { endBeforeDatabase, forEachDatabase, type TestDatabase } from "./databases.ts";
import { createMovableClock } from "./movable-clock.ts";
import { outcomeOf } from "./sign-in-setting.ts";

const PLANS = ["Starter", "Pro", "Enterprise"] as const;

/** What owners, the provider and its events do at the same time; `on` is one of two processes. */
const act = fc.record({
  what: fc.constantFrom("press", "press", "pay", "pay", "tell", "cancel", "delete"),
  on: fc.constantFrom(0, 1),
  plan: fc.constantFrom(...PLANS),
  pauseMs: fc.nat(60),
});
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

/** Two processes, each with connections of its own, and one provider. */
async function startTwo(database: TestDatabase) {
  const clock = createMovableClock();
  const first = await startBilling({ db: await database.open(clock), clock });
  endBeforeDatabase(first.stripe.close);
  const second = await startBilling({ db: await database.open(clock), clock, stripe: first.stripe });
  return [first, second] as const;
}

type Processes = Awaited<ReturnType<typeof startTwo>>;

async function openBuyer(processes: Processes) {
  const [first] = processes;
  const { stripe } = first;
  const { id, email, now } = await openCustomer(first);
  const urls: string[] = [];
  const bought = () =>
    stripe.checkouts.flatMap(({ fields, subscription, id: checkout }) =>
      fields.get("client_reference_id") === id && subscription !== null
        ? [{ checkout, subscription, price: fields.get("line_items[0][price]") ?? "" }]
        : [],
    );
  const running = () => bought().filter(({ subscription }) => mayCollect(stripe.statusOf(subscription)));
  const tell = async (on: 0 | 1): Promise<void> => {
    for (const { checkout, subscription } of bought()) {
      const object = { id: checkout, client_reference_id: id, customer: null, subscription };
      await outcomeOf(processes[on].take(stripe.event("checkout.session.completed", object)));
    }
  };
  const doOne = {
    press: async ({ on, plan }) => void urls.push(await processes[on].billing.checkout(await now(), plan)),
    pay: async () => stripe.payUnheard(urls.at(-1) ?? ""),
    tell: async ({ on }) => tell(on),
    cancel: async () => {
      for (const { subscription } of running()) stripe.put(subscription, { status: "canceled" });
    },
    delete: async ({ on }) => {
      const { db, clock } = processes[on];
      const deps = { db, clock, random: systemRandom };
      await deleteAccount({ accountId: id, actor: "cli" }, { mayCollect, owners: [] }, deps);
    },
  } satisfies Record<Act["what"], (one: Act) => Promise<void>>;
  return {
    // What is refused changes nothing: what is left in the end is looked at.
    play: async (one: Act): Promise<void> => {
      await systemClock.sleep(one.pauseMs);
      await doOne[one.what](one).catch(() => undefined);
    },
    ...{ tell, running },
    find: () => first.accounts.findAccount(email),
    open: () =>
      stripe.checkouts.filter(
        ({ fields, status }) => fields.get("client_reference_id") === id && status === "open",
      ),
  };
}

forEachDatabase(
  (_dialect, database) => {
    test("plans that are pressed at two processes, paid, cancelled and told of meanwhile: one subscription, and its plan", async () => {
      const processes = await startTwo(database);
      const race = async (acts: readonly Act[]): Promise<void> => {
        const { play, tell, running, find, open } = await openBuyer(processes);
        await Promise.all(acts.map(play));
        expect(running().length).toBeLessThanOrEqual(1);
        expect(open().length).toBeLessThanOrEqual(1);
        await tell(0);
        await tell(1);
        const account = await find();
        const [one] = running();
        // What was paid for an account that is gone is collected no more.
        const plan = PLANS.find((name) => one?.price === `price_${name.toLowerCase()}`) ?? "Free";
        expect(account?.plan ?? "Free").toBe(plan);
      };
      const acts = fc.array(act, { minLength: 5, maxLength: 14 });
      await fc.assert(fc.asyncProperty(acts, race), { numRuns: 60, endOnFailure: true });
    }, 120_000);
  },
  { hasSqlite: false },
);
