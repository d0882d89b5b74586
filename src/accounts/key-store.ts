import { type Selectable, sql, type Transaction } from "kysely";
import type { Schema } from "../db/schema.ts";
import { Refusal } from "../failure.ts";
import {
  type AccountRef,
  lockAccountRow,
  refuseEndedSession,
  refuseUnproved,
  type StoreDeps,
  soughtEmail,
  unknownAccount,
} from "./account-rows.ts";
import type { ApiKey } from "./accounts.ts";
import { writeAudit } from "./audit.ts";
import { generateKey, hashKey, prefixOfKey } from "./keys.ts";
import { parsePlan } from "./plans.ts";
import { type AccountRow, apiKeyFromRow } from "./rows.ts";

/** A key that was just made. `text` is the key itself: shown once, stored nowhere. */
export type NewKey = { readonly key: ApiKey; readonly text: string };

/** Who asks. A session that has ended changes nothing: NOT_SIGNED_IN. */
type KeyBy = { readonly actor?: string; readonly sessionId?: string };

export type KeyStore = {
  /**
   * Throws Refusal: NOT_FOUND for the account, ADDRESS_NOT_PROVED, VALIDATION when the plan's keys are all in use.
   */
  readonly createKey: (wish: AccountRef & { readonly name?: string } & KeyBy) => Promise<NewKey>;
  /**
   * All keys, revoked ones too, oldest first; of the revoked the newest `maxRevoked`, default all. Throws Refusal NOT_FOUND
   * for the account.
   */
  readonly listKeys: (ref: AccountRef & { readonly maxRevoked?: number }) => Promise<readonly ApiKey[]>;
  /**
   * Revokes a key by its id or its 12-character prefix, with `accountId` only among that account's. When it resolves,
   * every process refuses the key, no charge of it is on its way and the sessions that it opened have ended. A second
   * time changes nothing. Throws Refusal:
   * NOT_FOUND, or VALIDATION when several keys have the prefix.
   */
  readonly revokeKey: (idOrPrefix: string, by?: KeyBy & { readonly accountId?: string }) => Promise<ApiKey>;
};

const MAX_NAME = 100;

/** The keys of accounts. */
export function createKeyStore(deps: StoreDeps): KeyStore {
  const { kysely } = deps.db;
  return {
    createKey: ({ name = "default", actor = "cli", sessionId, ...ref }) =>
      kysely.transaction().execute(async (trx) => {
        const account = await lockAccountRow(trx, ref, deps);
        await refuseEndedSession(trx, sessionId ?? null, deps);
        refuseUnproved(account);
        await refuseFullAllowance(trx, account);
        return insertKey(trx, { accountId: account.id, name, actor }, deps);
      }),
    listKeys: (ref) => listKeys(ref, deps),
    revokeKey: (idOrPrefix, { actor = "cli", sessionId, accountId } = {}) =>
      kysely.transaction().execute(async (trx) => {
        const found = await findKeyRow(trx, idOrPrefix, accountId);
        // The account's lock first: a group of charges that judged the key alive commits before this goes on.
        await lockAccountRow(trx, { accountId: found.account_id }, deps);
        await refuseEndedSession(trx, sessionId ?? null, deps);
        return apiKeyFromRow(await revoke(trx, found, { actor, deps }));
      }),
  };
}

/**
 * Revokes live keys of an account whose row is locked: those named by their ids, or all. What is not one of its live keys
 * is passed over. Gives the number revoked.
 */
export async function revokeKeysOf(
  trx: Transaction<Schema>,
  wish: { readonly accountId: string; readonly ids: readonly string[] | "all"; readonly actor: string },
  deps: StoreDeps,
): Promise<number> {
  const { accountId, ids, actor } = wish;
  const rows = await trx
    .selectFrom("api_keys")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .execute();
  const chosen = ids === "all" ? rows : rows.filter(({ id }) => ids.includes(id));
  for (const row of chosen) await revoke(trx, row, { actor, deps });
  return chosen.length;
}

