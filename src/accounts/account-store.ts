import { sql, type Transaction } from "kysely";
import { isoSecondsOrNull } from "../base/clock.ts";
import { InvalidValue } from "../base/failure.ts";
import type { Schema } from "../db/schema.ts";
import {
  type AccountChange,
  type ChangeBy,
  changeAccount,
  type PlanTerms,
  planChange,
  refilledColumns,
} from "./account-change.ts";
import { type AccountRef, findAccountRow, insertAccountRow, type StoreDeps } from "./account-rows.ts";
import type { Account } from "./accounts.ts";
import { type AuditRow, readAudit } from "./audit.ts";
import { createKeyStore, insertKey, type KeyStore, type NewKey } from "./key-store.ts";
import { lockOwners } from "./owners-lock.ts";
import { FREE_PLAN, LARGEST_PLAN, type Plan, parsePlan, planOf } from "./plans.ts";
import { accountFromRow } from "./rows.ts";
import { endSessions } from "./session-keys.ts";
import type { Subscription } from "./shapes.ts";
import { countTokens, createTokenStore, outwaitTokens, type TokenStore } from "./token-store.ts";

/** Who changes it, and why: both are kept in the audit row. A session that has ended changes nothing: NOT_SIGNED_IN. */
type By = { readonly actor?: string; readonly reason?: string; readonly sessionId?: string };

/**
 * The accounts, their keys and tokens. Balances shown are those after a due refill. Every change writes an audit row in its
 * transaction (`actor` "cli" unless given) and throws Refusal NOT_FOUND for an account that does not exist. Plans are
 * read in any case; an unknown one throws InvalidValue `plan_unknown`.
 */
export type Accounts = KeyStore &
  TokenStore & {
    /** Throws InvalidValue `email_malformed`, Refusal VALIDATION when the e-mail is taken. */
    readonly createAccount: (
      wish: { readonly email: string; readonly plan?: string; readonly isOwner?: boolean } & By,
    ) => Promise<Account>;
    readonly findAccount: (email: string) => Promise<Account | null>;
    /** By e-mail. */
    readonly listAccounts: () => Promise<readonly Account[]>;
    readonly countAccounts: () => Promise<number>;
    /**
     * Up: what the new grant is above what the cycle has granted already. Down: at most the new grant. Same cycle; the same
     * plan: nothing.
     */
    readonly setPlan: (wish: AccountRef & { readonly plan: string } & By) => Promise<Account>;
    /** Corrects the balance; no grant. Throws InvalidValue `credits_malformed` unless a whole number from 0 to 10^12. */
    readonly setCredits: (wish: AccountRef & { readonly credits: number } & By) => Promise<Account>;
    /** When it resolves, every process refuses the account's keys and access tokens. */
    readonly setDisabled: (wish: AccountRef & { readonly isDisabled: boolean } & By) => Promise<Account>;
    readonly setOwner: (wish: AccountRef & { readonly isOwner: boolean } & By) => Promise<Account>;
    /** Null when there is no such account. */
    readonly subscriptionOf: (accountId: string) => Promise<Subscription | null>;
    /** `owner@localhost`, an Enterprise owner with one key, when there is no account at all; else null. */
    readonly bootstrapOwner: () => Promise<({ readonly account: Account } & NewKey) | null>;
    /** Newest first. */
    readonly listAudit: (page: { readonly limit: number }) => Promise<readonly AuditRow[]>;
  };

/** Accounts over an open database. */
export function createAccounts(deps: StoreDeps): Accounts {
  return { ...createKeyStore(deps), ...createTokenStore(deps), ...createReads(deps), ...createChanges(deps) };
}

function createReads(deps: StoreDeps) {
  const { kysely } = deps.db;
  return {
    findAccount: async (email: string) => {
      const row = await findAccountRow(kysely, { email });
      return row === null ? null : accountFromRow(row, deps.clock.now());
    },
    listAccounts: async () => {
      const rows = await kysely.selectFrom("accounts").selectAll().orderBy("email").execute();
      return rows.map((row) => accountFromRow(row, deps.clock.now()));
    },
    countAccounts: () => countAccounts(kysely),
    subscriptionOf: async (accountId: string) => {
      const row = await findAccountRow(kysely, { accountId });
      return row === null ? null : subscriptionFrom(accountFromRow(row, deps.clock.now()));
    },
    listAudit: (page: { readonly limit: number }) => readAudit(kysely, page),
  };
}

