import { type Kysely, sql, type Transaction } from "kysely";
import { Refusal } from "../base/failure.ts";
import type { Schema } from "../db/schema.ts";
import { type AccessToken, type AccessTokenRow, accessTokenFrom } from "./access-tokens.ts";
import {
  type AccountRef,
  lockAccountRow,
  readAccountRow,
  refuseEndedSession,
  refuseUnproved,
  type StoreDeps,
} from "./account-rows.ts";
import { writeAudit } from "./audit.ts";
import type { AuditAction } from "./audit-actions.ts";
import { onlyRow, parseKeyName } from "./key-rows.ts";
import type { revokeKeysOf } from "./key-store.ts";
import { generateToken, hashKey, prefixOfKey } from "./keys.ts";
import { byCreation } from "./rows.ts";
import type { TokenScope } from "./token-scopes.ts";

/** A token that was just made. `text` is the token itself: shown once, stored nowhere. */
type NewToken = { readonly token: AccessToken; readonly text: string };

/** Who asks. A session that has ended changes nothing: NOT_SIGNED_IN. */
type By = { readonly actor?: string; readonly sessionId?: string };

type TokenWish = AccountRef & {
  readonly scopes: readonly TokenScope[];
  readonly name?: string;
  readonly networks?: readonly string[] | null;
  readonly expiresAt?: Date | null;
  /** Who makes it on the pages; left out: the operator. */
  readonly personId?: string | null;
} & By;

export type TokenStore = {
  /** Throws Refusal NOT_FOUND for the account, ADDRESS_NOT_PROVED, VALIDATION when it has 100 tokens that work. */
  readonly createToken: (wish: TokenWish) => Promise<NewToken>;
  /** Tokens of one account, or of all; oldest first, and of those that ended the newest hundred. */
  readonly listTokens: (ref?: AccountRef) => Promise<readonly AccessToken[]>;
  /**
   * Revokes a token by its id or its 12-character prefix, with `accountId` only among that account's. When it resolves, every
   * process refuses it. A second time changes nothing. Throws Refusal NOT_FOUND, or VALIDATION when several have the prefix.
   */
  readonly revokeToken: (name: string, by?: By & { readonly accountId?: string }) => Promise<AccessToken>;
  /** Writes the end of tokens that have expired, so that a clock set back revives none. */
  readonly endExpiredTokens: () => Promise<void>;
};

/** Working tokens of one account. */
const MAX_TOKENS = 100;
const MAX_ENDED_SHOWN = 100;

/** How long a process may go on with a token as it read it; PostgreSQL alone, where reading it takes a round trip. */
export const MAX_TOKEN_AGE_MS = 1000;

/**
 * Resolves when every process refuses tokens whose end was committed before: what other processes read of them has served its time.
 * Rejects where the database went away meanwhile: a process that had not read of the end yet goes on with what it knew.
 * `tokens`: how many they are.
 */
export async function outwaitTokens(
  tokens: number,
  { db, clock }: Pick<StoreDeps, "db" | "clock">,
): Promise<void> {
  if (tokens === 0 || db.dialect !== "postgres") return;
  await clock.sleep(MAX_TOKEN_AGE_MS);
  await sql`select 1`.execute(db.kysely).catch((cause: unknown) => {
    throw new Error(
      "This is done, but the database went away meanwhile: until it answers again a process may accept tokens that ended",
      { cause },
    );
  });
}

/** The access tokens of accounts. */
export function createTokenStore(deps: StoreDeps): TokenStore {
  const { kysely } = deps.db;
  return {
    createToken: (wish) => kysely.transaction().execute((trx) => create(trx, wish, deps)),
    listTokens: (ref) => list(ref, deps),
    revokeToken: async (name, by = {}) => {
      const revoked = await kysely.transaction().execute((trx) => revoke(trx, name, by, deps));
      await outwaitTokens(1, deps);
      return revoked;
    },
    endExpiredTokens: async () => {
      const nowMs = deps.clock.now().getTime();
      await kysely
        .updateTable("access_tokens")
        .set({ revoked_at: nowMs })
        .where("revoked_at", "is", null)
        .where("expires_at", "<=", nowMs)
        .execute();
    },
  };
}

