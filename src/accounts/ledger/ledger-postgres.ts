import type { NamedStatement, Postgres, PostgresRow, PreparedQuery, Transaction } from "../../db/postgres.ts";
import type { Caller, Settlement } from "../accounts.ts";
import { createExpiries, type Expiries } from "../expired-keys.ts";
import { hashKey, hasValidShape } from "../keys.ts";
import { refillSql } from "../refill.ts";
import { balanceFrom, callerFrom, integerOf, integerOrNullOf, refillTermsFrom, textOf } from "../rows.ts";
import { markOfSessionKey } from "../session-keys.ts";
import { rollUp } from "./call-rows.ts";
import { createCallerReads } from "./key-batch-reader.ts";
import { chargedCalls, judgeCharges, type LockedAccount, type LockedKey } from "./postgres-charges.ts";
import { daysOfRefused, minutesOfRefused, type RefusedMinute } from "./refused-calls.ts";
import { createKeyTouches, type Group, type LedgerStore } from "./write-batch.ts";

// In the order of ids, and before any other row of theirs: groups of several processes wait, and never for each other.
const LOCK_ACCOUNTS: NamedStatement = {
  name: "lock_accounts",
  text: `
    select id, plan, credits, credits_reset_at, trial_grant, grace_ends_at, disabled_at from accounts
    where id = any($1::text[]) order by id for no key update`,
};

// A statement after the lock, so that its snapshot has what was committed before; revoking takes the same lock.
const READ_KEYS: NamedStatement = {
  name: "read_keys",
  text: "select id, account_id, revoked_at, expires_at from api_keys where id = any($1::text[])",
};

const AFTER_REFILL = refillSql("$1::bigint");

// Design 13.2's conditional statement for all paying accounts at once, and in the same transaction their history. The
// database decides: what was judged under the lock must be what its conditions let through, else the statement fails.
const WRITE: NamedStatement = {
  name: "write_group",
  text: `
    with charged as (
      update accounts set credits = ${AFTER_REFILL.credits} - paid.total,
        credits_granted = ${AFTER_REFILL.granted}, credits_reset_at = ${AFTER_REFILL.resetAt}
      from unnest($2::text[], $3::bigint[]) as paid(account_id, total)
      where accounts.id = paid.account_id and disabled_at is null and ${AFTER_REFILL.credits} >= paid.total
      returning accounts.id
    ), history as (
      insert into calls (at, request_id, account_id, key_id, key_prefix, endpoint, target_kind, target, items, status,
        credits, elapsed_ms, client_address)
      select at, request_id, account_id, key_id, key_prefix, endpoint, target_kind, target, items, status,
        credits, elapsed_ms, client_address
      from json_populate_recordset(null::calls, $4::json)
    ), days as (
      insert into call_days (account_id, day, endpoint, key_id, status, calls, items, credits)
      select account_id, day, endpoint, key_id, status, calls, items, credits
      from json_populate_recordset(null::call_days, $5::json)
      on conflict (account_id, day, endpoint, key_id, status) do update set
        calls = call_days.calls + excluded.calls, items = call_days.items + excluded.items,
        credits = call_days.credits + excluded.credits
    ), refused as (
      insert into refused_calls (account_id, minute, endpoint, calls)
      select account_id, minute, endpoint, calls from json_populate_recordset(null::refused_calls, $6::json)
      on conflict (account_id, minute, endpoint) do update set calls = refused_calls.calls + excluded.calls
    ), touched as (
      update api_keys set last_used_at = $1::bigint where id = any($7::text[])
    )
    select case when count(*) = cardinality($2::text[]) then 0
      else ('Cannot charge all accounts: the database refused some, and let through ' || count(*))::int end
    from charged`,
};

const DELETE_OLD: NamedStatement = {
  name: "delete_old_calls",
  text: `
    with deleted as (
      delete from calls where id in (select id from calls where at < $1::bigint order by at limit $2::bigint)
      returning 1
    )
    select count(*)::int as deleted from deleted`,
};

const DELETE_OF: NamedStatement = {
  name: "delete_calls_of",
  text: `
    with deleted as (
      delete from calls where id > $1::bigint and id <= $2::bigint and account_id = $3::text returning 1
    )
    select count(*)::int as deleted from deleted`,
};

/**
 * The ledger's hot path on PostgreSQL: a group is one transaction of three named statements. Its locks are held over one
 * round trip, that in which it is judged: each is as long as this process is busy with other calls.
 */
