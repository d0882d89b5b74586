import type { Sqlite, SqliteRow } from "../../db/sqlite.ts";
import type { Settlement } from "../accounts.ts";
import { createExpiries, type Expiries } from "../expired-keys.ts";
import { nextRefillAt, refill, refillSql } from "../refill.ts";
import { balanceFrom, callerFrom, integerOf, refillTermsFrom } from "../rows.ts";
import { markOfSessionKey } from "../session-keys.ts";
import type { CallRow } from "./call-rows.ts";
import { createKnownCallers, type KnownCallers } from "./key-cache.ts";
import { chargedCalls } from "./postgres-charges.ts";
import { daysOfRefused, minutesOfRefused, type RefusedCalls } from "./refused-calls.ts";
import { addToDaySums, createDaySums } from "./usage-rollup.ts";
import { createKeyTouches, type Group, type LedgerStore } from "./write-batch.ts";

// The driver may bind numbers as doubles; the division of whole cycles must stay one of integers.
const AFTER_REFILL = refillSql("cast(?1 as integer)");

const FIND_CALLER = `
  select a.id as account_id, k.id as key_id, k.prefix, a.plan, a.credits, a.credits_reset_at, a.trial_grant, a.grace_ends_at,
    k.expires_at, k.networks, k.products, a.rowid as account_row, k.rowid as key_row
  from api_keys k join accounts a on a.id = k.account_id
  where k.hash = ? and k.revoked_at is null and a.disabled_at is null and a.email_proved_at is not null`;

// Design 13.2: refill, conditions and subtraction in one statement. Now, cost, account, key: by number, which binds
// in a fraction of the time that names take.
const CHARGE = `
  update accounts set credits = ${AFTER_REFILL.credits} - cast(?2 as integer),
    credits_granted = ${AFTER_REFILL.granted}, credits_reset_at = ${AFTER_REFILL.resetAt}
  where id = ?3 and disabled_at is null and ${AFTER_REFILL.credits} >= cast(?2 as integer)
    and exists (select 1 from api_keys where id = ?4 and account_id = ?3 and revoked_at is null
      and (expires_at is null or expires_at > ?1))
  returning credits`;

// The same for a balance that is known, with less work: nothing is taken unless the balance is that, no refill is due
// and account and key are alive. Both are looked for where they stood: rows may get other numbers, so their ids are
// compared too.
const CHARGE_KNOWN = `
  update accounts set credits = ?1
  where rowid = ?6 and id = ?2 and credits = ?3 and credits_reset_at > ?4 and disabled_at is null
    and exists (select 1 from api_keys where rowid = ?7 and id = ?5 and account_id = ?2 and revoked_at is null
      and (expires_at is null or expires_at > ?4))`;

const WHY_NOT = `
  select a.plan, a.credits, a.credits_reset_at, a.trial_grant, a.grace_ends_at from api_keys k join accounts a on a.id = k.account_id
  where k.id = ? and a.id = ? and k.revoked_at is null and (k.expires_at is null or k.expires_at > ?)
    and a.disabled_at is null`;

