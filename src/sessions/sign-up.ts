import type { Transaction } from "kysely";
import { insertAccountRow, normaliseEmail } from "../accounts/account-rows.ts";
import { FREE_PLAN, planOf } from "../accounts/plans.ts";
import { DAY_MS, MINUTE_MS } from "../base/durations.ts";
import { InvalidValue, Refusal } from "../base/failure.ts";
import type { Schema } from "../db/schema.ts";
import { type Allowance, accountSubject, addressSubject } from "./attempts.ts";
import { findByEmail, writeCredentials } from "./credentials.ts";
import type { SignInDeps } from "./deps.ts";
import { issueResetToken, PROOF_MS } from "./reset.ts";
import { type Client, insertSession } from "./session-store.ts";
import { hashToken, isToken, newToken } from "./tokens.ts";

/** The address of a sign-up's mail, and what it says: a link that opens the account, one that sets a new password, or that there is one. */
export type SignUpMail =
  | { readonly kind: "open" | "reset"; readonly to: string; readonly token: string }
  | { readonly kind: "exists"; readonly to: string };

/** Mails to one mailbox in a day. Who is refused has as many links there, and each still opens. */
const MAX_MAILS_A_DAY = 3;

/**
 * Begins a sign-up: counted at once, and mailed by what it gives, to be called when the answer has left, as its time
 * would tell who has an account here. Until the link is opened there is no account, whatever was sent. The e-mail was
 * judged before. Throws SIGN_UP_CLOSED, or RATE_LIMIT_EXCEEDED, alike for every e-mail.
 */
export async function requestSignUp(
  { email, client }: { readonly email: string; readonly client: Client },
  deps: SignInDeps,
): Promise<{ readonly issue: () => Promise<SignUpMail | null> }> {
  if (deps.options.signup !== "open") throw new Refusal("SIGN_UP_CLOSED");
  const to = normaliseEmail(email);
  const mailbox = { subject: `sign-up ${accountSubject(to)}`, max: MAX_MAILS_A_DAY, windowMs: DAY_MS };
  await deps.attempts.begin([...clientAllowances("sign-up", client), mailbox]);
  return { issue: () => issueSignUp(to, deps) };
}

/** What one client and the network around it have of something that sends mail: in 15 minutes, and in a day. */
export function clientAllowances(what: string, client: Client): readonly (string | Allowance)[] {
  const address = addressSubject(client.bucket);
  const network = `network ${client.network}`;
  return [
    `${what} ${address}`,
    { subject: `${what} day ${address}`, max: 20, windowMs: DAY_MS },
    { subject: `${what} ${network}`, max: 20, windowMs: 15 * MINUTE_MS },
    { subject: `${what} day ${network}`, max: 40, windowMs: DAY_MS },
  ];
}

async function issueSignUp(email: string, deps: SignInDeps): Promise<SignUpMail | null> {
  // An owner's account is made by the operator.
  if (isOwnersEmail(email, deps)) {
    deps.log.warn(
      "Refused to open an account for an e-mail address of dashboard.owners: make it by `repute account create`",
    );
    return null;
  }
  const found = await findByEmail(deps.db.kysely, email, deps.clock.now());
  if (found === null) return { kind: "open", to: email, token: await insertSignUp(email, deps) };
  const { disabledAt, emailProvedAt } = found.account;
  if (disabledAt !== null) return null;
  if (emailProvedAt !== null) return { kind: "exists", to: email };
  const wish = { personId: found.person.id, endsTotp: false, actor: "sign-up", lifeMs: PROOF_MS };
  return { kind: "reset", to: email, token: await issueResetToken(wish, deps) };
}

/** Whether the configuration names this e-mail as an owner's. */
export const isOwnersEmail = (email: string, { options }: Pick<SignInDeps, "options">): boolean =>
  options.owners.some((owner) => normaliseEmail(owner) === normaliseEmail(email));

async function insertSignUp(email: string, { db, clock, random }: SignInDeps): Promise<string> {
  const token = newToken(random);
  const nowMs = clock.now().getTime();
  await db.kysely
    .insertInto("sign_ups")
    .values({ token_hash: hashToken(token), email, created_at: nowMs, expires_at: nowMs + PROOF_MS })
    .execute();
  return token;
}

/** The e-mail that a link would open an account for, without using it. Throws InvalidValue `token_invalid`. */
export async function viewSignUp(token: string, deps: SignInDeps): Promise<{ readonly email: string }> {
  return { email: await findSignUp(deps.db.kysely, token, deps) };
}

/**
 * Opens the account of a mailed link with the password that its reader chose, and begins a session: its token. Of all
 * links to one address the first that is used opens it and ends the others. Throws InvalidValue `token_invalid`, and
 * those of `Passwords`.
 */
export async function openAccount(
  wish: { readonly token: string; readonly password: string; readonly client: Client },
  deps: SignInDeps,
): Promise<string> {
  const { token, password, client } = wish;
  const email = await findSignUp(deps.db.kysely, token, deps);
  const passwordHash = await deps.passwords.hash(password, { email });
  const opened = await deps.db.kysely.transaction().execute(async (trx) => {
    // The account first: the others at once wait for its e-mail here, not each for a row that the other deleted.
    const accountId = await insertAccount(trx, email, deps);
    const { numDeletedRows } = await trx
      .deleteFrom("sign_ups")
      .where("token_hash", "=", hashToken(token))
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw invalidLink();
    await writeCredentials(trx, accountId, { password_hash: passwordHash });
    await trx.deleteFrom("sign_ups").where("email", "=", email).execute();
    // The first person of an account has its id.
    const by = { personId: accountId };
    return { accountId, session: await insertSession(trx, { accountId, client, by }, deps) };
  });
  deps.log.info({ account_id: opened.accountId }, "Opened an account");
  return opened.session;
}

const invalidLink = (): InvalidValue =>
  new InvalidValue("token_invalid", "This link was used or is older than a day: sign up again for a new one");

async function findSignUp(
  db: SignInDeps["db"]["kysely"],
  token: string,
  { clock }: Pick<SignInDeps, "clock">,
): Promise<string> {
  if (!isToken(token)) throw invalidLink();
  const row = await db
    .selectFrom("sign_ups")
    .select("email")
    .where("token_hash", "=", hashToken(token))
    .where("expires_at", ">", clock.now().getTime())
    .executeTakeFirst();
  if (row === undefined) throw invalidLink();
  return row.email;
}

async function insertAccount(trx: Transaction<Schema>, email: string, deps: SignInDeps): Promise<string> {
  try {
    const wish = { email, plan: planOf(FREE_PLAN), isOwner: false, isSignedUp: true, actor: "sign-up" };
    return (await insertAccountRow(trx, wish, deps)).id;
  } catch (error) {
    // The operator made it meanwhile, or another link to this address was a moment faster.
    if (error instanceof Refusal && error.code === "VALIDATION") throw invalidLink();
    throw error;
  }
}
