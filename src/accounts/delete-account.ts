import type { Transaction } from "kysely";
import { Refusal } from "../base/failure.ts";
import type { Schema } from "../db/schema.ts";
import { type AccountRef, lockAccountRow, refuseEndedSession, type StoreDeps } from "./account-rows.ts";
import type { Account } from "./accounts.ts";
import { doneBy, writeAudit } from "./audit.ts";
import { addToDeletedDays } from "./ledger/deleted-usage.ts";
import { lockOwners } from "./owners-lock.ts";
import { type Person, readPeople } from "./people.ts";
import { deleteAttempts, deletePersonRows } from "./person-rows.ts";
import { type AccountRow, accountFromRow } from "./rows.ts";
import { countTokens, outwaitTokens } from "./token-store.ts";

/** Who appears in the audit log in place of a deleted account's e-mail. */
const DELETED_ACTOR = "deleted account";

export type DeletionWish = AccountRef & {
  /** "cli", or the e-mail of the owner who asks; null: the account itself. */
  readonly actor: string | null;
  /** A session that has ended deletes nothing: NOT_SIGNED_IN. */
  readonly sessionId?: string;
  /** Judged with the account locked, before anything is deleted: throws to refuse. */
  readonly judge?: (trx: Transaction<Schema>) => Promise<void>;
};

export type DeletionRules = {
  /** Whether a word of the provider means that a subscription runs, or will once its first payment is made. */
  readonly mayCollect: (billingStatus: string | null) => boolean;
  /** E-mails that the configuration makes owners. */
  readonly owners: readonly string[];
};

/**
 * Deletes an account with all that names it, in one transaction: when it resolves, every process refuses its keys, tokens and
 * sessions, and no charge is on its way. Its daily sums stay, without a name; the audit log keeps what happened without
 * who. The call history goes afterwards, in small steps (`history.ts`). Throws NOT_FOUND; CONFLICT while a subscription
 * runs, and for the last owner.
 */
export async function deleteAccount(
  { actor, sessionId, judge, ...ref }: DeletionWish,
  rules: DeletionRules,
  deps: StoreDeps,
): Promise<Account> {
  const { account, tokens } = await deps.db.kysely.transaction().execute(async (trx) => {
    // Two deletions must not wait for one another's sums either.
    await lockOwners(trx, deps);
    const row = await lockAccountRow(trx, ref, deps);
    await refuseEndedSession(trx, sessionId ?? null, deps);
    await judge?.(trx);
    const account = accountFromRow(row, deps.clock.now());
    refuseSubscription(account, rules);
    await refuseLastOwner(trx, row, rules);
    await addToDeletedDays(trx, row.id, deps.db);
    const people = await readPeople(trx, row.id);
    const tokens = await countTokens(trx, row.id);
    const keys = await deleteRows(trx, row, people);
    await namelessAudit(trx, row.id, people);
    const at = deps.clock.now().getTime();
    await trx.insertInto("account_deletions").values({ account_id: row.id, at }).execute();
    const detail = { plan: row.plan, credits: account.credits, keys };
    const entry = {
      actor: actor ?? DELETED_ACTOR,
      action: "account.delete" as const,
      accountId: row.id,
      detail,
    };
    await writeAudit(trx, entry, deps);
    return { account, tokens };
  });
  await outwaitTokens(tokens, deps);
  return account;
}

function refuseSubscription(account: Account, { mayCollect }: DeletionRules): void {
  if (mayCollect(account.billingStatus)) {
    throw new Refusal("CONFLICT", { message: whatRuns(account) });
  }
}

function whatRuns({ billingStatus, cancelAtPeriodEnd, currentPeriodEnd }: Account): string {
  if (billingStatus === "incomplete") {
    return "The first payment of a subscription is open, and lapses within a day: delete the account after that";
  }
  const end = currentPeriodEnd?.toISOString().slice(0, 10);
  return cancelAtPeriodEnd && end !== undefined
    ? `The subscription is cancelled and runs until ${end}: delete the account after that day`
    : "A subscription runs: cancel it first on the Billing page, under Manage subscription";
}

async function refuseLastOwner(
  trx: Transaction<Schema>,
  account: AccountRow,
  { owners }: DeletionRules,
): Promise<void> {
  const named = owners.map((email) => email.trim().toLowerCase());
  const isOwner = (row: Pick<AccountRow, "email" | "is_owner" | "is_signed_up">) =>
    row.is_owner === 1 || (row.is_signed_up !== 1 && named.includes(row.email));
  if (!isOwner(account)) return;
  const others = await trx
    .selectFrom("accounts")
    .select(["email", "is_owner", "is_signed_up"])
    .where("id", "!=", account.id)
    .where("disabled_at", "is", null)
    .where((eb) => eb.or([eb("is_owner", "=", 1), ...(named.length > 0 ? [eb("email", "in", named)] : [])]))
    .execute();
  if (others.some(isOwner)) return;
  throw new Refusal("CONFLICT", {
    message: "This is the only owner of the installation: make another account an owner first",
  });
}

const DELETED_FROM = [
  "sessions",
  "invitations",
  "access_tokens",
  "bulk_run_items",
  "bulk_runs",
  "result_shares",
  "results",
  "billing_customers",
  "billing_invoices",
] as const;

/** Everything that names the account but its history, its sums and the audit log. How many keys it had. */
async function deleteRows(
  trx: Transaction<Schema>,
  { id }: AccountRow,
  people: readonly Person[],
): Promise<number> {
  for (const table of DELETED_FROM) {
    await trx.deleteFrom(table).where("account_id", "=", id).execute();
  }
  for (const person of people) await deletePersonRows(trx, person);
  // That an event has acted must be known as long as it may come again.
  await trx.updateTable("billing_events").set({ account_id: null }).where("account_id", "=", id).execute();
  await deleteAttempts(trx, id);
  const keys = await trx.deleteFrom("api_keys").where("account_id", "=", id).executeTakeFirstOrThrow();
  await trx.deleteFrom("accounts").where("id", "=", id).execute();
  return Number(keys.numDeletedRows);
}

/**
 * What was done to the account stays with its time and its kind, and so does what its people did elsewhere while they were
 * its. Who did it is told no longer, of people who left before as well; people of other accounts keep what they did as theirs.
 */
async function namelessAudit(trx: Transaction<Schema>, id: string, people: readonly Person[]): Promise<void> {
  await trx.updateTable("audit").set({ detail: "{}", key_id: null }).where("account_id", "=", id).execute();
  await trx
    .updateTable("audit")
    .set({ actor: DELETED_ACTOR })
    .where("account_id", "=", id)
    // Programs act by words, people by their e-mail.
    .where("actor", "like", "%@%")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("people")
            .select("people.id")
            .whereRef("people.email", "=", "audit.actor")
            .whereRef("people.created_at", "<=", "audit.at"),
        ),
      ),
    )
    .execute();
  for (const person of people) {
    await trx.updateTable("audit").set({ actor: DELETED_ACTOR }).where(doneBy(person)).execute();
  }
}
