import type { Transaction } from "kysely";
import type { Schema } from "../db/schema.ts";
import {
  type AccountRef,
  lockAccountRow,
  readAccountRow,
  refuseEndedSession,
  refuseUnproved,
  type StoreDeps,
} from "./account-rows.ts";
import type { ApiKey } from "./accounts.ts";
import { type AuditRow, readAuditOfKey } from "./audit.ts";
import { createKeyChanges, type KeyChanges } from "./key-changes.ts";
import { type KeyOptions, NO_LIMITS } from "./key-options.ts";
import {
  auditKey,
  findKeyRow,
  insertKeyRow,
  type KeyPerson,
  type KeyRow,
  readKeyRow,
  refuseFullAllowance,
  refuseManyNewKeys,
  refuseOthersKey,
} from "./key-rows.ts";
import { apiKeyFromRow, byCreation } from "./rows.ts";
import { endSessions } from "./session-keys.ts";

/** A key that was just made. `text` is the key itself: shown once, stored nowhere. */
export type NewKey = { readonly key: ApiKey; readonly text: string };

/** A key that was revoked, with what the sessions that it opened did, newest first: to be looked through. */
type RevokedKey = {
  readonly key: ApiKey;
  /** Sessions that ended with it. */
  readonly endedSessions: number;
  readonly made: readonly AuditRow[];
};

/** Who asks. A session that has ended changes nothing: NOT_SIGNED_IN. */
type KeyBy = { readonly actor?: string; readonly sessionId?: string; readonly person?: KeyPerson };

export type KeyStore = KeyChanges & {
  /**
   * Throws Refusal: NOT_FOUND for the account, ADDRESS_NOT_PROVED, VALIDATION when the plan's keys are all in use,
   * RATE_LIMIT_EXCEEDED where a session asks and the account has 20 new keys within an hour.
   */
  readonly createKey: (
    wish: AccountRef & { readonly name?: string; readonly options?: Partial<KeyOptions> } & KeyBy,
  ) => Promise<NewKey>;
  /**
   * All keys, revoked and expired ones too, oldest first; of those that ended the newest `maxRevoked`, default all, and none
   * of a session that has ended. Throws Refusal NOT_FOUND for the account.
   */
  readonly listKeys: (ref: AccountRef & { readonly maxRevoked?: number }) => Promise<readonly ApiKey[]>;
  /**
   * Revokes a key by its id or its 12-character prefix, with `accountId` only among that account's. When it resolves,
   * every process refuses the key, no charge of it is on its way, and the sessions that it opened, or that pays by it,
   * have ended. A second time changes nothing. Throws Refusal: NOT_FOUND, or VALIDATION when several keys have the prefix.
   */
  readonly revokeKey: (
    idOrPrefix: string,
    by?: KeyBy & { readonly accountId?: string },
  ) => Promise<RevokedKey>;
};

/** The keys of accounts. */
export function createKeyStore(deps: StoreDeps): KeyStore {
  const { kysely } = deps.db;
  return {
    ...createKeyChanges(deps),
    createKey: ({ name = "default", options = {}, actor = "cli", sessionId, person, ...ref }) =>
      kysely.transaction().execute(async (trx) => {
        const account = await lockAccountRow(trx, ref, deps);
        await refuseEndedSession(trx, sessionId ?? null, deps);
        refuseUnproved(account);
        await refuseFullAllowance(trx, account, deps);
        await refuseManyNewKeys(trx, { accountId: account.id, sessionId: sessionId ?? null }, deps);
        const personId = person?.id ?? null;
        const wish = { accountId: account.id, name, actor, personId, options: { ...NO_LIMITS, ...options } };
        return insertKey(trx, wish, deps);
      }),
    listKeys: (ref) => listKeys(ref, deps),
    revokeKey: (idOrPrefix, { actor = "cli", sessionId, accountId, person } = {}) =>
      kysely.transaction().execute(async (trx) => {
        const found = await findKeyRow(trx, idOrPrefix, accountId);
        refuseOthersKey(found, person);
        // The account's lock first: a group of charges that judged the key alive commits before this goes on.
        await lockAccountRow(trx, { accountId: found.account_id }, deps);
        await refuseEndedSession(trx, sessionId ?? null, deps);
        return revoke(trx, found, { actor, deps });
      }),
  };
}

