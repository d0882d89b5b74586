import type { Transaction } from "kysely";
import { lockAccountRow, refuseEndedSession, refuseUnproved } from "../accounts/account-rows.ts";
import { writeAudit } from "../accounts/audit.ts";
import type { AuditAction } from "../accounts/audit-actions.ts";
import type { AccountRow } from "../accounts/rows.ts";
import { endSessions } from "../accounts/session-keys.ts";
import { InvalidValue, Refusal } from "../base/failure.ts";
import type { Schema } from "../db/schema.ts";
import { signedInSubject, unlessUnjudged } from "./attempts.ts";
import { personOf } from "./close-account.ts";
import { type Credentials, readCredentials, writeCredentials } from "./credentials.ts";
import type { SignInDeps } from "./deps.ts";
import { canBePassword } from "./passwords.ts";
import { renewRecoveryCodes } from "./recovery-codes.ts";
import { wrongCode } from "./reset.ts";
import { removeSecondFactor, takeSecondFactor } from "./second-factor.ts";
import type { Client, Session } from "./session-store.ts";
import { newTotp, type TotpSetUp, takeTotpCode } from "./totp.ts";

/** What a signed-in account changes about signing in. */
export type SecurityWish = { readonly session: Session; readonly client: Client };

/**
 * Sets a password and ends all other sessions and links. Throws InvalidValue `password_wrong` unless the current one is
 * given (null: only where there is none), those of `Passwords`, RATE_LIMIT_EXCEEDED after ten wrong ones.
 */
export async function setPassword(
  wish: SecurityWish & { readonly currentPassword: string | null; readonly newPassword: string },
  deps: SignInDeps,
): Promise<void> {
  const { account, id } = wish.session;
  const person = personOf(wish.session);
  const before = await readCredentials(deps.db.kysely, person.id);
  if (before.passwordHash !== null) await proveCurrent(before.passwordHash, wish, deps);
  const passwordHash = await deps.passwords.hash(wish.newPassword, person);
  await changeLocked(wish, "account.set_password", deps, async (trx, now) => {
    if (now.passwordHash !== before.passwordHash) throw new Refusal("CONFLICT", { message: CHANGED });
    // An unfinished set-up may be a stranger's.
    const pending = now.pendingTotpSecret === null ? {} : { totp_secret: null };
    await writeCredentials(trx, person.id, { password_hash: passwordHash, ...pending });
    await endSessions(trx, { accountId: account.id, but: id, seenBy: person }, deps);
    await trx.deleteFrom("reset_tokens").where("person_id", "=", person.id).execute();
  });
}

const CHANGED = "The password was changed elsewhere meanwhile; load the page again";

async function proveCurrent(
  passwordHash: string,
  { session, currentPassword }: SecurityWish & { readonly currentPassword: string | null },
  { attempts, passwords }: SignInDeps,
): Promise<void> {
  if (currentPassword === null) {
    throw new InvalidValue("password_wrong", "Enter the current password, or sign in again with it first");
  }
  const attempt = await attempts.begin([signedInSubject(personOf(session).id)]);
  const isRight = await unlessUnjudged(
    attempt,
    async () => canBePassword(currentPassword) && passwords.verify(currentPassword, passwordHash),
  );
  if (!isRight) throw new InvalidValue("password_wrong", "This is not the current password");
  await attempt.forgive();
}

/** How long after a sign-in by password its session needs no password for a second factor. */
const FRESH_MS = 15 * 60_000;

/**
 * Begins to set up a second factor; one not yet confirmed is replaced. A caller with only a key, or a session that lies
 * open, must not lock the account's people out: where there is a password, the session is one that it opened in the last
 * 15 minutes, or it is given (`password_wrong`, RATE_LIMIT_EXCEEDED after ten wrong ones). Throws CONFLICT where there is
 * a second factor, ADDRESS_NOT_PROVED.
 */
export async function startTotp(
  wish: SecurityWish & { readonly currentPassword: string | null },
  deps: SignInDeps,
): Promise<TotpSetUp> {
  const person = personOf(wish.session);
  const before = await readCredentials(deps.db.kysely, person.id);
  refuseSecond(before);
  if (before.passwordHash !== null && (wish.currentPassword !== null || !isFresh(wish.session, deps))) {
    await proveCurrent(before.passwordHash, wish, deps);
  }
  const setUp = await newTotp(person.email, deps.random);
  await changeLocked(wish, null, deps, async (trx, now, row) => {
    refuseUnproved(row);
    refuseSecond(now);
    if (now.passwordHash !== before.passwordHash) throw new Refusal("CONFLICT", { message: CHANGED });
    await writeCredentials(trx, person.id, { totp_secret: setUp.secret, totp_last_step: null });
  });
  return setUp;
}

