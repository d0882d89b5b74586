import { domainToASCII } from "node:url";
import type { Kysely, Transaction } from "kysely";
import type { Clock, Random } from "../base/clock.ts";
import { InvalidValue, Refusal } from "../base/failure.ts";
import type { Database } from "../db/database.ts";
import type { Guard } from "../db/guard.ts";
import type { Schema } from "../db/schema.ts";
import { writeAudit } from "./audit.ts";
import { insertPersonRow } from "./people.ts";
import type { Plan } from "./plans.ts";
import { CYCLE_MS } from "./refill.ts";
import type { AccountRow } from "./rows.ts";

export type StoreDeps = { readonly db: Database; readonly clock: Clock; readonly random: Random };

/** An account by one of its names. */
export type AccountRef = { readonly email: string } | { readonly accountId: string };

/**
 * An account's row, locked until the transaction ends: changes of one account and its charges come one after the
 * other. Throws Refusal NOT_FOUND.
 */
export async function lockAccountRow(
  trx: Transaction<Schema>,
  ref: AccountRef,
  { db }: Pick<StoreDeps, "db">,
): Promise<AccountRow> {
  const found = queryOf(trx, ref);
  // SQLite's BEGIN IMMEDIATE is the lock.
  const row = await (db.dialect === "postgres" ? found.forUpdate() : found).executeTakeFirst();
  if (row === undefined) throw unknownAccount(ref);
  return row;
}

/** An account's row, not locked; null: there is none. */
export const findAccountRow = async (db: Kysely<Schema>, ref: AccountRef): Promise<AccountRow | null> =>
  (await queryOf(db, ref).executeTakeFirst()) ?? null;

/** The same. Throws Refusal NOT_FOUND. */
export async function readAccountRow(db: Kysely<Schema>, ref: AccountRef): Promise<AccountRow> {
  const row = await findAccountRow(db, ref);
  if (row === null) throw unknownAccount(ref);
  return row;
}

function queryOf(db: Kysely<Schema>, ref: AccountRef) {
  const query = db.selectFrom("accounts").selectAll();
  return "email" in ref
    ? query.where("email", "=", soughtEmail(ref.email))
    : query.where("id", "=", ref.accountId);
}

/**
 * Refuses what a session asked for that has ended since it was admitted: NOT_SIGNED_IN. An account's row is locked
 * already; the session cannot end before the transaction does. Null: no session asked.
 */
export async function refuseEndedSession(
  trx: Transaction<Schema>,
  sessionId: string | null,
  { db }: Pick<StoreDeps, "db">,
): Promise<void> {
  if (sessionId === null) return;
  const query = trx.selectFrom("sessions").select("id").where("id", "=", sessionId);
  // SQLite's BEGIN IMMEDIATE is the lock.
  const row = await (db.dialect === "postgres" ? query.forKeyShare() : query).executeTakeFirst();
  if (row === undefined) throw new Refusal("NOT_SIGNED_IN");
}

/** Locks the account and refuses what a session asked for that has ended since it was admitted. Throws NOT_FOUND, NOT_SIGNED_IN. */
export const guardBySession =
  ({ accountId, sessionId }: { accountId: string; sessionId: string }, deps: Pick<StoreDeps, "db">): Guard =>
  async (trx) => {
    await lockAccountRow(trx, { accountId }, deps);
    await refuseEndedSession(trx, sessionId, deps);
  };

/** Refuses keys and a second factor to an account whose address is not proved: ADDRESS_NOT_PROVED. Source: security P15. */
export function refuseUnproved({ email_proved_at: provedAt }: Pick<AccountRow, "email_proved_at">): void {
  if (provedAt === null) throw new Refusal("ADDRESS_NOT_PROVED");
}

/** The refusal for an account that does not exist. */
export function unknownAccount(ref: AccountRef): Refusal {
  const name = "email" in ref ? ref.email : ref.accountId;
  return new Refusal("NOT_FOUND", { message: `There is no account "${name}"`, field: "email" });
}

export type NewAccount = {
  readonly email: string;
  readonly plan: Plan;
  readonly isOwner: boolean;
  /** By a stranger who opened the mailed link; default: by the operator. Either proves the address. */
  readonly isSignedUp?: boolean;
  readonly actor: string;
};

/** Inserts an account with its plan's grant and a cycle from now, and the person it is for, its owner. Throws Refusal VALIDATION when the e-mail is taken. */
export async function insertAccountRow(
  trx: Transaction<Schema>,
  account: NewAccount,
  deps: StoreDeps,
): Promise<AccountRow> {
  const now = deps.clock.now().getTime();
  const email = parseEmailName(account.email);
  const row = await trx
    .insertInto("accounts")
    .values({
      id: deps.random.uuid(),
      email,
      plan: account.plan.name,
      credits: account.plan.creditsPerMonth,
      credits_granted: account.plan.creditsPerMonth,
      credits_reset_at: now + CYCLE_MS,
      is_owner: account.isOwner ? 1 : 0,
      is_signed_up: account.isSignedUp === true ? 1 : 0,
      email_proved_at: now,
      created_at: now,
      cancel_at_period_end: 0,
    })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) {
    throw new Refusal("VALIDATION", { message: `An account "${email}" exists already`, field: "email" });
  }
  const { id } = row;
  const person = { id, account_id: id, email, role: "owner", is_invited: 0, created_at: now };
  await insertPersonRow(trx, person);
  const detail = { email, plan: account.plan.name, is_owner: account.isOwner };
  const entry = { actor: account.actor, action: "account.create" as const, accountId: row.id, detail };
  await writeAudit(trx, entry, deps);
  return row;
}

/** How e-mails are compared and stored. */
export const normaliseEmail = (text: string): string => text.trim().toLowerCase();

// A name to sign in with, and perhaps an address to write to: `owner@localhost` is one. Not RFC 5321 whole.
const EMAIL =
  /^[^\s@\p{Cc}\p{Cf}\p{Cs}\uFFFD"(),:;<>[\\\]]{1,64}@(?=.{1,253}$)[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,62})(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,62}))*$/u;

/** An e-mail as accounts are sought by it: what cannot be one belongs to no account, and never reaches the database. */
export function soughtEmail(text: string): string {
  const email = normaliseEmail(text);
  return isEmailName(email) ? email : "";
}

/** Source: RFC 3696, erratum 1690. */
const MAX_EMAIL_CHARS = 254;

const isEmailName = (email: string): boolean => email.length <= MAX_EMAIL_CHARS && EMAIL.test(email);

/**
 * An account's e-mail, in lower case. One mailbox has one spelling: letters of another width (UAX 15, NFKC) and domains
 * that are not in their ASCII form (UTS 46) are refused. Throws InvalidValue (`email_malformed`).
 */
export function parseEmailName(text: string): string {
  const email = normaliseEmail(text);
  if (email.length > MAX_EMAIL_CHARS) {
    const start = `"${email.slice(0, 60)}…" has ${email.length} characters`;
    throw new InvalidValue(
      "email_malformed",
      `${start}, and an e-mail address has ${MAX_EMAIL_CHARS} at most`,
    );
  }
  if (!isEmailName(email))
    throw new InvalidValue("email_malformed", `Not an e-mail address: "${text.trim()}"`);
  const plain = email.normalize("NFKC");
  const domain = plain.slice(plain.lastIndexOf("@") + 1);
  const usual = plain.slice(0, plain.lastIndexOf("@") + 1) + (domainToASCII(domain) || domain);
  if (email === usual) return email;
  throw new InvalidValue("email_malformed", `"${email}" has another usual spelling: write "${usual}"`);
}