async function listKeys(
  { maxRevoked, ...ref }: Parameters<KeyStore["listKeys"]>[0],
  { db }: StoreDeps,
): Promise<readonly ApiKey[]> {
  const query = db.kysely.selectFrom("accounts").select("id");
  const account = await ("email" in ref
    ? query.where("email", "=", soughtEmail(ref.email))
    : query.where("id", "=", ref.accountId)
  ).executeTakeFirst();
  if (account === undefined) throw unknownAccount(ref);
  const keys = db.kysely.selectFrom("api_keys").where("account_id", "=", account.id);
  const revoked = keys.where("revoked_at", "is not", null).orderBy("revoked_at", "desc").select("id");
  const shown =
    maxRevoked === undefined
      ? keys
      : keys.where((eb) => eb.or([eb("revoked_at", "is", null), eb("id", "in", revoked.limit(maxRevoked))]));
  const rows = await shown.selectAll().orderBy("created_at").orderBy("id").execute();
  return rows.map(apiKeyFromRow);
}

// The account's row is locked, so that of two creations at once the second counts the first.
async function refuseFullAllowance(trx: Transaction<Schema>, account: AccountRow): Promise<void> {
  const plan = parsePlan(account.plan);
  const { active } = await trx
    .selectFrom("api_keys")
    .select(sql<number>`count(*)`.as("active"))
    .where("account_id", "=", account.id)
    .where("revoked_at", "is", null)
    .executeTakeFirstOrThrow();
  if (Number(active) < plan.maxApiKeys) return;
  throw new Refusal("VALIDATION", {
    message: `All ${plan.maxApiKeys} keys of plan ${plan.name} are in use: revoke one first`,
    details: { max_api_keys: plan.maxApiKeys },
  });
}

/** Inserts a key for an account whose row is locked; counts nothing. */
export async function insertKey(
  trx: Transaction<Schema>,
  wish: { readonly accountId: string; readonly name: string; readonly actor: string },
  deps: StoreDeps,
): Promise<NewKey> {
  const text = generateKey(deps.random);
  const row = await trx
    .insertInto("api_keys")
    .values({
      id: deps.random.uuid(),
      account_id: wish.accountId,
      name: cleanName(wish.name),
      hash: hashKey(text),
      prefix: prefixOfKey(text),
      created_at: deps.clock.now().getTime(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const detail = { key_id: row.id, prefix: row.prefix, name: row.name };
  const entry = { actor: wish.actor, action: "key.create", accountId: wish.accountId, detail };
  await writeAudit(trx, entry, deps);
  return { key: apiKeyFromRow(row), text };
}

const cleanName = (name: string): string =>
  name
    .replace(/[\p{Cc}\p{Cf}]/gu, " ")
    .trim()
    .slice(0, MAX_NAME) || "default";

type KeyRow = Selectable<Schema["api_keys"]>;

async function findKeyRow(
  trx: Transaction<Schema>,
  idOrPrefix: string,
  accountId: string | undefined,
): Promise<KeyRow> {
  const query = trx
    .selectFrom("api_keys")
    .selectAll()
    .where((eb) => eb.or([eb("id", "=", idOrPrefix), eb("prefix", "=", idOrPrefix)]))
    .limit(2);
  const [row, second] = await (accountId === undefined
    ? query
    : query.where("account_id", "=", accountId)
  ).execute();
  if (row === undefined)
    throw new Refusal("NOT_FOUND", { message: `There is no key "${prefixOfKey(idOrPrefix)}"` });
  if (second === undefined) return row;
  throw new Refusal("VALIDATION", {
    message: `Several keys begin with "${idOrPrefix}": name the key by its id`,
  });
}

async function revoke(
  trx: Transaction<Schema>,
  found: KeyRow,
  { actor, deps }: { actor: string; deps: StoreDeps },
): Promise<KeyRow> {
  const row = await trx
    .updateTable("api_keys")
    .set({ revoked_at: deps.clock.now().getTime() })
    .where("id", "=", found.id)
    .where("revoked_at", "is", null)
    .returningAll()
    .executeTakeFirst();
  // Somebody revoked it before.
  if (row === undefined) {
    return trx.selectFrom("api_keys").selectAll().where("id", "=", found.id).executeTakeFirstOrThrow();
  }
  await trx.deleteFrom("sessions").where("key_id", "=", row.id).execute();
  const detail = { key_id: row.id, prefix: row.prefix, name: row.name };
  await writeAudit(trx, { actor, action: "key.revoke", accountId: row.account_id, detail }, deps);
  return row;
}