async function countAccounts(db: StoreDeps["db"]["kysely"]): Promise<number> {
  const row = await db
    .selectFrom("accounts")
    .select(sql<number>`count(*)`.as("count"))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

function subscriptionFrom(account: Account): Subscription {
  const plan = planOf(account.plan);
  const isFree = account.plan === FREE_PLAN;
  return {
    plan: account.plan,
    billing_status: isFree ? null : account.billingStatus,
    credits_remaining: account.credits,
    credits_per_month: plan.creditsPerMonth,
    credits_reset_at: isoSecondsOrNull(account.creditsResetAt),
    current_period_end: isFree ? null : isoSecondsOrNull(account.currentPeriodEnd),
    cancel_at_period_end: !isFree && account.cancelAtPeriodEnd,
    rate_limit_per_second: plan.requestsPerSecond,
    max_api_keys: plan.maxApiKeys,
  };
}

type Changes = Pick<
  Accounts,
  "createAccount" | "setPlan" | "setCredits" | "setDisabled" | "setOwner" | "bootstrapOwner"
>;

function createChanges(deps: StoreDeps): Changes {
  return {
    createAccount: async ({ email, plan = FREE_PLAN, isOwner = false, actor = "cli" }) => {
      const wish = { email, plan: parsePlan(plan), isOwner, actor };
      const row = await deps.db.kysely.transaction().execute((trx) => insertAccountRow(trx, wish, deps));
      return accountFromRow(row, deps.clock.now());
    },
    setPlan: async ({ plan, actor, reason, sessionId, ...ref }) => {
      const wanted = parsePlan(plan);
      return change(ref, { actor, reason, sessionId, action: "account.set_plan" }, deps, (old) =>
        old.plan === wanted.name ? null : planChange(old, setByHand(old, wanted)),
      );
    },
    setCredits: async ({ credits, actor, reason, sessionId, ...ref }) => {
      const wanted = parseCredits(credits);
      return change(ref, { actor, reason, sessionId, action: "account.set_credits" }, deps, (old) => ({
        // With a refill due, the next read would put the grant in place of the wanted balance.
        ...refilledColumns(old),
        credits: wanted,
      }));
    },
    setDisabled: async ({ isDisabled, actor, reason, sessionId, ...ref }) => {
      const account = await changeOwners(
        ref,
        { actor, reason, sessionId, action: isDisabled ? "account.disable" : "account.enable" },
        deps,
        async (old, trx) => {
          if (isDisabled === (old.disabledAt !== null)) return null;
          // Deleted, not only refused: enabling the account must not revive them.
          if (isDisabled) await endSessions(trx, { accountId: old.id }, deps);
          return { disabled_at: isDisabled ? deps.clock.now().getTime() : null };
        },
      );
      if (isDisabled) await outwaitTokens(await countTokens(deps.db.kysely, account.id), deps);
      return account;
    },
    setOwner: ({ isOwner, actor, reason, sessionId, ...ref }) =>
      changeOwners(ref, { actor, reason, sessionId, action: "account.set_owner" }, deps, async (old, trx) => {
        if (isOwner === old.isOwner) return null;
        // What was asked for as an owner is not done afterwards.
        if (!isOwner) await endSessions(trx, { accountId: old.id }, deps);
        return { is_owner: isOwner ? 1 : 0 };
      }),
    bootstrapOwner: () => deps.db.kysely.transaction().execute((trx) => bootstrapOwner(trx, deps)),
  };
}

/** A plan set by hand is no trial; a late payment stays late unless nothing is paid for any more. */
const setByHand = ({ graceEndsAt }: Account, { name }: Plan): PlanTerms => ({
  plan: name,
  trialGrant: null,
  graceEndsAt: name === FREE_PLAN ? null : graceEndsAt,
});

/** The largest balance that can be set. */
export const MAX_CREDITS = 1e12;

function parseCredits(credits: number): number {
  if (Number.isSafeInteger(credits) && credits >= 0 && credits <= MAX_CREDITS) return credits;
  throw new InvalidValue(
    "credits_malformed",
    `Expected a whole number from 0 to ${MAX_CREDITS}, got "${credits}"`,
  );
}

const change = (
  ref: AccountRef,
  by: ChangeBy,
  deps: StoreDeps,
  decide: AccountChange["decide"],
): Promise<Account> =>
  deps.db.kysely.transaction().execute((trx) => changeAccount(trx, { ...ref, by, decide }, deps));

/** The same for what may take an owner from the installation. */
const changeOwners: typeof change = (ref, by, deps, decide) =>
  deps.db.kysely.transaction().execute(async (trx) => {
    await lockOwners(trx, deps);
    return changeAccount(trx, { ...ref, by, decide }, deps);
  });

// Any number that no other program uses for an advisory lock; "repute" in ASCII, cut to 48 bits.
const BOOTSTRAP_LOCK = 0x72_65_70_75_74_65;

async function bootstrapOwner(trx: Transaction<Schema>, deps: StoreDeps) {
  // Two first starts on one PostgreSQL: the second waits here and then counts one account.
  if (deps.db.dialect === "postgres")
    await sql`select pg_advisory_xact_lock(${BOOTSTRAP_LOCK}::bigint)`.execute(trx);
  if ((await countAccounts(trx)) > 0) return null;
  const owner = { email: "owner@localhost", plan: planOf(LARGEST_PLAN), isOwner: true, actor: "service" };
  const row = await insertAccountRow(trx, owner, deps);
  const created = await insertKey(trx, { accountId: row.id, name: "bootstrap", actor: "service" }, deps);
  return { account: accountFromRow(row, deps.clock.now()), ...created };
}
