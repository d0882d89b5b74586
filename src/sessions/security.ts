import type { Transaction } from "kysely";
import { lockAccountRow, refuseEndedSession } from "../accounts/account-rows.ts";
import { writeAudit } from "../accounts/audit.ts";
import { endSessions } from "../accounts/session-keys.ts";
import type { Schema } from "../db/schema.ts";
import { InvalidValue, Refusal } from "../failure.ts";
import { signedInSubject } from "./attempts.ts";
import { type Credentials, readCredentials, writeCredentials } from "./credentials.ts";
import type { SignInDeps } from "./deps.ts";
import { canBePassword } from "./passwords.ts";
import type { Client, Session } from "./session-store.ts";
import { isTotpRight } from "./sign-in.ts";
import { newTotp, type TotpSetUp, takeTotpCode } from "./totp.ts";

/** What somebody who is signed in changes about signing in. */
export type SecurityWish = { readonly session: Session; readonly client: Client };

/**
 * Sets a password and ends all other sessions and links. Throws InvalidValue `password_wrong` unless the current one is
 * given (null: only where there is none), RATE_LIMIT_EXCEEDED after ten wrong ones.
 */
export async function setPassword(
  wish: SecurityWish & { readonly currentPassword: string | null; readonly newPassword: string },
  deps: SignInDeps,
): Promise<void> {
  const { account, id } = wish.session;
  const before = await readCredentials(deps.db.kysely, account.id);
  if (before.passwordHash !== null) await proveCurrent(before.passwordHash, wish, deps);
  const passwordHash = await deps.passwords.hash(wish.newPassword);
  await changeLocked(wish, "account.set_password", deps, async (trx, now) => {
    if (now.passwordHash !== before.passwordHash) throw new Refusal("CONFLICT", { message: CHANGED });
    // A set-up that nobody finished may be a stranger's.
    const pending = now.pendingTotpSecret === null ? {} : { totp_secret: null };
    await writeCredentials(trx, account.id, { password_hash: passwordHash, ...pending });
    await endSessions(trx, { accountId: account.id, but: id }, deps);
    await trx.deleteFrom("reset_tokens").where("account_id", "=", account.id).execute();
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
  const attempt = await attempts.begin([signedInSubject(session.account.id)]);
  if (!canBePassword(currentPassword) || !(await passwords.verify(currentPassword, passwordHash))) {
    throw new InvalidValue("password_wrong", "This is not the current password");
  }
  await attempt.forgive();
}

/** How long after a sign-in by password its session needs no password for a second factor. */
const FRESH_MS = 15 * 60_000;

/**
 * Begins to set up a second factor; one not yet confirmed is replaced. Whoever holds but a key, or a session that lies
 * open, must not lock the account's people out: where there is a password, the session is one that it opened in the last
 * 15 minutes, or it is given (`password_wrong`, RATE_LIMIT_EXCEEDED after ten wrong ones). Throws CONFLICT where there is
 * a second factor.
 */
export async function startTotp(
  wish: SecurityWish & { readonly currentPassword: string | null },
  deps: SignInDeps,
): Promise<TotpSetUp> {
  const { account } = wish.session;
  const before = await readCredentials(deps.db.kysely, account.id);
  refuseSecond(before);
  if (before.passwordHash !== null && (wish.currentPassword !== null || !isFresh(wish.session, deps))) {
    await proveCurrent(before.passwordHash, wish, deps);
  }
  const setUp = await newTotp(account.email, deps.random);
  await changeLocked(wish, null, deps, async (trx, now) => {
    refuseSecond(now);
    if (now.passwordHash !== before.passwordHash) throw new Refusal("CONFLICT", { message: CHANGED });
    await writeCredentials(trx, account.id, { totp_secret: setUp.secret, totp_last_step: null });
  });
  return setUp;
}

const isFresh = ({ keyId, createdAt }: Session, { clock }: SignInDeps): boolean =>
  keyId === null && clock.now().getTime() - createdAt.getTime() < FRESH_MS;

function refuseSecond({ totpSecret }: Credentials): void {
  if (totpSecret === null) return;
  throw new Refusal("CONFLICT", { message: "There is an authenticator already: remove it first" });
}

/** Confirms it by its first code, which only who began it can know: from now on sign-ins ask for one. Throws InvalidValue `code_wrong`, or CONFLICT. */
export async function confirmTotp(
  wish: SecurityWish & { readonly code: string },
  deps: SignInDeps,
): Promise<void> {
  const { id: accountId } = wish.session.account;
  await changeLocked(wish, "account.add_totp", deps, async (trx, { pendingTotpSecret: secret }) => {
    if (secret === null)
      throw new Refusal("CONFLICT", { message: "Begin to set up the authenticator first" });
    const taken = await takeTotpCode(trx, { accountId, secret, code: wish.code, lastStep: null }, deps);
    if (!taken) throw wrongCode();
    await writeCredentials(trx, accountId, { is_totp_confirmed: 1 });
  });
}

/** Goes without from now on. Throws InvalidValue `code_wrong`, CONFLICT, RATE_LIMIT_EXCEEDED after ten wrong codes. */
export async function removeTotp(
  wish: SecurityWish & { readonly code: string },
  deps: SignInDeps,
): Promise<void> {
  const { session, code } = wish;
  const accountId = session.account.id;
  // Where there is none, nothing is guessed.
  const { totpSecret } = await readCredentials(deps.db.kysely, accountId);
  if (totpSecret === null) throw noTotp();
  const attempt = await deps.attempts.begin([signedInSubject(accountId)]);
  await changeLocked(wish, "account.remove_totp", deps, async (trx, credentials) => {
    if (credentials.totpSecret === null) throw noTotp();
    if (!(await isTotpRight(trx, { accountId, code, credentials }, deps))) throw wrongCode();
    const none = { totp_secret: null, is_totp_confirmed: 0, totp_last_step: null };
    await writeCredentials(trx, accountId, none);
  });
  await attempt.forgive();
}

const noTotp = (): Refusal => new Refusal("CONFLICT", { message: "There is no authenticator" });

const wrongCode = (): InvalidValue =>
  new InvalidValue(
    "code_wrong",
    "This is not the code that the authenticator shows now, or it was used before",
  );

async function changeLocked(
  { session }: SecurityWish,
  action: string | null,
  deps: SignInDeps,
  change: (trx: Transaction<Schema>, credentials: Credentials) => Promise<void>,
): Promise<void> {
  const { id: accountId, email } = session.account;
  await deps.db.kysely.transaction().execute(async (trx) => {
    await lockAccountRow(trx, { accountId }, deps);
    await refuseEndedSession(trx, session.id, deps);
    await change(trx, await readCredentials(trx, accountId));
    if (action !== null) await writeAudit(trx, { actor: email, action, accountId, detail: {} }, deps);
  });
}
