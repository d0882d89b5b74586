import { isDeepStrictEqual } from "node:util";
import type { Account, CallRecord } from "../../src/accounts/accounts.ts";
import { type BillingSetting, openCustomer } from "../../test/billing-setting.ts";
import type { TestEvent } from "../../test/servers/stripe-objects.ts";
import { createModel, GRANTS, type Model } from "./model.ts";
import { createWorld, partsOf, type World } from "./provider-world.ts";
import { actAtProvider, isAtProvider, type ServiceStep, type Step } from "./steps.ts";

/** An event on its way, and the subscription that it is about. */
type Sent = { readonly event: TestEvent; readonly about: string };

type Customer = Awaited<ReturnType<typeof openCustomer>>;

/** How often what was reached. */
export type Reached = {
  steps: number;
  "events delivered": number;
  charges: number;
  "charges while a due refill waits for a payment": number;
  "looks at an account in its grace": number;
  "looks at an account in a trial": number;
};

type Game = {
  readonly reached: Reached;
  readonly setting: BillingSetting;
  readonly customer: Customer;
  readonly key: string;
  readonly model: Model;
  readonly world: World;
  readonly waiting: Sent[];
  readonly came: Sent[];
  /** The balance that was seen last, and of its cycle what was granted and the grant of the highest plan. */
  seen: {
    readonly credits: number;
    readonly resetMs: number;
    readonly granted: number;
    readonly highest: number;
  };
};

const BEGIN = new Date("2026-01-01T00:00:00Z");

/**
 * Plays a sequence on a new account and holds it against the model after every step. Throws an Error that names the first
 * difference. Counts in `reached`.
 */
export async function play(
  steps: readonly Step[],
  setting: BillingSetting,
  { trialCredits, reached }: { readonly trialCredits: number; readonly reached: Reached },
): Promise<void> {
  setting.clock.set(BEGIN);
  const game = { ...(await begin(setting, trialCredits)), reached };
  try {
    for (const [i, step] of steps.entries()) {
      reached.steps += 1;
      try {
        await take(step, game);
      } catch (error) {
        throw new Error(`Step ${i + 1} (${JSON.stringify(step)}): ${String(error)}`, { cause: error });
      }
    }
  } finally {
    await clear(game);
  }
}

async function begin(setting: BillingSetting, trialCredits: number): Promise<Omit<Game, "reached">> {
  const customer = await openCustomer(setting);
  const { text: key } = await setting.accounts.createKey({ email: customer.email });
  const waiting: Sent[] = [];
  const world = createWorld(customer.id, (type, { id }) =>
    waiting.push({ event: customer.event(type, id), about: id }),
  );
  const nowMs = BEGIN.getTime();
  const seen = { credits: 0, resetMs: 0, granted: 0, highest: 0 };
  return { setting, customer, key, model: createModel(nowMs, trialCredits), world, waiting, came: [], seen };
}

/** One account's subscription must not be looked after while others play. */
async function clear({ setting, customer, world }: Game): Promise<void> {
  const { db, stripe } = setting;
  await db.kysely
    .updateTable("accounts")
    .set({ grace_ends_at: null, billing_status: null })
    .where("id", "=", customer.id)
    .execute();
  for (const { id } of world.all()) stripe.remove(id);
}

async function take(step: Step, game: Game): Promise<void> {
  const { setting, model, world, waiting, came } = game;
  if (isAtProvider(step)) {
    // So that no two credit cycles begin at the same moment.
    actAtProvider(step, world, wait(1000, game));
    return tell(step, game);
  }
  const nowMs = setting.clock.now().getTime();
  switch (step.what) {
    case "wait":
      wait(step.ms, game);
      await compare(game);
      return tell(step, game);
    case "deliver":
      return deliver(waiting.splice(step.which % Math.max(1, waiting.length), 1), step.times, game);
    case "repeat":
      return deliver(came.slice(step.which % Math.max(1, came.length)).slice(0, 1), 1, game);
    case "deliver all": {
      const all = waiting.splice(0);
      return deliver(step.isReversed ? all.toReversed() : all, 1, game);
    }
    case "tidy":
      await setting.billing.tidy();
      model.endGrace(world.all(), nowMs);
      model.askAboutMissed(world.all(), nowMs);
      return compare(game);
    default:
      return byAccount(step, game, nowMs);
  }
}

/** Lets time pass everywhere; to what moment. */
function wait(ms: number, { setting, world, model }: Game): number {
  setting.clock.advance(ms);
  const nowMs = setting.clock.now().getTime();
  world.passTo(nowMs);
  model.passTo(nowMs);
  return nowMs;
}

