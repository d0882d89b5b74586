import type { Transaction } from "kysely";
import { lockAccountRow, normaliseEmail } from "../accounts/account-rows.ts";
import type { Ledger } from "../accounts/accounts.ts";
import type { Schema } from "../db/schema.ts";
import { type ErrorCode, Refusal } from "../failure.ts";
import { accountSubject, addressSubject, unlessUnjudged } from "./attempts.ts";
import { findByEmail, readCredentials } from "./credentials.ts";
import type { SignInDeps } from "./deps.ts";
import { canBePassword } from "./passwords.ts";
import { takeSecondFactor } from "./second-factor.ts";
import { type Client, insertSession } from "./session-store.ts";

/** How somebody shows who they are. */
export type SignInWish = {
  readonly proof:
    | { readonly kind: "password"; readonly email: string; readonly password: string }
    | { readonly kind: "key"; readonly key: string };
  /** Null: none was given. */
  readonly totpCode: string | null;
  readonly client: Client;
};

type Proven = {
  readonly accountId: string;
  /** The hash that the password was compared with; null after a key. */
  readonly passwordHash: string | null;
  /** The key; null after a password. */
  readonly keyId: string | null;
};

/**
 * Signs in and gives the new session's token. Throws SIGN_IN_FAILED, the same for whatever is wrong, TOTP_REQUIRED when
 * only the code is missing, or RATE_LIMIT_EXCEEDED after ten failures of the client or the account.
 */
export async function signIn(
  wish: SignInWish,
  deps: SignInDeps & { readonly ledger: Pick<Ledger, "findCaller"> },
): Promise<string> {
  const { proof, client } = wish;
  // A key is not guessed: only where a code is asked as well, its guesses count for the account.
  const byKey = proof.kind === "key" ? await proveKey(proof, deps) : null;
  const email = proof.kind === "password" ? normaliseEmail(proof.email) : byKey?.guardedEmail;
  const subjects = [addressSubject(client.bucket), ...(email == null ? [] : [accountSubject(email)])];
  const attempt = await deps.attempts.begin(subjects);
  const outcome = await unlessUnjudged(attempt, async () => {
    const proven = proof.kind === "password" ? await provePassword(proof, deps) : byKey;
    if (proven === null) return "SIGN_IN_FAILED";
    return deps.db.kysely.transaction().execute((trx) => open(trx, proven, wish, deps));
  });
  if (typeof outcome === "object") {
    await attempt.forgive();
    deps.log.info({ account_id: outcome.accountId }, "Signed in");
    return outcome.token;
  }
  // What was shown was right: only guesses count.
  if (outcome === "TOTP_REQUIRED") await attempt.forgive();
  throw outcome === "TOTP_REQUIRED" ? new Refusal(outcome, { field: "totp_code" }) : failed(proof.kind);
}

const WRONG: Readonly<Record<SignInWish["proof"]["kind"], string>> = {
  password: "No account opens with this e-mail address, password and code",
  key: "No account opens with this API key and code",
};

const failed = (kind: SignInWish["proof"]["kind"]): Refusal =>
  new Refusal("SIGN_IN_FAILED", { message: WRONG[kind] });

async function provePassword(
  { email, password }: { readonly email: string; readonly password: string },
  { db, clock, passwords }: SignInDeps,
): Promise<Proven | null> {
  const found = await findByEmail(db.kysely, email, clock.now());
  // Nobody has it, whoever is named: no hash for it, and the time tells nothing.
  if (!canBePassword(password)) return null;
  const passwordHash = found?.credentials.passwordHash ?? null;
  const isRight = await passwords.verify(password, passwordHash);
  return isRight && found !== null ? { accountId: found.account.id, passwordHash, keyId: null } : null;
}

async function proveKey(
  { key }: { readonly key: string },
  { db, ledger }: SignInDeps & { readonly ledger: Pick<Ledger, "findCaller"> },
): Promise<(Proven & { readonly guardedEmail: string | null }) | null> {
  const caller = await ledger.findCaller(key);
  if (caller === null) return null;
  const { accountId, keyId } = caller;
  const guarded = await db.kysely
    .selectFrom("accounts")
    .innerJoin("credentials", "credentials.account_id", "accounts.id")
    .select("email")
    .where("accounts.id", "=", accountId)
    .where("is_totp_confirmed", "=", 1)
    .executeTakeFirst();
  return { accountId, passwordHash: null, keyId, guardedEmail: guarded?.email ?? null };
}

type Opened =
  | { readonly token: string; readonly accountId: string }
  | Extract<ErrorCode, "SIGN_IN_FAILED" | "TOTP_REQUIRED">;

// All that may have changed since the proof is read again under the account's lock.
async function open(
  trx: Transaction<Schema>,
  { accountId, passwordHash, keyId }: Proven,
  { totpCode, client }: SignInWish,
  deps: SignInDeps,
): Promise<Opened> {
  const row = await lockAccountRow(trx, { accountId }, deps);
  const credentials = await readCredentials(trx, accountId);
  if (row.disabled_at !== null) return "SIGN_IN_FAILED";
  if (keyId !== null && !(await isKeyAlive(trx, keyId))) return "SIGN_IN_FAILED";
  if (passwordHash !== null && passwordHash !== credentials.passwordHash) return "SIGN_IN_FAILED";
  if (credentials.totpSecret !== null) {
    if (totpCode === null) return "TOTP_REQUIRED";
    if (!(await takeSecondFactor(trx, { accountId, code: totpCode, credentials }, deps))) {
      return "SIGN_IN_FAILED";
    }
  }
  return { token: await insertSession(trx, { accountId, client, keyId }, deps), accountId };
}

async function isKeyAlive(trx: Transaction<Schema>, keyId: string): Promise<boolean> {
  const key = await trx
    .selectFrom("api_keys")
    .select("id")
    .where("id", "=", keyId)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return key !== undefined;
}
