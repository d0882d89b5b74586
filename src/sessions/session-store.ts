import type { Transaction } from "kysely";
import { lockAccountRow, refuseEndedSession, type StoreDeps } from "../accounts/account-rows.ts";
import type { Account } from "../accounts/accounts.ts";
import { type Person, roleOf } from "../accounts/people.ts";
import { accountFromRow } from "../accounts/rows.ts";
import { endSessions, seenBy, type WhichSessions } from "../accounts/session-keys.ts";
import { DAY_MS } from "../base/durations.ts";
import { Refusal } from "../base/failure.ts";
import type { Schema } from "../db/schema.ts";
import type { DashboardOptions } from "./options.ts";
import { hashToken, isToken, newToken } from "./tokens.ts";

/** A session's end, whatever happens. Source: design 14. */
export const SESSION_MS = 14 * DAY_MS;
/** And its end when it is not used. */
const IDLE_MS = 7 * DAY_MS;
const SEEN_EVERY_MS = 60_000;
const MAX_USER_AGENT = 256;
/** Sessions of one person, and of one API key: their oldest end when there are more, and never those of others. */
const MAX_SESSIONS = 100;

/** Who is signed in: a session that is alive, on an account that is alive. */
export type Session = {
  readonly id: string;
  readonly account: Account;
  /** Who signed in. Null: an API key opened it. */
  readonly person: Person | null;
  /** Who stands in the audit log for what it does. */
  readonly actor: string;
  readonly createdAt: Date;
  /** The API key that opened it: then it only reads (security P15). Null: a password or a link did. */
  readonly keyId: string | null;
  /** The beginning of that key, as its account knows it. */
  readonly keyPrefix: string | null;
};

/** Where a sign-in comes from. */
export type Client = {
  /** As it is shown to the account's owner. */
  readonly address: string;
  /** As it is counted: an IPv6 /64 is one client. */
  readonly bucket: string;
  /** The network that it may change its bucket in: an IPv6 /48; of IPv4 the address. */
  readonly network: string;
  readonly userAgent: string;
};

type SessionRow = {
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
  /** The same of several, in one read: those that are alive, in their order. */
  readonly findAll: (
    tokens: readonly string[],
  ) => Promise<readonly { readonly token: string; readonly session: Session }[]>;
  /**
   * The live sessions that the person of a session sees, the last used first: their own, and of an owner those that API keys
   * opened as well. A session that a key opened sees those alone.
   */
  readonly list: (session: Pick<Session, "account" | "person">) => Promise<readonly SessionRow[]>;
  /** Ends one of them on the wish of that session. Throws NOT_FOUND, or NOT_SIGNED_IN when that has ended. */
  readonly end: (id: string, by: Pick<Session, "id" | "account" | "person">) => Promise<void>;
  /** Ends all of them, that session included. Throws NOT_SIGNED_IN when it has ended. */
  readonly endAll: (by: Pick<Session, "id" | "account" | "person">) => Promise<void>;
  /** Ends a session; one that has ended already is no fault. */
  readonly signOut: (session: Pick<Session, "id" | "account">) => Promise<void>;
  /** Deletes sessions and links that have ended by themselves. */
  readonly prune: () => Promise<void>;
};

type SessionStoreDeps = StoreDeps & { readonly options: Pick<DashboardOptions, "key_sign_in"> };

/** Sessions in the database, by the hash of their cookie. */
export function createSessionStore(deps: SessionStoreDeps): SessionStore {
  const { kysely } = deps.db;
  return {
    find: async (token) => (await findAll([token], deps))[0]?.session ?? null,
    findAll: (tokens) => findAll(tokens, deps),
    list: (session) => list(session, deps),
    end: (id, by) => kysely.transaction().execute((trx) => end(trx, id, by, deps)),
    endAll: (by) => kysely.transaction().execute((trx) => endAll(trx, by, deps)),
    signOut: ({ id, account }) => endLocked({ accountId: account.id, only: [id] }, deps),
    prune: async () => {
      await endExpired(deps);
      const nowMs = deps.clock.now().getTime();
      await kysely.deleteFrom("reset_tokens").where("expires_at", "<=", nowMs).execute();
      await kysely.deleteFrom("sign_ups").where("expires_at", "<=", nowMs).execute();
      await kysely.deleteFrom("invitations").where("expires_at", "<=", nowMs).execute();
    },
  };
}

const endLocked = (which: WhichSessions, deps: StoreDeps): Promise<void> =>
  deps.db.kysely.transaction().execute(async (trx) => {
    await lockAccountRow(trx, { accountId: which.accountId }, deps);
    await endSessions(trx, which, deps);
  });

/** Account by account: each is locked alone. */
async function endExpired(deps: StoreDeps): Promise<void> {
  const nowMs = deps.clock.now().getTime();
  const rows = await deps.db.kysely
    .selectFrom("sessions")
    .select(["id", "account_id"])
    .where((eb) => eb.or([eb("expires_at", "<=", nowMs), eb("last_seen_at", "<=", nowMs - IDLE_MS)]))
    .execute();
  for (const [accountId, ended = []] of Map.groupBy(rows, (row) => row.account_id)) {
    await endLocked({ accountId, only: ended.map(({ id }) => id) }, deps);
  }
}

async function end(
  trx: Transaction<Schema>,
  id: string,
  by: Pick<Session, "id" | "account" | "person">,
  deps: StoreDeps,
): Promise<void> {
  const accountId = by.account.id;
  await lockAccountRow(trx, { accountId }, deps);
  await refuseEndedSession(trx, by.id, deps);
  const ended = await endSessions(trx, { accountId, only: [id], seenBy: by.person }, deps);
  if (ended.length > 0) return;
  throw new Refusal("NOT_FOUND", { message: "You have no such session; it may have ended" });
}

