import type { Kysely } from "kysely";
import { isoMilliseconds } from "../base/clock.ts";
import type { Schema } from "../db/schema.ts";
import { accessTokenFrom } from "./access-tokens.ts";
import { type AccountRef, readAccountRow, type StoreDeps } from "./account-rows.ts";
import type { ApiKey } from "./accounts.ts";
import { auditFromRow, doneBy } from "./audit.ts";
import { invitationsOf, peopleOf } from "./export-people.ts";
import { resultsOf } from "./export-results.ts";
import { runsOf } from "./export-runs.ts";
import { HISTORY_STEP, newestCall } from "./ledger/history.ts";
import { REFUSED_STATUS } from "./ledger/refused-calls.ts";
import { type Person, readPeople } from "./people.ts";
import { type AccountRow, accountFromRow, apiKeyFromRow } from "./rows.ts";

/**
 * Everything that is stored of an account as one JSON object, piece by piece: no more than one step of the history is in
 * memory. No hash and no secret is in it. Each part is read when its turn comes. Throws NOT_FOUND before the first piece, and
 * before the last one where the account was deleted meanwhile: the text is no JSON then.
 */
export async function exportAccount(
  ref: AccountRef,
  deps: Pick<StoreDeps, "db" | "clock">,
): Promise<AsyncGenerator<string>> {
  return piecesOf(await readAccountRow(deps.db.kysely, ref), deps);
}

async function* piecesOf(row: AccountRow, deps: Pick<StoreDeps, "db" | "clock">): AsyncGenerator<string> {
  const { kysely } = deps.db;
  const now = deps.clock.now();
  yield `{"exported_at":${JSON.stringify(isoMilliseconds(now))}`;
  yield member("account", viewAccount(row, now));
  const people = await readPeople(kysely, row.id);
  yield member("people", await peopleOf(kysely, people));
  yield member("invitations", await invitationsOf(kysely, row.id));
  yield member("keys", await keysOf(kysely, row.id, now));
  yield member("tokens", await tokensOf(kysely, row.id, now));
  yield member("sessions", await sessionsOf(kysely, row.id));
  yield member("billing", await billingOf(kysely, row.id));
  yield member("audit", await auditOf(kysely, row.id, people));
  yield member("usage_days", await daysOf(kysely, row.id));
  yield ',\n"calls":[';
  yield* callsOf(kysely, row.id);
  yield '],\n"refused_calls":[';
  yield* refusedOf(kysely, row.id);
  yield '],\n"results":[';
  yield* resultsOf(kysely, row.id);
  yield '],\n"runs":[';
  yield* runsOf(kysely, row.id);
  // Of an account that was deleted meanwhile, parts are missing.
  await readAccountRow(kysely, { accountId: row.id });
  yield "]}\n";
}

const member = (name: string, value: unknown): string =>
  `,\n${JSON.stringify(name)}:${JSON.stringify(value)}`;

const timeOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

function viewAccount(row: AccountRow, now: Date) {
  const account = accountFromRow(row, now);
  return {
    id: account.id,
    email: account.email,
    plan: account.plan,
    credits_remaining: account.credits,
    credits_granted: account.creditsGranted,
    credits_reset_at: account.creditsResetAt?.toISOString() ?? null,
    is_owner: account.isOwner,
    is_signed_up: account.isSignedUp,
    email_proved_at: account.emailProvedAt?.toISOString() ?? null,
    created_at: account.createdAt.toISOString(),
    disabled_at: account.disabledAt?.toISOString() ?? null,
    billing_status: account.billingStatus,
    current_period_end: account.currentPeriodEnd?.toISOString() ?? null,
    cancel_at_period_end: account.cancelAtPeriodEnd,
    trial_grant: account.trialGrant,
    grace_ends_at: account.graceEndsAt?.toISOString() ?? null,
  };
}

async function keysOf(db: Kysely<Schema>, accountId: string, now: Date) {
  const rows = await db
    .selectFrom("api_keys")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map((row) => viewKeyWithOptions(apiKeyFromRow(row, now)));
}

/** A key with its limits, times to the millisecond. */
const viewKeyWithOptions = (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  state: key.state,
  created_at: key.createdAt.toISOString(),
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
  revoked_at: key.revokedAt?.toISOString() ?? null,
  expires_at: key.options.expiresAt?.toISOString() ?? null,
  networks: key.options.networks,
  products: key.options.products,
  replaced_by: key.replacedBy,
  person_id: key.personId,
});

