import type { Transaction } from "kysely";
import { normaliseEmail } from "../accounts/account-rows.ts";
import { type DeletionRules, deleteAccount } from "../accounts/delete-account.ts";
import { findPerson, type Person } from "../accounts/people.ts";
import { InvalidValue, Refusal } from "../base/failure.ts";
import type { Schema } from "../db/schema.ts";
import { signedInSubject, unlessUnjudged } from "./attempts.ts";
import { readCredentials } from "./credentials.ts";
import type { SignInDeps } from "./deps.ts";
import { canBePassword } from "./passwords.ts";
import { wrongCode } from "./reset.ts";
import { takeSecondFactor } from "./second-factor.ts";
import type { Session } from "./session-store.ts";

export type ClosingWish = {
  readonly session: Session;
  /** The account's e-mail, typed once more. */
  readonly email: string;
  readonly password: string;
  /** Null: none was given. */
  readonly totpCode: string | null;
};

/** The person of a session; FORBIDDEN for one that an API key opened. */
export function personOf({ person }: Pick<Session, "person">): Person {
  if (person !== null) return person;
  throw new Refusal("FORBIDDEN", {
    message: "This session was opened by an API key: sign in with your password first",
  });
}

/**
 * Deletes the account of a session on its owner's wish. Throws FORBIDDEN for a session opened by a key or of another role, CONFLICT without a
 * password, TOTP_REQUIRED when only the code is missing, RATE_LIMIT_EXCEEDED after ten wrong passwords or codes, and as
 * `deleteAccount`.
 */
export async function closeAccount(
  { session, email, password, totpCode }: ClosingWish,
  rules: DeletionRules,
  deps: SignInDeps,
): Promise<void> {
  const { id: sessionId, account } = session;
  const person = personOf(session);
  if (person.role !== "owner") {
    throw new Refusal("FORBIDDEN", { message: "Only owners of this account may delete it" });
  }
  if (normaliseEmail(email) !== account.email) {
    throw new InvalidValue("email_different", "Type the e-mail address of this account");
  }
  const { passwordHash, totpSecret } = await readCredentials(deps.db.kysely, person.id);
  if (passwordHash === null) throw new Refusal("CONFLICT", { message: "Set a password first" });
  const attempt = await deps.attempts.begin([signedInSubject(person.id)]);
  const isRight = await unlessUnjudged(
    attempt,
    async () => canBePassword(password) && deps.passwords.verify(password, passwordHash),
  );
  if (!isRight) throw new InvalidValue("password_wrong", "This is not the current password");
  if (totpSecret !== null && totpCode === null) {
    await attempt.forgive();
    throw new Refusal("TOTP_REQUIRED", { field: "totp_code" });
  }
  const judge = (trx: Transaction<Schema>) => judgeAgain(trx, { person, passwordHash, totpCode }, deps);
  try {
    await deleteAccount({ accountId: account.id, actor: null, sessionId, judge }, rules, deps);
  } catch (error) {
    // What was shown was right: only guesses count.
    if (error instanceof Refusal && error.code === "CONFLICT") await attempt.forgive();
    throw error;
  }
  await attempt.forgive();
}

type Shown = {
  readonly person: Person;
  readonly passwordHash: string;
  readonly totpCode: string | null;
};

/** What may have changed since the proof, under the account's lock. */
async function judgeAgain(
  trx: Transaction<Schema>,
  { person, passwordHash, totpCode }: Shown,
  deps: SignInDeps,
): Promise<void> {
  const credentials = await readCredentials(trx, person.id);
  if ((await findPerson(trx, person.id))?.role !== "owner") {
    throw new Refusal("FORBIDDEN", { message: "Only owners of this account may delete it" });
  }
  if (credentials.passwordHash !== passwordHash) {
    throw new Refusal("CONFLICT", { message: "The password was changed elsewhere; load the page again" });
  }
  if (credentials.totpSecret === null) return;
  const wish = { person, code: totpCode ?? "", credentials };
  if (!(await takeSecondFactor(trx, wish, deps))) throw wrongCode();
}
