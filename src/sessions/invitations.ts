import { sql, type Transaction } from "kysely";
import {
  lockAccountRow,
  parseEmailName,
  refuseEndedSession,
  refuseUnproved,
} from "../accounts/account-rows.ts";
import { writeAudit } from "../accounts/audit.ts";
import { insertPersonRow, type Role, readPeople, roleOf } from "../accounts/people.ts";
import { DAY_MS } from "../base/durations.ts";
import { InvalidValue, Refusal } from "../base/failure.ts";
import type { Schema } from "../db/schema.ts";
import { accountSubject, unlessUnjudged } from "./attempts.ts";
import { personOf } from "./close-account.ts";
import { findByEmail, writeCredentials } from "./credentials.ts";
import type { SignInDeps } from "./deps.ts";
import { type Client, insertSession, type Session } from "./session-store.ts";
import { hashToken, isToken, newToken } from "./tokens.ts";

/** How long an invitation opens. */
const INVITATION_MS = 7 * DAY_MS;
/** People of one account, those who are invited counted. */
export const MAX_PEOPLE = 50;
const MAX_INVITATIONS_A_DAY = 20;
/** To one mailbox: by one account, and by all together, so that one that is not wanted does not keep the others' away. */
const MAX_TO_ONE_MAILBOX_A_DAY = { byOne: 3, byAll: 10 };

