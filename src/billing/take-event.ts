import type { Transaction } from "kysely";
import { lockAccountRow } from "../accounts/account-rows.ts";
import { accountFromRow } from "../accounts/rows.ts";
import { Refusal } from "../base/failure.ts";
import type { Schema } from "../db/schema.ts";
import { type ApplyDeps, applyStanding, type ProviderState } from "./apply.ts";
import { type Customer, customerOf, findCustomer, hasAccount, wasDeleted } from "./customers.ts";
import { isInGoodStanding, isLive, mayCollect } from "./entitlement.ts";
import type { BillingEvent } from "./events.ts";
import type { Provider } from "./provider.ts";
import type { ProviderSubscription } from "./subscription.ts";

export type EventDeps = ApplyDeps & { readonly provider: Provider };

const MAX_TRIES = 5;
const RETRY_S = 5;

/**
 * Lets an event act, once: what it names is read afresh at the provider, so that events may come in any order, and the
 * account is changed in the transaction that remembers the event. Throws SERVICE_UNAVAILABLE when that cannot be done
 * now: the provider sends it again. Source: security P16.
 */
export async function takeEvent(event: BillingEvent, deps: EventDeps): Promise<void> {
  for (let i = 0; i < MAX_TRIES; i++) {
    if (await isTaken(event, deps)) return;
    const standing = await readStanding(event, deps);
    if (standing.customer === null) {
      await takeStrange(event, standing.subscription, deps);
      await deps.db.kysely.transaction().execute((trx) => remember(trx, event, null, deps));
      return;
    }
    if (await apply(standing, deps).catch(isStale)) return;
  }
  throw new Refusal("SERVICE_UNAVAILABLE", {
    message: "The account is being changed by others; send the event again",
    retryAfterS: RETRY_S,
  });
}

/** False for an account that was deleted since it was read: it is read again, and not found. */
function isStale(error: unknown): false {
  if (error instanceof Refusal && error.code === "NOT_FOUND") return false;
  throw error;
}

async function isTaken({ id }: BillingEvent, { db }: EventDeps): Promise<boolean> {
  const row = await db.kysely
    .selectFrom("billing_events")
    .select("id")
    .where("id", "=", id)
    .executeTakeFirst();
  return row !== undefined;
}

/** What no account of ours has anything to do with. */
type Strange = { readonly customer: null; readonly subscription: ProviderSubscription | null };

async function readStanding(event: BillingEvent, deps: EventDeps): Promise<ProviderState | Strange> {
  const { provider, db } = deps;
  // Versions are read before the provider is asked: what others apply meanwhile shows.
  const known = await knownCustomer(event, deps);
  const asked = event.subscriptionId ?? known?.subscriptionId ?? null;
  const subscription = asked === null ? null : await provider.subscription(asked);
  const customer =
    known ??
    (subscription === null
      ? null
      : await knownCustomer(
          { customerId: subscription.customerId, accountId: subscription.accountId },
          deps,
        ));
  if (customer === null) return { customer, subscription };
  const account = await db.kysely
    .selectFrom("accounts")
    .select("billing_status")
    .where("id", "=", customer.accountId)
    .executeTakeFirst();
  const status = account?.billing_status ?? null;
  return {
    event,
    customer,
    subscription,
    others: await othersOf({ customer, asked, subscription, status }, deps),
  };
}

/**
 * A checkout that was open when its account was deleted can still be paid, and would be collected for every month. Only what
 * was begun for an account that was here is ended: others may sell by the same account at the provider.
 */
async function takeStrange(
  event: BillingEvent,
  subscription: ProviderSubscription | null,
  { provider, db, log }: EventDeps,
): Promise<void> {
  const about = { event: event.id, type: event.type };
  const accountId = subscription?.accountId ?? event.accountId;
  const isOwed = subscription !== null && mayCollect(subscription.status);
  if (!isOwed || accountId === null || !(await wasDeleted(db.kysely, accountId))) {
    log.warn(about, "A billing event names no account of this installation");
    return;
  }
  await provider.cancel(subscription.id);
  log.error(
    { ...about, account_id: accountId, subscription: subscription.id, customer: subscription.customerId },
    "A subscription was bought for an account that is deleted; it is cancelled: refund the payment at the provider",
  );
}

type AskedFor = Pick<ProviderState, "customer" | "subscription"> & {
  readonly asked: string | null;
  /** The account's last word from the provider. */
  readonly status: string | null;
};

/**
 * The subscription that the plan came from so far, and, when the event's own gives no plan, what else the customer pays
 * for: two checkouts, both paid.
 */
async function othersOf(
  { customer, asked, subscription, status }: AskedFor,
  deps: EventDeps,
): Promise<readonly ProviderSubscription[]> {
  const before = customer.subscriptionId;
  const isOther = before !== null && before !== asked && isLive(status);
  const source = isOther ? await deps.provider.subscription(before) : null;
  const others = source === null ? [] : [source];
  if (subscription !== null && isInGoodStanding(subscription)) return others;
  const customerId = subscription?.customerId ?? customer.customerId;
  const listed = await listLive({ accountId: customer.accountId, customerId }, deps);
  return [...others, ...listed.filter(({ id }) => id !== asked && id !== source?.id)];
}

async function listLive(
  { accountId, customerId }: Pick<Customer, "accountId" | "customerId">,
  { provider, log }: EventDeps,
): Promise<readonly ProviderSubscription[]> {
  if (customerId === null) return [];
  try {
    const all = await provider.subscriptionsOf(customerId);
    return all.filter(({ status }) => isLive(status));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    log.warn({ account_id: accountId }, "Cannot see whether the account has another subscription");
    return [];
  }
}

async function knownCustomer(
  { customerId, accountId }: Pick<BillingEvent, "customerId" | "accountId">,
  { db }: EventDeps,
): Promise<Customer | null> {
  const known = customerId === null ? null : await findCustomer(db.kysely, customerId);
  if (known !== null || accountId === null) return known;
  return (await hasAccount(db.kysely, accountId)) ? customerOf(db.kysely, accountId) : null;
}

/** False when what was read is old by now: it must be read again. */
async function apply(standing: ProviderState, deps: EventDeps): Promise<boolean> {
  const { event, customer } = standing;
  return deps.db.kysely.transaction().execute(async (trx) => {
    const row = await lockAccountRow(trx, { accountId: customer.accountId }, deps);
    if ((await customerOf(trx, customer.accountId)).version !== customer.version) return false;
    if (await remember(trx, event, customer.accountId, deps)) {
      const account = accountFromRow(row, deps.clock.now());
      await applyStanding(trx, { ...standing, account }, deps);
    }
    return true;
  });
}

/** False when the event has acted before. */
async function remember(
  trx: Transaction<Schema>,
  event: BillingEvent,
  accountId: string | null,
  { clock }: EventDeps,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto("billing_events")
    .values({ id: event.id, type: event.type, at: clock.now().getTime(), account_id: accountId })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}
