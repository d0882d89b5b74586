import type { Transaction } from "kysely";
import { Refusal } from "../base/failure.ts";
import type { Schema } from "../db/schema.ts";
import { readIp } from "../targets/ip.ts";
import { lockAccountRow, refuseEndedSession, refuseUnproved, type StoreDeps } from "./account-rows.ts";
import type { ApiKey } from "./accounts.ts";
import {
  allowsSession,
  checkOverlap,
  columnsOf,
  type KeyOptions,
  optionsFrom,
  restrictionFrom,
} from "./key-options.ts";
import {
  auditKey,
  countWorking,
  findKeyRow,
  insertKeyRow,
  type KeyPerson,
  type KeyRow,
  parseKeyName,
  readKeyRow,
  refuseFullAllowance,
  refuseManyNewKeys,
  refuseOthersKey,
  updateKeyRow,
} from "./key-rows.ts";
import { parsePlan } from "./plans.ts";
import { type AccountRow, apiKeyFromRow, keyState } from "./rows.ts";
import { endSessions } from "./session-keys.ts";

/** Who asks, and among whose keys. A session that has ended changes nothing: NOT_SIGNED_IN. */
type KeyChangeBy = {
  readonly actor?: string;
  readonly sessionId?: string;
  readonly accountId?: string;
  /** The person who asks; left out: the operator. */
  readonly person?: KeyPerson;
};

/** What is changed of a key; what is left out stays. */
type KeyUpdate = Partial<KeyOptions> & { readonly name?: string };

type RolledKey = {
  /** The new one. */
  readonly key: ApiKey;
  readonly text: string;
  readonly old: ApiKey;
};

export type KeyChanges = {
  /**
   * Changes a key that works, or gives one that has expired another expiry. Holds on every process when it resolves. Throws
   * Refusal NOT_FOUND, CONFLICT for a key that was revoked or replaced, VALIDATION where a revived one is one too many.
   */
  readonly updateKey: (idOrPrefix: string, update: KeyUpdate, by?: KeyChangeBy) => Promise<ApiKey>;
  /**
   * Replaces a key by a new one with the same name and limits, but for `expiresAt` where it is given. The old one works on
   * for `overlapMs`, 0 to 7 days, no longer than its own expiry, and meanwhile does not count for the plan. Throws Refusal
   * NOT_FOUND, ADDRESS_NOT_PROVED, CONFLICT for a key that does not work, was replaced before, or itself replaced one that
   * still works; RATE_LIMIT_EXCEEDED as createKey does; InvalidValue `overlap_range`.
   */
  readonly rollKey: (
    idOrPrefix: string,
    wish: { readonly overlapMs: number; readonly expiresAt?: Date | null },
    by?: KeyChangeBy,
  ) => Promise<RolledKey>;
  /** Writes the end of keys that have expired, so that a clock set back revives none; how many. */
  readonly endExpiredKeys: () => Promise<number>;
};

/** Changes of keys. */
export function createKeyChanges(deps: StoreDeps): KeyChanges {
  return {
    updateKey: (idOrPrefix, wish, by = {}) =>
      changeKey(idOrPrefix, by, deps, async (trx, found) => {
        const row = await update(trx, found, wish, deps);
        await auditKey(trx, row, { actor: by.actor ?? "cli", action: "key.update" }, deps);
        return apiKeyFromRow(row, deps.clock.now());
      }),
    rollKey: (idOrPrefix, wish, by = {}) => {
      const overlapMs = checkOverlap(wish.overlapMs);
      return changeKey(idOrPrefix, by, deps, (trx, found) =>
        roll(
          trx,
          found,
          {
            ...{ ...wish, overlapMs, actor: by.actor ?? "cli" },
            ...{ sessionId: by.sessionId ?? null, personId: by.person?.id ?? null },
          },
          deps,
        ),
      );
    },
    endExpiredKeys: () => deps.db.kysely.transaction().execute((trx) => endExpired(trx, deps)),
  };
}

type Found = { readonly row: KeyRow; readonly account: AccountRow };

function changeKey<T>(
  idOrPrefix: string,
  { sessionId, accountId, person }: KeyChangeBy,
  deps: StoreDeps,
  change: (trx: Transaction<Schema>, found: Found) => Promise<T>,
): Promise<T> {
  return deps.db.kysely.transaction().execute(async (trx) => {
    const { id, account_id } = await findKeyRow(trx, idOrPrefix, accountId);
    // A group of charges that judged the key by what it was commits before this goes on.
    const account = await lockAccountRow(trx, { accountId: account_id }, deps);
    await refuseEndedSession(trx, sessionId ?? null, deps);
    const row = await readKeyRow(trx, id);
    if (row.session_id !== null)
      throw conflict(`The key "${row.prefix}" belongs to a session and has no options`);
    refuseOthersKey(row, person);
    return change(trx, { row, account });
  });
}

const conflict = (message: string): Refusal => new Refusal("CONFLICT", { message });