/** An invitation that was not accepted yet. */
type Invitation = {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

/** What a link is about, for the person who holds it. */
type InvitationView = {
  readonly email: string;
  readonly role: Role;
  /** The account's e-mail. */
  readonly account: string;
  readonly invitedBy: string;
};

/** An invitation's mail; null for `token`: the address signs in to another account, and no link would help. */
export type InvitationMail = Omit<InvitationView, "email"> & {
  readonly to: string;
  readonly token: string | null;
};

/** Invitations of people to an account. */
export type Invitations = {
  /**
   * Invites a person, in place of an earlier invitation of theirs. `issue`: what is to be mailed, to be called when the
   * answer has left, whose time would tell who has an account here; null once the invitation has ended. Throws InvalidValue
   * `email_malformed`, VALIDATION for a person of this account or one too many, ADDRESS_NOT_PROVED, RATE_LIMIT_EXCEEDED.
   */
  readonly invite: (wish: {
    readonly session: Session;
    readonly email: string;
    readonly role: Role;
  }) => Promise<{ readonly token: string; readonly issue: () => Promise<InvitationMail | null> }>;
  readonly listInvitations: (accountId: string) => Promise<readonly Invitation[]>;
  /** Throws NOT_FOUND, NOT_SIGNED_IN. */
  readonly withdrawInvitation: (wish: { readonly session: Session; readonly id: string }) => Promise<void>;
  /** Throws InvalidValue `token_invalid`. */
  readonly viewInvitation: (token: string) => Promise<InvitationView>;
  /** Makes the person, with the password that they chose, and begins their session: its token. Throws as above, and as `Passwords`. */
  readonly join: (wish: {
    readonly token: string;
    readonly password: string;
    readonly client: Client;
  }) => Promise<string>;
};

export function createInvitations(deps: SignInDeps): Invitations {
  return {
    invite: (wish) => invite(wish, deps),
    listInvitations: (accountId) => list(accountId, deps),
    withdrawInvitation: (wish) => withdraw(wish, deps),
    viewInvitation: async (token) => {
      const found = await findInvitation(deps.db.kysely, token, deps);
      const { email, account_email: account, invited_by_email: invitedBy } = found;
      return { email, role: roleOf(found.role), account, invitedBy };
    },
    join: (wish) => join(wish, deps),
  };
}

async function invite(
  { session, email: text, role }: Parameters<Invitations["invite"]>[0],
  deps: SignInDeps,
): ReturnType<Invitations["invite"]> {
  const email = parseEmailName(text);
  const { account } = session;
  const { email: invitedBy } = personOf(session);
  const mailbox = `invited ${accountSubject(email)}`;
  const { byOne, byAll } = MAX_TO_ONE_MAILBOX_A_DAY;
  const attempt = await deps.attempts.begin([
    { subject: `invite ${account.id}`, max: MAX_INVITATIONS_A_DAY, windowMs: DAY_MS },
    { subject: `${mailbox} ${account.id}`, max: byOne, windowMs: DAY_MS },
    { subject: mailbox, max: byAll, windowMs: DAY_MS },
  ]);
  const token = newToken(deps.random);
  const wish = { session, email, role, token };
  // What is refused mails nothing.
  await unlessUnjudged(attempt, () => deps.db.kysely.transaction().execute((trx) => insert(trx, wish, deps)));
  const issue = async (): Promise<InvitationMail | null> => {
    const open = deps.db.kysely
      .selectFrom("invitations")
      .select("id")
      .where("token_hash", "=", hashToken(token));
    if ((await open.executeTakeFirst()) === undefined) return null;
    const isTaken = (await findByEmail(deps.db.kysely, email, deps.clock.now())) !== null;
    return { to: email, role, account: account.email, invitedBy, token: isTaken ? null : token };
  };
  return { token, issue };
}

async function insert(
  trx: Transaction<Schema>,
  wish: { readonly session: Session; readonly email: string; readonly role: Role; readonly token: string },
  deps: SignInDeps,
): Promise<void> {
  const { session, email, role, token } = wish;
  const { id: accountId } = session.account;
  const { id: invitedBy, email: actor } = personOf(session);
  refuseUnproved(await lockAccountRow(trx, { accountId }, deps));
  await refuseEndedSession(trx, session.id, deps);
  const people = await readPeople(trx, accountId);
  if (people.some((person) => person.email === email)) {
    throw new Refusal("VALIDATION", { message: `"${email}" is one of your people already`, field: "email" });
  }
  await trx
    .deleteFrom("invitations")
    .where("account_id", "=", accountId)
    .where((eb) => eb.or([eb("email", "=", email), eb("expires_at", "<=", deps.clock.now().getTime())]))
    .execute();
  const { open } = await trx
    .selectFrom("invitations")
    .select(sql<number>`count(*)`.as("open"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  if (people.length + Number(open) >= MAX_PEOPLE) {
    const message = `An account has at most ${MAX_PEOPLE} people, those who are invited counted`;
    throw new Refusal("VALIDATION", { message, field: "email" });
  }
  const nowMs = deps.clock.now().getTime();
  await trx
    .insertInto("invitations")
    .values({
      ...{ id: deps.random.uuid(), token_hash: hashToken(token), account_id: accountId, email, role },
      ...{ invited_by: invitedBy, created_at: nowMs, expires_at: nowMs + INVITATION_MS },
    })
    .execute();
  await writeAudit(trx, { actor, action: "person.invite", accountId, detail: { email, role } }, deps);
}

async function list(accountId: string, { db, clock }: SignInDeps): Promise<readonly Invitation[]> {
  const rows = await db.kysely
    .selectFrom("invitations")
    .innerJoin("people", "people.id", "invitations.invited_by")
    .selectAll("invitations")
    .select("people.email as invited_by_email")
    .where("invitations.account_id", "=", accountId)
    .where("invitations.expires_at", ">", clock.now().getTime())
    .orderBy("invitations.created_at")
    .orderBy("invitations.id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    role: roleOf(row.role),
    invitedBy: row.invited_by_email,
    createdAt: new Date(row.created_at),
    expiresAt: new Date(row.expires_at),
  }));
}

const withdraw = (
  { session, id }: Parameters<Invitations["withdrawInvitation"]>[0],
  deps: SignInDeps,
): Promise<void> =>
  deps.db.kysely.transaction().execute(async (trx) => {
    const { id: accountId } = session.account;
    await lockAccountRow(trx, { accountId }, deps);
    await refuseEndedSession(trx, session.id, deps);
    const row = await trx
      .deleteFrom("invitations")
      .where("account_id", "=", accountId)
      .where("id", "=", id)
      .returning("email")
      .executeTakeFirst();
    if (row === undefined) {
      throw new Refusal("NOT_FOUND", { message: "There is no such invitation; it may have been accepted" });
    }
    const entry = { actor: session.actor, action: "person.withdraw_invitation" as const, accountId };
    await writeAudit(trx, { ...entry, detail: { email: row.email } }, deps);
  });

const invalidLink = (): InvalidValue =>
  new InvalidValue("token_invalid", "This invitation was used, withdrawn or is too old: ask for another one");

async function findInvitation(
  db: SignInDeps["db"]["kysely"],
  token: string,
  { clock }: Pick<SignInDeps, "clock">,
) {
  if (!isToken(token)) throw invalidLink();
  const row = await db
    .selectFrom("invitations")
    .innerJoin("accounts", "accounts.id", "invitations.account_id")
    .innerJoin("people", "people.id", "invitations.invited_by")
    .selectAll("invitations")
    .select(["accounts.email as account_email", "people.email as invited_by_email"])
    .where("token_hash", "=", hashToken(token))
    .where("invitations.expires_at", ">", clock.now().getTime())
    .where("accounts.disabled_at", "is", null)
    .executeTakeFirst();
  if (row === undefined) throw invalidLink();
  return row;
}

async function join(
  { token, password, client }: Parameters<Invitations["join"]>[0],
  deps: SignInDeps,
): Promise<string> {
  const { email } = await findInvitation(deps.db.kysely, token, deps);
  const passwordHash = await deps.passwords.hash(password, { email });
  return deps.db.kysely.transaction().execute(async (trx) => {
    const { account_id: accountId } = await findInvitation(trx, token, deps);
    await lockAccountRow(trx, { accountId }, deps);
    // The account may have been disabled, the invitation withdrawn, while its lock was waited for.
    const found = await findInvitation(trx, token, deps);
    const { role } = found;
    const { numDeletedRows } = await trx
      .deleteFrom("invitations")
      .where("token_hash", "=", hashToken(token))
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw invalidLink();
    const personId = deps.random.uuid();
    const createdAt = deps.clock.now().getTime();
    const row = { id: personId, account_id: accountId, email, role, is_invited: 1, created_at: createdAt };
    await insertPersonRow(trx, row).catch(refuseTaken);
    await writeCredentials(trx, personId, { password_hash: passwordHash });
    await trx.deleteFrom("sign_ups").where("email", "=", email).execute();
    const detail = { person: email, role, invited_by: found.invited_by_email };
    await writeAudit(trx, { actor: email, action: "person.join", accountId, detail }, deps);
    return insertSession(trx, { accountId, client, by: { personId } }, deps);
  });
}

function refuseTaken(error: unknown): never {
  if (!(error instanceof Refusal) || error.code !== "VALIDATION") throw error;
  throw new InvalidValue(
    "token_invalid",
    "This e-mail address signs in to another account already: ask for an invitation of another address",
  );
}