const INSERT_CALL = `
  insert into calls (at, request_id, account_id, key_id, key_prefix, endpoint, target_kind, target, items, status,
    credits, elapsed_ms, client_address)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const COUNT_REFUSED = `
  insert into refused_calls (account_id, minute, endpoint, calls) values (?, ?, ?, ?)
  on conflict (account_id, minute, endpoint) do update set calls = calls + excluded.calls`;

const TOUCH_KEY = "update api_keys set last_used_at = ? where id = ?";

/** The ledger's hot path on SQLite: prepared statements on the one connection, one fsync for a whole group. */
export function createSqliteLedgerStore(sqlite: Sqlite): LedgerStore {
  const touches = createKeyTouches();
  const expiries = createExpiries();
  const callers = createKnownCallers(sqlite, (hash) => sqlite.prepare(FIND_CALLER).get(hash), expiries);
  const days = createDaySums(sqlite);
  return {
    findCaller: (key, nowMs) =>
      sqlite.mutex.isHeld() ? sqlite.exclusive(() => callers.find(key, nowMs)) : callers.find(key, nowMs),
    findSessionCaller: async (sessionId, nowMs) => {
      const read = () => sqlite.prepare(FIND_CALLER).get(markOfSessionKey(sessionId));
      const row = sqlite.mutex.isHeld() ? await sqlite.exclusive(read) : read();
      return row === undefined ? null : callerFrom(row, nowMs);
    },
    write: async (group, nowMs) => {
      const touched = touches.due(group, nowMs);
      const isDue = days.isDue(nowMs);
      const { outcomes } = await sqlite.transaction(
        () => {
          if (isDue) days.bringUp();
          const written = writeGroup(sqlite, group, { nowMs, touched, callers, expiries });
          return { ...written, versionOfOthers: days.versionOfOthers() };
        },
        (written) => {
          callers.charged(group.charges, written.outcomes);
          if (isDue) days.broughtUp(nowMs);
          if (written.calls.length > 0) days.wait(written.calls, written);
        },
      );
      touches.written(touched, nowMs);
      return outcomes;
    },
    deleteOld: (beforeMs, limit, nowMs) =>
      sqlite.transaction(
        () => days.deleteOld(beforeMs, limit),
        () => days.broughtUp(nowMs),
      ),
    deleteOf: (wish, nowMs) =>
      sqlite.transaction(
        () => days.deleteOf(wish),
        () => days.broughtUp(nowMs),
      ),
  };
}

const FIND_ACCOUNT = "select 1 from accounts where id = ?";

/** What was noted of a call of an account that was deleted meanwhile must not name it again. */
function accountCheck(sqlite: Sqlite): (id: string) => boolean {
  const found = new Map<string, boolean>();
  return (id) => {
    const known = found.get(id);
    if (known !== undefined) return known;
    const exists = sqlite.prepare(FIND_ACCOUNT).get(id) !== undefined;
    found.set(id, exists);
    return exists;
  };
}

type Written = {
  readonly outcomes: readonly Settlement[];
  readonly calls: readonly CallRow[];
  /** Number of the last of these rows. */
  readonly lastId: number;
};

function writeGroup(
  sqlite: Sqlite,
  { charges, notes, refused }: Group,
  { nowMs, touched, ...known }: KnownRows & { nowMs: number; touched: readonly string[] },
): Written {
  const outcomes = chargeAll(sqlite, charges, { nowMs, ...known });
  const hasAccount = accountCheck(sqlite);
  const kept = notes.filter(({ account_id }) => hasAccount(account_id));
  const calls = [...chargedCalls(charges, outcomes), ...kept];
  const insert = sqlite.prepare(INSERT_CALL);
  let lastId: number | bigint = 0;
  for (const call of calls) {
    const { lastInsertRowid } = insert.run(
      call.at,
      call.request_id,
      call.account_id,
      call.key_id,
      call.key_prefix,
      call.endpoint,
      call.target_kind,
      call.target,
      call.items,
      call.status,
      call.credits,
      call.elapsed_ms,
      call.client_address,
    );
    lastId = lastInsertRowid;
  }
  countRefused(
    sqlite,
    refused.filter(({ accountId }) => hasAccount(accountId)),
  );
  const touch = sqlite.prepare(TOUCH_KEY);
  for (const keyId of touched) touch.run(nowMs, keyId);
  return { outcomes, calls, lastId: Number(lastId) };
}

function countRefused(sqlite: Sqlite, refused: readonly RefusedCalls[]): void {
  if (refused.length === 0) return;
  const count = sqlite.prepare(COUNT_REFUSED);
  for (const { accountId, minute, endpoint, calls } of minutesOfRefused(refused)) {
    count.run(accountId, minute, endpoint, calls);
  }
  addToDaySums(sqlite, daysOfRefused(refused));
}

function chargeAll(
  sqlite: Sqlite,
  charges: readonly CallRow[],
  { nowMs, callers, expiries }: KnownRows & { nowMs: number },
): readonly Settlement[] {
  const left = new Map<string, number>();
  return charges.map((call) => {
    if (expiries.wasOver(call.key_id)) return { state: "revoked" };
    const account = callers.accountOf(call.account_id);
    const balance = left.get(call.account_id) ?? account?.credits;
    const known =
      account === undefined || balance === undefined
        ? null
        : chargeKnown(sqlite, call, {
            nowMs,
            balance,
            row: account.row,
            keyRow: callers.keyRowOf(call.key_id),
          });
    const outcome = known ?? charge(sqlite, call, nowMs);
    if (outcome.state === "charged") left.set(call.account_id, outcome.creditsRemaining);
    return outcome;
  });
}

type KnownRows = {
  readonly callers: Pick<KnownCallers, "accountOf" | "keyRowOf">;
  readonly expiries: Pick<Expiries, "wasOver">;
};
type Known = {
  readonly nowMs: number;
  readonly balance: number;
  readonly row: number;
  readonly keyRow: number | undefined;
};

/** Null: nothing was taken, and the balance is to be read. */
function chargeKnown(
  sqlite: Sqlite,
  { credits, account_id, key_id }: CallRow,
  { nowMs, balance, row, keyRow }: Known,
): Settlement | null {
  if (keyRow === undefined || balance < credits) return null;
  const creditsRemaining = balance - credits;
  const { changes } = sqlite
    .prepare(CHARGE_KNOWN)
    .run(creditsRemaining, account_id, balance, nowMs, key_id, row, keyRow);
  return changes === 1 ? { state: "charged", creditsRemaining } : null;
}

function charge(sqlite: Sqlite, call: CallRow, nowMs: number): Settlement {
  const row = sqlite.prepare(CHARGE).get(nowMs, call.credits, call.account_id, call.key_id);
  if (row !== undefined) return { state: "charged", creditsRemaining: integerOf(row, "credits") };
  const reason = sqlite.prepare(WHY_NOT).get(call.key_id, call.account_id, nowMs);
  return reason === undefined ? { state: "revoked" } : insufficient(reason, nowMs);
}

function insufficient(row: SqliteRow, nowMs: number): Settlement {
  const balance = refill(balanceFrom(row), refillTermsFrom(row), nowMs);
  return { state: "insufficient", credits: balance.credits, creditsResetAt: nextRefillAt(balance, nowMs) };
}