async function update(
  trx: Transaction<Schema>,
  { row, account }: Found,
  { name, ...options }: KeyUpdate,
  deps: StoreDeps,
): Promise<KeyRow> {
  refuseReplaced(row);
  const state = keyState(row, deps.clock.now().getTime());
  if (state === "revoked") throw conflict(`The key "${row.prefix}" is revoked: create another one`);
  if (state === "expired") {
    if (options.expiresAt === undefined)
      throw conflict(`The key "${row.prefix}" has expired: give it another expiry first`);
    await refuseFullAllowance(trx, account, deps);
  }
  const changed = await updateKeyRow(trx, row.id, {
    ...columnsOf(options),
    ...(name === undefined ? {} : { name: parseKeyName(name) }),
    ...(state === "expired" ? { revoked_at: null } : {}),
  });
  await endSessionsWith(trx, changed);
  await endRefusedSessions(trx, changed, deps);
  return changed;
}

/** Ends the sessions that a key could not open any more by the limits that it has now. */
async function endRefusedSessions(
  trx: Transaction<Schema>,
  { id, account_id: accountId, networks, products }: KeyRow,
  deps: StoreDeps,
): Promise<void> {
  const restriction = restrictionFrom(networks, products);
  const opened = await trx
    .selectFrom("sessions")
    .select(["id", "client_address"])
    .where("key_id", "=", id)
    .execute();
  const refused = opened.filter((session) => !allowsSession(restriction, readIp(session.client_address)));
  await endSessions(trx, { accountId, only: refused.map((session) => session.id) }, deps);
}

function refuseReplaced({ replaced_by: replacedBy, prefix }: KeyRow): void {
  if (replacedBy === null) return;
  throw conflict(`The key "${prefix}" was replaced by another one: change that one`);
}

/** Sessions that a key opened end with it at the latest. */
export async function endSessionsWith(
  trx: Transaction<Schema>,
  { id, expires_at: endsAt }: Pick<KeyRow, "id" | "expires_at">,
): Promise<void> {
  if (endsAt === null) return;
  await trx
    .updateTable("sessions")
    .set({ expires_at: endsAt })
    .where("key_id", "=", id)
    .where("expires_at", ">", endsAt)
    .execute();
}

type RollWish = {
  readonly overlapMs: number;
  readonly expiresAt?: Date | null;
  readonly actor: string;
  readonly sessionId: string | null;
  readonly personId: string | null;
};

async function roll(
  trx: Transaction<Schema>,
  { row, account }: Found,
  { overlapMs, expiresAt, actor, sessionId, personId }: RollWish,
  deps: StoreDeps,
): Promise<RolledKey> {
  const now = deps.clock.now();
  refuseUnproved(account);
  await refuseRoll(trx, { row, account }, deps);
  await refuseManyNewKeys(trx, { accountId: account.id, sessionId }, deps);
  const options = { ...optionsFrom(row), ...(expiresAt === undefined ? {} : { expiresAt }) };
  const made = await insertKeyRow(trx, { accountId: account.id, name: row.name, options, personId }, deps);
  const untilMs = Math.min(now.getTime() + overlapMs, row.expires_at ?? Number.POSITIVE_INFINITY);
  const end = overlapMs === 0 ? { revoked_at: now.getTime() } : { expires_at: untilMs };
  const old = await updateKeyRow(trx, row.id, { ...end, replaced_by: made.row.id });
  if (overlapMs === 0) await endSessions(trx, { accountId: account.id, keyId: row.id }, deps);
  else await endSessionsWith(trx, old);
  const works = new Date(overlapMs === 0 ? now.getTime() : untilMs).toISOString();
  const more = { replaced: row.prefix, replaced_id: row.id, replaced_works_until: works };
  await auditKey(trx, made.row, { actor, action: "key.roll", more }, deps);
  return { key: apiKeyFromRow(made.row, now), text: made.text, old: apiKeyFromRow(old, now) };
}

async function refuseRoll(trx: Transaction<Schema>, { row, account }: Found, deps: StoreDeps): Promise<void> {
  const nowMs = deps.clock.now().getTime();
  const state = keyState(row, nowMs);
  if (state !== "active")
    throw conflict(
      `The key "${row.prefix}" has ${state === "revoked" ? "been revoked" : "expired"}: create another one`,
    );
  if (row.replaced_by !== null) throw conflict(`The key "${row.prefix}" was replaced by another one already`);
  const before = await trx
    .selectFrom("api_keys")
    .selectAll()
    .where("replaced_by", "=", row.id)
    .executeTakeFirst();
  if (before !== undefined && keyState(before, nowMs) === "active") {
    throw conflict(`The key "${before.prefix}", which this one replaced, still works: revoke it first`);
  }
  // A chain of replacements must not be a way around the plan.
  const { maxApiKeys } = parsePlan(account.plan);
  if ((await countWorking(trx, account.id, { isReplaced: true }, deps)) < maxApiKeys) return;
  throw conflict("Too many replaced keys still work: revoke one of them first");
}

async function endExpired(trx: Transaction<Schema>, deps: StoreDeps): Promise<number> {
  const nowMs = deps.clock.now().getTime();
  const rows = await trx
    .updateTable("api_keys")
    .set({ revoked_at: nowMs })
    .where("revoked_at", "is", null)
    .where("expires_at", "<=", nowMs)
    .returningAll()
    .execute();
  for (const row of rows) {
    await endSessions(trx, { accountId: row.account_id, keyId: row.id }, deps);
    await auditKey(trx, row, { actor: "service", action: "key.expire" }, deps);
  }
  return rows.length;
}