type AccountStep = Extract<ServiceStep, { readonly what: "charge" | "set plan" | "set credits" }>;

async function byAccount(step: AccountStep, game: Game, nowMs: number): Promise<void> {
  const { setting, customer, model } = game;
  switch (step.what) {
    case "charge":
      return charge(step.cost, game);
    case "set plan":
      await setting.accounts.setPlan({ email: customer.email, plan: step.plan });
      model.setPlan(step.plan, nowMs);
      return compare(game);
    case "set credits": {
      const before = model.account.credits;
      await setting.accounts.setCredits({ email: customer.email, credits: step.credits });
      model.setCredits(step.credits);
      return compare(game, step.credits - before);
    }
    default:
      return step satisfies never;
  }
}

/** The provider shows how things stand now, and tells of it at once or later. */
async function tell({ isTold }: { readonly isTold: boolean }, game: Game): Promise<void> {
  show(game);
  if (isTold) await deliver(game.waiting.splice(0), 1, game);
}

/** How the subscriptions stand now is what the provider answers from now on. */
function show({ world, customer }: Game): void {
  for (const one of world.all()) customer.put(partsOf(one), one.id);
}

async function deliver(sent: readonly Sent[], times: number, game: Game): Promise<void> {
  const { setting, model, world, came } = game;
  for (const one of sent) {
    if (!came.includes(one)) came.push(one);
    game.reached["events delivered"] += times;
    await Promise.all(Array.from({ length: times }, () => setting.take(one.event)));
    model.take(one.event.id, one.about, world.all(), setting.clock.now().getTime());
    await compare(game);
  }
}

async function charge(cost: number, game: Game): Promise<void> {
  const { setting, model, key } = game;
  const caller = await setting.ledger.findCaller(key);
  if (caller === null) throw new Error("The key is not known");
  if (caller.credits !== model.account.credits) {
    throw new Error(`The caller has ${caller.credits} credits instead of ${model.account.credits}`);
  }
  game.reached.charges += 1;
  const isHeld = model.account.graceMs !== null && model.account.resetMs <= setting.clock.now().getTime();
  if (isHeld) game.reached["charges while a due refill waits for a payment"] += 1;
  const { state } = await setting.ledger.settle(callOf(caller), cost);
  const isCharged = model.charge(cost);
  if ((state === "charged") !== isCharged) throw new Error(`A charge of ${cost} was ${state}`);
  await compare(game, isCharged ? -cost : 0);
}

const callOf = ({
  accountId,
  keyId,
  keyPrefix,
}: {
  accountId: string;
  keyId: string;
  keyPrefix: string;
}): CallRecord => ({
  ...{
    requestId: "request",
    accountId,
    keyId,
    keyPrefix,
    endpoint: "/api/check-ip",
    targetKind: "ip",
    target: null,
  },
  ...{ items: 1, status: 200, elapsedMs: 1, clientAddress: "192.0.2.1" },
});

/**
 * Holds the account against the model, and what its cycle has granted against the grant of its highest plan. `byHand`: what
 * was charged or corrected since the last time.
 */
async function compare(game: Game, byHand = 0): Promise<void> {
  const { setting, customer, model, seen } = game;
  const account = await setting.accounts.findAccount(customer.email);
  if (account === null) throw new Error("The account is gone");
  const found = factsOf(account);
  if (!isDeepStrictEqual(found, { ...model.account })) {
    throw new Error(`found ${JSON.stringify(found)}, expected ${JSON.stringify(model.account)}`);
  }
  if (found.graceMs !== null) game.reached["looks at an account in its grace"] += 1;
  if (found.trialGrant !== null) game.reached["looks at an account in a trial"] += 1;
  const { credits, resetMs, plan } = found;
  const isSameCycle = resetMs === seen.resetMs;
  const gained = isSameCycle ? Math.max(0, credits - seen.credits - byHand) : credits - byHand;
  const granted = isSameCycle ? seen.granted + gained : gained;
  const highest = Math.max(isSameCycle ? seen.highest : 0, GRANTS[plan]);
  if (granted > highest) throw new Error(`a cycle granted ${granted}, its highest plan has ${highest}`);
  game.seen = { credits, resetMs, granted, highest };
}

const factsOf = (account: Account) => ({
  plan: account.plan,
  credits: account.credits,
  granted: account.creditsGranted,
  resetMs: account.cycleEndsAt.getTime(),
  trialGrant: account.trialGrant,
  graceMs: account.graceEndsAt?.getTime() ?? null,
});
