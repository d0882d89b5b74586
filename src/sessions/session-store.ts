import type { Kysely, Transaction } from "kysely";
import { lockAccountRow, refuseEndedSession, type StoreDeps } from "../accounts/account-rows.ts";
import type { Account } from "../accounts/accounts.ts";
import { accountFromRow } from "../accounts/rows.ts";
import type { Schema } from "../db/schema.ts";
import { Refusal } from "../failure.ts";
import { hashToken, isToken, newToken } from "./tokens.ts";

/** A session's end, whatever happens. Source: design 14. */
export const SESSION_MS = 14 * 86_400_000;
/** And its end when nobody uses it. */
export const IDLE_MS = 7 * 86_400_000;
const SEEN_EVERY_MS = 60_000;
const MAX_USER_AGENT = 256;
/** Sessions of one account; the oldest end when there are more. */
const MAX_SESSIONS = 100;

/** Who is signed in: a session that is alive, on an account that is alive. */
export type Session = {
  readonly id: string;
  readonly account: Account;
  readonly createdAt: Date;
  /** The API key that opened it; null: a password or a link did. */
  readonly keyId: string | null;
};

/** From where somebody signs in. */
export type Client = {
  /** As it is shown to the account's owner. */
  readonly address: string;
  /** As it is counted: an IPv6 /64 is one client. */
  readonly bucket: string;
  /** The network that it may change its bucket in: an IPv6 /48; of IPv4 the address. */
  readonly network: string;
  readonly userAgent: string;
};

export type SessionRow = {
  readonly id: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
  readonly clientAddress: string;
  readonly userAgent: string;
};

export type SessionStore = {
  /** The live session behind a cookie's value, or null. Remembers that it was used, once a minute. */
  readonly find: (token: string) => Promise<Session | null>;
  /** An account's live sessions, the last used first. */
  readonly list: (accountId: string) => Promise<readonly SessionRow[]>;
  /** Ends one of the account's sessions on the wish of another. Throws NOT_FOUND, or NOT_SIGNED_IN when that has ended. */
  readonly end: (id: string, by: Pick<Session, "id" | "account">) => Promise<void>;
  /** Ends a session; one that has ended already is no fault. */
  readonly signOut: (session: Pick<Session, "id">) => Promise<void>;
  /** Deletes sessions and links that have ended by themselves. */
  readonly prune: () => Promise<void>;
};

/** Sessions in the database, by the hash of their cookie. */
export function createSessionStore(deps: StoreDeps): SessionStore {
  const { kysely } = deps.db;
  return {
    find: async (token) => (isToken(token) ? find(hashToken(token), deps) : null),
    list: (accountId) => list(accountId, deps),
    end: (id, by) => kysely.transaction().execute((trx) => end(trx, id, by, deps)),
    signOut: async ({ id }) => {
      await kysely.deleteFrom("sessions").where("id", "=", id).execute();
    },
    prune: async () => {
      const nowMs = deps.clock.now().getTime();
      await kysely
        .deleteFrom("sessions")
        .where((eb) => eb.or([eb("expires_at", "<=", nowMs), eb("last_seen_at", "<=", nowMs - IDLE_MS)]))
        .execute();
      await kysely.deleteFrom("reset_tokens").where("expires_at", "<=", nowMs).execute();
      await kysely.deleteFrom("sign_ups").where("expires_at", "<=", nowMs).execute();
    },
  };
}

async function end(
  trx: Transaction<Schema>,
  id: string,
  by: Pick<Session, "id" | "account">,
  deps: StoreDeps,
): Promise<void> {
  const accountId = by.account.id;
  await lockAccountRow(trx, { accountId }, deps);
  await refuseEndedSession(trx, by.id, deps);
  const { numDeletedRows } = await trx
    .deleteFrom("sessions")
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  if (numDeletedRows > 0n) return;
  throw new Refusal("NOT_FOUND", { message: "This account has no such session; it may have ended" });
}

async function find(tokenHash: string, { db, clock }: StoreDeps): Promise<Session | null> {
  const now = clock.now();
  const row = await db.kysely
    .selectFrom("sessions")
    .innerJoin("accounts", "accounts.id", "sessions.account_id")
    .selectAll("accounts")
    .select([
      "sessions.id as session_id",
      "sessions.last_seen_at",
      "sessions.created_at as opened_at",
      "sessions.key_id",
    ])
    .where("sessions.token_hash", "=", tokenHash)
    .where("sessions.expires_at", ">", now.getTime())
    .where("sessions.last_seen_at", ">", now.getTime() - IDLE_MS)
    .where("accounts.disabled_at", "is", null)
    .executeTakeFirst();
  if (row === undefined) return null;
  if (now.getTime() - row.last_seen_at >= SEEN_EVERY_MS) {
    await db.kysely
      .updateTable("sessions")
      .set({ last_seen_at: now.getTime() })
      .where("id", "=", row.session_id)
      .execute();
  }
  const createdAt = new Date(row.opened_at);
  return { id: row.session_id, account: accountFromRow(row, now), createdAt, keyId: row.key_id };
}

async function list(accountId: string, { db, clock }: StoreDeps): Promise<readonly SessionRow[]> {
  const nowMs = clock.now().getTime();
  const rows = await db.kysely
    .selectFrom("sessions")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("expires_at", ">", nowMs)
    .where("last_seen_at", ">", nowMs - IDLE_MS)
    .orderBy("last_seen_at", "desc")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    createdAt: new Date(row.created_at),
    lastSeenAt: new Date(row.last_seen_at),
    expiresAt: new Date(row.expires_at),
    clientAddress: row.client_address,
    userAgent: row.user_agent,
  }));
}

/** Begins a session and gives its token: known to nobody else, not even to the database. */
export async function insertSession(
  trx: Transaction<Schema>,
  wish: { readonly accountId: string; readonly client: Client; readonly keyId: string | null },
  { clock, random }: Pick<StoreDeps, "clock" | "random">,
): Promise<string> {
  const { accountId, client, keyId } = wish;
  const token = newToken(random);
  const nowMs = clock.now().getTime();
  const oldest = trx
    .selectFrom("sessions")
    .select("id")
    .where("account_id", "=", accountId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(MAX_SESSIONS)
    .offset(MAX_SESSIONS - 1);
  await trx.deleteFrom("sessions").where("id", "in", oldest).execute();
  await trx
    .insertInto("sessions")
    .values({
      id: random.uuid(),
      token_hash: hashToken(token),
      account_id: accountId,
      created_at: nowMs,
      last_seen_at: nowMs,
      expires_at: nowMs + SESSION_MS,
      client_address: client.address,
      user_agent: printableAgent(client.userAgent),
      key_id: keyId,
    })
    .execute();
  return token;
}

const printableAgent = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]/gu, " ")
    .slice(0, MAX_USER_AGENT);

/** Ends all sessions of an account, but for one. */
export async function endSessions(
  db: Kysely<Schema>,
  accountId: string,
  { but = "" }: { readonly but?: string } = {},
): Promise<void> {
  await db.deleteFrom("sessions").where("account_id", "=", accountId).where("id", "!=", but).execute();
}