/**
 * Revokes live keys of an account whose row is locked: those named by their ids, or all. What is not one of its live keys
 * is passed over. Gives the number revoked.
 */
export async function revokeKeysOf(
  trx: Transaction<Schema>,
  wish: {
    readonly accountId: string;
    readonly ids: readonly string[] | "all";
    /** Only keys that this person made. */
    readonly madeBy?: string;
    readonly actor: string;
  },
  deps: StoreDeps,
): Promise<number> {
  const { accountId, ids, actor, madeBy } = wish;
  const rows = await trx
    .selectFrom("api_keys")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .execute();
  const theirs = rows.filter((row) => madeBy === undefined || row.person_id === madeBy);
  const chosen = ids === "all" ? theirs : theirs.filter(({ id }) => ids.includes(id));
  for (const row of chosen) await revoke(trx, row, { actor, deps });
  return chosen.length;
}

async function listKeys(
  { maxRevoked, ...ref }: Parameters<KeyStore["listKeys"]>[0],
  { db, clock }: StoreDeps,
): Promise<readonly ApiKey[]> {
  const account = await readAccountRow(db.kysely, ref);
  const keys = db.kysely.selectFrom("api_keys").selectAll().where("account_id", "=", account.id);
  // Two reads, each by an index: of an account that revoked many keys none but the shown are read.
  const alive = await keys.where("revoked_at", "is", null).execute();
  const ended = keys
    .where("revoked_at", "is not", null)
    .where("session_id", "is", null)
    .orderBy("revoked_at", "desc");
  const revoked = await (maxRevoked === undefined ? ended : ended.limit(maxRevoked)).execute();
  const isShown = new Map([...alive, ...revoked].map((row) => [row.id, row]));
  const now = clock.now();
  return [...isShown.values()].sort(byCreation).map((row) => apiKeyFromRow(row, now));
}

/** Inserts a key for an account whose row is locked; counts nothing. */
export async function insertKey(
  trx: Transaction<Schema>,
  wish: {
    readonly accountId: string;
    readonly name: string;
    readonly actor: string;
    /** Who made it; left out: the operator. */
    readonly personId?: string | null;
    readonly options?: KeyOptions;
  },
  deps: StoreDeps,
): Promise<NewKey> {
  const { row, text } = await insertKeyRow(trx, { ...wish, options: wish.options ?? NO_LIMITS }, deps);
  await auditKey(trx, row, { actor: wish.actor, action: "key.create" }, deps);
  return { key: apiKeyFromRow(row, deps.clock.now()), text };
}

async function revoke(
  trx: Transaction<Schema>,
  found: KeyRow,
  { actor, deps }: { actor: string; deps: StoreDeps },
): Promise<RevokedKey> {
  const { account_id: accountId, session_id: own } = found;
  const row = await trx
    .updateTable("api_keys")
    .set({ revoked_at: deps.clock.now().getTime() })
    .where("id", "=", found.id)
    .where("revoked_at", "is", null)
    .returningAll()
    .executeTakeFirst();
  // Read before the row of this revocation is written.
  const made = await readAuditOfKey(trx, { accountId, keyId: found.id, limit: MAX_MADE });
  const now = deps.clock.now();
  if (row === undefined) {
    const before = await readKeyRow(trx, found.id);
    return { key: apiKeyFromRow(before, now), endedSessions: 0, made };
  }
  const opened = await endSessions(trx, { accountId, keyId: row.id }, deps);
  const paying = own === null ? [] : await endSessions(trx, { accountId, only: [own] }, deps);
  const endedSessions = opened.length + paying.length;
  await auditKey(trx, row, { actor, action: "key.revoke", more: { ended_sessions: endedSessions } }, deps);
  return { key: apiKeyFromRow(row, now), endedSessions, made };
}

/** What is named of a key's sessions: sign-ins are one row an hour and address. */
const MAX_MADE = 50;