async function tokensOf(db: Kysely<Schema>, accountId: string, now: Date) {
  const rows = await db
    .selectFrom("access_tokens")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map((row) => {
    const { accountId: _, expiresAt, createdAt, lastUsedAt, revokedAt, ...token } = accessTokenFrom(row, now);
    return {
      ...token,
      expires_at: expiresAt,
      created_at: createdAt,
      last_used_at: lastUsedAt,
      revoked_at: revokedAt,
    };
  });
}

async function sessionsOf(db: Kysely<Schema>, accountId: string) {
  const rows = await db
    .selectFrom("sessions")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    created_at: timeOf(row.created_at),
    last_seen_at: timeOf(row.last_seen_at),
    expires_at: timeOf(row.expires_at),
    client_address: row.client_address,
    user_agent: row.user_agent,
    key_id: row.key_id,
    person_id: row.person_id,
  }));
}

async function billingOf(db: Kysely<Schema>, accountId: string) {
  const customer = await db
    .selectFrom("billing_customers")
    .select(["stripe_customer_id", "stripe_subscription_id", "period_start", "plan_before"])
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  const events = await db
    .selectFrom("billing_events")
    .select(["id", "type", "at"])
    .where("account_id", "=", accountId)
    .orderBy("at")
    .execute();
  const invoices = await db
    .selectFrom("billing_invoices")
    .select(["id", "subscription_id", "period_start", "at"])
    .where("account_id", "=", accountId)
    .orderBy("at")
    .execute();
  return {
    customer: customer === undefined ? null : { ...customer, period_start: timeOf(customer.period_start) },
    events: events.map((event) => ({ ...event, at: timeOf(event.at) })),
    invoices: invoices.map((one) => ({ ...one, period_start: timeOf(one.period_start), at: timeOf(one.at) })),
  };
}

async function auditOf(db: Kysely<Schema>, id: string, people: readonly Person[]) {
  const rows = await db
    .selectFrom("audit")
    .selectAll()
    .where((eb) => eb.or([eb("account_id", "=", id), ...people.map((person) => doneBy(person)(eb))]))
    .orderBy("at")
    .orderBy("id")
    .execute();
  return rows.map((row) => {
    const { at, actor, action, accountId, detail } = auditFromRow(row);
    // What an owner did to others is theirs: their details are not told.
    const isOwn = accountId === id;
    return { at: at.toISOString(), actor, action, ...(isOwn ? { detail } : {}) };
  });
}

async function daysOf(db: Kysely<Schema>, accountId: string) {
  const rows = await db
    .selectFrom("call_days")
    .select(["day", "endpoint", "key_id", "status"])
    .select((eb) => (["calls", "items", "credits"] as const).map((name) => eb.fn.sum(name).as(name)))
    .where("account_id", "=", accountId)
    .groupBy(["day", "endpoint", "key_id", "status"])
    .orderBy("day")
    .orderBy("endpoint")
    .orderBy("key_id")
    .orderBy("status")
    .execute();
  return rows.map((row) => ({
    ...row,
    ...{ calls: Number(row.calls), items: Number(row.items), credits: Number(row.credits) },
  }));
}

async function* callsOf(db: Kysely<Schema>, accountId: string): AsyncGenerator<string> {
  const newest = await newestCall(db);
  let separator = "\n";
  for (let after = 0; after < newest; after += HISTORY_STEP) {
    const rows = await db
      .selectFrom("calls")
      .selectAll()
      .where("id", ">", after)
      .where("id", "<=", after + HISTORY_STEP)
      .where("account_id", "=", accountId)
      .orderBy("id")
      .execute();
    for (const { id: _id, account_id: _accountId, at, ...call } of rows) {
      yield `${separator}${JSON.stringify({ at: timeOf(at), ...call })}`;
      separator = ",\n";
    }
  }
}

/** Calls that the limits refused, by the minute. */
async function* refusedOf(db: Kysely<Schema>, accountId: string): AsyncGenerator<string> {
  let separator = "\n";
  let last = { minute: Number.MIN_SAFE_INTEGER, endpoint: "" };
  for (;;) {
    const { minute, endpoint } = last;
    const rows = await db
      .selectFrom("refused_calls")
      .select(["minute", "endpoint", "calls"])
      .where("account_id", "=", accountId)
      .where(({ eb, and, or }) =>
        or([eb("minute", ">", minute), and([eb("minute", "=", minute), eb("endpoint", ">", endpoint)])]),
      )
      .orderBy("minute")
      .orderBy("endpoint")
      .limit(HISTORY_STEP)
      .execute();
    for (const row of rows) {
      const one = { minute: timeOf(row.minute), endpoint: row.endpoint, status: REFUSED_STATUS };
      yield `${separator}${JSON.stringify({ ...one, calls: Number(row.calls) })}`;
      separator = ",\n";
      last = row;
    }
    if (rows.length < HISTORY_STEP) return;
  }
}