const isFresh = ({ keyId, createdAt }: Session, { clock }: SignInDeps): boolean =>
  keyId === null && clock.now().getTime() - createdAt.getTime() < FRESH_MS;

function refuseSecond({ totpSecret }: Credentials): void {
  if (totpSecret === null) return;
  throw new Refusal("CONFLICT", { message: "There is an authenticator already: remove it first" });
}

/**
 * Confirms it by its first code, which only who began it can know: from now on sign-ins ask for one. Gives the recovery
 * codes, to be shown once. Throws InvalidValue `code_wrong`, CONFLICT or ADDRESS_NOT_PROVED.
 */
export async function confirmTotp(
  wish: SecurityWish & { readonly code: string },
  deps: SignInDeps,
): Promise<readonly string[]> {
  const { id: personId } = personOf(wish.session);
  return changeLocked(wish, "account.add_totp", deps, async (trx, { pendingTotpSecret: secret }, row) => {
    refuseUnproved(row);
    if (secret === null)
      throw new Refusal("CONFLICT", { message: "Begin to set up the authenticator first" });
    const taken = await takeTotpCode(trx, { personId, secret, code: wish.code, lastStep: null }, deps);
    if (!taken) throw new InvalidValue("code_wrong", NOT_YET);
    await writeCredentials(trx, personId, { is_totp_confirmed: 1 });
    return renewRecoveryCodes(trx, personId, deps);
  });
}

const NOT_YET =
  "This is not the code that the authenticator shows now: if it goes on like this, set the clock of its device";

/** Goes without from now on. Throws InvalidValue `code_wrong`, CONFLICT, RATE_LIMIT_EXCEEDED after ten wrong codes. */
export const removeTotp = (wish: SecurityWish & { readonly code: string }, deps: SignInDeps): Promise<void> =>
  withCode(wish, "account.remove_totp", deps, (trx) => removeSecondFactor(trx, personOf(wish.session).id));

/**
 * Makes new recovery codes, to be shown once; those of before open nothing any more. Throws FORBIDDEN for a session that
 * a key opened, and as `removeTotp` does.
 */
export async function renewCodes(
  wish: SecurityWish & { readonly code: string },
  deps: SignInDeps,
): Promise<readonly string[]> {
  const { id } = personOf(wish.session);
  return withCode(wish, "account.renew_recovery_codes", deps, (trx) => renewRecoveryCodes(trx, id, deps));
}

/** A change that a code of the second factor is asked for. */
async function withCode<T>(
  wish: SecurityWish & { readonly code: string },
  action: AuditAction,
  deps: SignInDeps,
  change: (trx: Transaction<Schema>) => Promise<T>,
): Promise<T> {
  const { session, code } = wish;
  const person = personOf(session);
  // Where there is none, nothing is guessed.
  const { totpSecret } = await readCredentials(deps.db.kysely, person.id);
  if (totpSecret === null) throw noTotp();
  const attempt = await deps.attempts.begin([signedInSubject(person.id)]);
  const outcome = await changeLocked(wish, action, deps, async (trx, credentials) => {
    if (credentials.totpSecret === null) throw noTotp();
    if (!(await takeSecondFactor(trx, { person, code, credentials }, deps))) throw wrongCode();
    return change(trx);
  });
  await attempt.forgive();
  return outcome;
}

const noTotp = (): Refusal => new Refusal("CONFLICT", { message: "There is no authenticator" });

async function changeLocked<T>(
  { session }: SecurityWish,
  action: AuditAction | null,
  deps: SignInDeps,
  change: (trx: Transaction<Schema>, credentials: Credentials, row: AccountRow) => Promise<T>,
): Promise<T> {
  const { id: accountId } = session.account;
  const person = personOf(session);
  return deps.db.kysely.transaction().execute(async (trx) => {
    const row = await lockAccountRow(trx, { accountId }, deps);
    await refuseEndedSession(trx, session.id, deps);
    const outcome = await change(trx, await readCredentials(trx, person.id), row);
    if (action !== null) await writeAudit(trx, { actor: person.email, action, accountId, detail: {} }, deps);
    return outcome;
  });
}