export function createPostgresLedgerStore(postgres: Postgres): LedgerStore {
  const touches = createKeyTouches();
  const readCaller = createCallerReads(postgres);
  const expiries = createExpiries();
  const liveCallerFrom = (row: PostgresRow | undefined, nowMs: number): Caller | null => {
    if (row === undefined) return null;
    const isOver = expiries.isOver(textOf(row, "key_id"), integerOrNullOf(row, "expires_at"), nowMs);
    return isOver ? null : callerFrom(row, nowMs);
  };
  return {
    // A text that cannot be a key costs no read.
    findCaller: (key, nowMs) =>
      hasValidShape(key) ? readCaller(hashKey(key)).then((row) => liveCallerFrom(row, nowMs)) : null,
    findSessionCaller: async (sessionId, nowMs) =>
      liveCallerFrom(await readCaller(markOfSessionKey(sessionId)), nowMs),
    write: async (group, nowMs) => {
      const touched = touches.due(group, nowMs);
      const outcomes = await postgres.transaction(readsOf(group), (rows, transaction) =>
        writeGroup(rows, transaction, group, { nowMs, touched, expiries }),
      );
      touches.written(touched, nowMs);
      return outcomes;
    },
    deleteOld: (beforeMs, limit) => deletedBy(postgres, DELETE_OLD, [beforeMs, limit]),
    deleteOf: ({ accountId, after, upTo }) => deletedBy(postgres, DELETE_OF, [after, upTo, accountId]),
  };
}

async function deletedBy(
  postgres: Postgres,
  statement: NamedStatement,
  values: readonly unknown[],
): Promise<number> {
  const [row] = await postgres.transaction([], (_, { runLast }) => runLast(statement, values));
  if (row === undefined) throw new Error("The database gave no count of deleted rows");
  return integerOf(row, "deleted");
}

/** The accounts of a group, locked, and the keys that pay. */
function readsOf({ charges, notes, refused }: Group): readonly PreparedQuery[] {
  const accountIds = new Set([...charges, ...notes].map((call) => call.account_id));
  for (const { accountId } of refused) accountIds.add(accountId);
  const keyIds = new Set(charges.map((call) => call.key_id));
  const lock: PreparedQuery = [LOCK_ACCOUNTS, [[...accountIds]]];
  return keyIds.size === 0 ? [lock] : [lock, [READ_KEYS, [[...keyIds]]]];
}

async function writeGroup(
  [accounts = [], keys = []]: readonly (readonly PostgresRow[])[],
  { runLast }: Transaction,
  { charges, notes, refused }: Group,
  { nowMs, touched, expiries }: { nowMs: number; touched: readonly string[]; expiries: Expiries },
): Promise<readonly Settlement[]> {
  const locked = new Map(accounts.map((row) => [textOf(row, "id"), lockedAccountFrom(row)]));
  const { outcomes, totals } = judgeCharges(
    charges,
    locked,
    new Map(keys.map((row) => [textOf(row, "id"), lockedKeyFrom(row, expiries, nowMs)])),
    nowMs,
  );
  // What was noted of a call of an account that was deleted meanwhile must not name it again.
  const kept = notes.filter((call) => locked.has(call.account_id));
  const counted = refused.filter(({ accountId }) => locked.has(accountId));
  const calls = [...chargedCalls(charges, outcomes), ...kept];
  if (calls.length + counted.length + touched.length === 0) return outcomes;
  await runLast(WRITE, [
    nowMs,
    [...totals.keys()],
    [...totals.values()],
    JSON.stringify(calls),
    JSON.stringify(rollUp(calls, daysOfRefused(counted))),
    JSON.stringify(minutesOfRefused(counted).map(minuteRow)),
    touched,
  ]);
  return outcomes;
}

function lockedAccountFrom(row: PostgresRow): LockedAccount {
  return {
    ...balanceFrom(row),
    ...refillTermsFrom(row),
    isDisabled: row["disabled_at"] !== null,
  };
}

function lockedKeyFrom(row: PostgresRow, expiries: Expiries, nowMs: number): LockedKey {
  const isOver = expiries.isOver(textOf(row, "id"), integerOrNullOf(row, "expires_at"), nowMs);
  return { accountId: textOf(row, "account_id"), isDead: isOver || row["revoked_at"] !== null };
}

const minuteRow = ({ accountId, ...minute }: RefusedMinute) => ({ account_id: accountId, ...minute });