async function endAll(
  trx: Transaction<Schema>,
  { id, account: { id: accountId }, person }: Pick<Session, "id" | "account" | "person">,
  deps: StoreDeps,
): Promise<void> {
  await lockAccountRow(trx, { accountId }, deps);
  await refuseEndedSession(trx, id, deps);
  await endSessions(trx, { accountId, seenBy: person }, deps);
}

async function findAll(tokens: readonly string[], deps: SessionStoreDeps) {
  const hashes = new Map(tokens.filter(isToken).map((token) => [token, hashToken(token)]));
  if (hashes.size === 0) return [];
  const rows = await readAlive([...hashes.values()], deps);
  const byHash = new Map(rows.map((row) => [row.token_hash, row]));
  await touch(rows, deps);
  return [...hashes].flatMap(([token, hash]) => {
    const row = byHash.get(hash);
    return row === undefined ? [] : [{ token, session: sessionFrom(row, deps.clock.now()) }];
  });
}

type AliveRow = Awaited<ReturnType<typeof readAlive>>[number];

async function readAlive(hashes: readonly string[], { db, clock, options }: SessionStoreDeps) {
  const nowMs = clock.now().getTime();
  const rows = await db.kysely
    .selectFrom("sessions")
    .innerJoin("accounts", "accounts.id", "sessions.account_id")
    .leftJoin("api_keys", "api_keys.id", "sessions.key_id")
    .leftJoin("people", "people.id", "sessions.person_id")
    .selectAll("accounts")
    .select([
      "sessions.id as session_id",
      "sessions.token_hash",
      "sessions.last_seen_at",
      "sessions.created_at as opened_at",
      "sessions.key_id",
      "api_keys.prefix as key_prefix",
      "sessions.person_id",
      "people.email as person_email",
      "people.role as person_role",
      "people.is_invited as person_is_invited",
      "people.created_at as person_since",
    ])
    .where("sessions.token_hash", "in", [...hashes])
    .where("sessions.expires_at", ">", nowMs)
    .where("sessions.last_seen_at", ">", nowMs - IDLE_MS)
    .where("accounts.disabled_at", "is", null)
    .execute();
  // Keys may have been turned off since.
  return rows.filter(({ key_id: keyId }) => keyId === null || options.key_sign_in !== "off");
}

async function touch(rows: readonly AliveRow[], { db, clock }: StoreDeps): Promise<void> {
  const nowMs = clock.now().getTime();
  const due = rows.filter((row) => nowMs - row.last_seen_at >= SEEN_EVERY_MS).map((row) => row.session_id);
  if (due.length === 0) return;
  await db.kysely.updateTable("sessions").set({ last_seen_at: nowMs }).where("id", "in", due).execute();
}

const sessionFrom = (row: AliveRow, now: Date): Session => ({
  id: row.session_id,
  account: accountFromRow(row, now),
  person: personFrom(row),
  actor: row.person_email ?? row.email,
  createdAt: new Date(row.opened_at),
  keyId: row.key_id,
  keyPrefix: row.key_prefix,
});

function personFrom(row: AliveRow): Person | null {
  const { id: accountId, person_id: id, person_email: email, person_role: role } = row;
  if (id === null || email === null) return null;
  return {
    ...{ id, accountId, email, role: roleOf(role ?? "") },
    isInvited: row.person_is_invited === 1,
    createdAt: new Date(row.person_since ?? 0),
  };
}

async function list(
  { account, person }: Pick<Session, "account" | "person">,
  { db, clock }: StoreDeps,
): Promise<readonly SessionRow[]> {
  const nowMs = clock.now().getTime();
  const rows = await db.kysely
    .selectFrom("sessions")
    .selectAll()
    .where("account_id", "=", account.id)
    .where((eb) => eb.or(seenBy(person).map((id) => eb("person_id", id === null ? "is" : "=", id))))
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

/** Begins a session and gives its token: known only to the caller, not to the database. */
export async function insertSession(
  trx: Transaction<Schema>,
  wish: {
    readonly accountId: string;
    readonly client: Client;
    /** The person who signs in, or the API key that opens it. */
    readonly by: { readonly personId: string } | { readonly keyId: string };
  },
  { clock, random }: Pick<StoreDeps, "clock" | "random">,
): Promise<string> {
  const { accountId, client, by } = wish;
  const token = newToken(random);
  const nowMs = clock.now().getTime();
  const oldest = await trx
    .selectFrom("sessions")
    .select("id")
    .where("account_id", "=", accountId)
    .where((eb) => ("personId" in by ? eb("person_id", "=", by.personId) : eb("key_id", "=", by.keyId)))
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(MAX_SESSIONS)
    .offset(MAX_SESSIONS - 1)
    .execute();
  await endSessions(trx, { accountId, only: oldest.map(({ id }) => id) }, { clock });
  await trx
    .insertInto("sessions")
    .values({
      id: random.uuid(),
      token_hash: hashToken(token),
      account_id: accountId,
      person_id: "personId" in by ? by.personId : null,
      created_at: nowMs,
      last_seen_at: nowMs,
      expires_at: nowMs + SESSION_MS,
      client_address: client.address,
      user_agent: printableAgent(client.userAgent),
      key_id: "keyId" in by ? by.keyId : null,
    })
    .execute();
  return token;
}

const printableAgent = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]/gu, " ")
    .slice(0, MAX_USER_AGENT);