async function create(
  trx: Transaction<Schema>,
  {
    scopes,
    name = "default",
    networks = null,
    expiresAt = null,
    actor = "cli",
    sessionId,
    personId = null,
    ...ref
  }: TokenWish,
  deps: StoreDeps,
): Promise<NewToken> {
  const account = await lockAccountRow(trx, ref, deps);
  await refuseEndedSession(trx, sessionId ?? null, deps);
  refuseUnproved(account);
  const now = deps.clock.now();
  await refuseMany(trx, account.id, now.getTime());
  const text = generateToken(deps.random);
  const row = await trx
    .insertInto("access_tokens")
    .values({
      id: deps.random.uuid(),
      account_id: account.id,
      name: parseKeyName(name),
      hash: hashKey(text),
      prefix: prefixOfKey(text),
      scopes: scopes.join(" "),
      networks: networks?.join(" ") ?? null,
      expires_at: expiresAt?.getTime() ?? null,
      created_at: now.getTime(),
      person_id: personId,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await audit(trx, row, { actor, action: "token.create" }, deps);
  return { token: accessTokenFrom(row, now), text };
}

async function refuseMany(trx: Transaction<Schema>, accountId: string, nowMs: number): Promise<void> {
  const alive = await trx
    .selectFrom("access_tokens")
    .select("id")
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", nowMs)]))
    .execute();
  if (alive.length < MAX_TOKENS) return;
  throw new Refusal("VALIDATION", {
    message: `The account has ${MAX_TOKENS} tokens that work: revoke one first`,
    details: { max_tokens: MAX_TOKENS },
  });
}

async function list(ref: AccountRef | undefined, { db, clock }: StoreDeps): Promise<readonly AccessToken[]> {
  let tokens = db.kysely.selectFrom("access_tokens").selectAll();
  if (ref !== undefined) {
    const id = "accountId" in ref ? ref.accountId : (await readAccountRow(db.kysely, ref)).id;
    tokens = tokens.where("account_id", "=", id);
  }
  const alive = await tokens.where("revoked_at", "is", null).execute();
  const ended = await tokens
    .where("revoked_at", "is not", null)
    .orderBy("revoked_at", "desc")
    .limit(MAX_ENDED_SHOWN)
    .execute();
  const now = clock.now();
  return [...alive, ...ended].sort(byCreation).map((row) => accessTokenFrom(row, now));
}

async function revoke(
  trx: Transaction<Schema>,
  name: string,
  { actor = "cli", sessionId, accountId }: By & { readonly accountId?: string },
  deps: StoreDeps,
): Promise<AccessToken> {
  const found = await findRow(trx, name, accountId);
  await lockAccountRow(trx, { accountId: found.account_id }, deps);
  await refuseEndedSession(trx, sessionId ?? null, deps);
  const now = deps.clock.now();
  const row = await trx
    .updateTable("access_tokens")
    .set({ revoked_at: now.getTime() })
    .where("id", "=", found.id)
    .where("revoked_at", "is", null)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return accessTokenFrom(found, now);
  await audit(trx, row, { actor, action: "token.revoke" }, deps);
  return accessTokenFrom(row, now);
}

/** How many tokens of an account may be known to a process, those that expired included. */
export async function countTokens(db: Kysely<Schema>, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom("access_tokens")
    .select(sql<number>`count(*)`.as("count"))
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Tokens of an account, or of it those that a person made, whose end is not written: oldest first. */
export async function unrevokedTokens(
  db: Kysely<Schema>,
  { accountId, madeBy }: { readonly accountId: string; readonly madeBy?: string },
): Promise<readonly AccessTokenRow[]> {
  const query = db
    .selectFrom("access_tokens")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .orderBy("created_at")
    .orderBy("id");
  return (madeBy === undefined ? query : query.where("person_id", "=", madeBy)).execute();
}

/** As `revokeKeysOf`, of tokens: how many are to be waited for (`outwaitTokens`). */
export async function revokeTokensOf(
  trx: Transaction<Schema>,
  { ids, actor, ...whose }: Parameters<typeof revokeKeysOf>[1],
  deps: StoreDeps,
): Promise<number> {
  const theirs = await unrevokedTokens(trx, whose);
  const chosen = ids === "all" ? theirs : theirs.filter(({ id }) => ids.includes(id));
  const at = deps.clock.now().getTime();
  for (const row of chosen) {
    await trx.updateTable("access_tokens").set({ revoked_at: at }).where("id", "=", row.id).execute();
    await audit(trx, row, { actor, action: "token.revoke" }, deps);
  }
  return chosen.length;
}

async function findRow(
  trx: Transaction<Schema>,
  name: string,
  accountId: string | undefined,
): Promise<AccessTokenRow> {
  const query = trx
    .selectFrom("access_tokens")
    .selectAll()
    .where((eb) => eb.or([eb("id", "=", name), eb("prefix", "=", name), eb("hash", "=", hashKey(name))]))
    .limit(2);
  const own = accountId === undefined ? query : query.where("account_id", "=", accountId);
  return onlyRow(await own.execute(), "token", name);
}

const audit = (
  trx: Transaction<Schema>,
  row: AccessTokenRow,
  entry: { readonly actor: string; readonly action: AuditAction },
  deps: StoreDeps,
): Promise<void> =>
  writeAudit(
    trx,
    {
      ...entry,
      accountId: row.account_id,
      detail: {
        token_id: row.id,
        prefix: row.prefix,
        name: row.name,
        scopes: row.scopes,
        ...(row.networks === null ? {} : { networks: row.networks }),
        ...(row.expires_at === null ? {} : { expires_at: new Date(row.expires_at).toISOString() }),
      },
    },
    deps,
  );
