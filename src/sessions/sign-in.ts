import type { Transaction } from "kysely";
import { lockAccountRow, normaliseEmail } from "../accounts/account-rows.ts";
import type { Caller, Ledger } from "../accounts/accounts.ts";
import { endSessionsWith } from "../accounts/key-changes.ts";
import { keyState } from "../accounts/rows.ts";
import type { Schema } from "../db/schema.ts";
import { type ErrorCode, Refusal } from "../failure.ts";
import { readIp } from "../targets/ip.ts";
import { accountSubject, addressSubject } from "./attempts.ts";
import { type Credentials, findByEmail, readCredentials } from "./credentials.ts";
import type { SignInDeps } from "./deps.ts";
import { canBePassword } from "./passwords.ts";
import { type Client, insertSession } from "./session-store.ts";
import { takeTotpCode } from "./totp.ts";

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
  const byKey = proof.kind === "key" ? await proveKey({ ...proof, client }, deps) : null;
  const email = proof.kind === "password" ? normaliseEmail(proof.email) : byKey?.guardedEmail;
  const subjects = [addressSubject(client.bucket), ...(email == null ? [] : [accountSubject(email)])];
  const attempt = await deps.attempts.begin(subjects);
  const proven = proof.kind === "password" ? await provePassword(proof, deps) : byKey;
  if (proven === null) throw failed(proof.kind);
  const outcome = await deps.db.kysely
    .transaction()
    .execute((trx) => open(trx, proven, wish, deps))
    // Deleted since the proof.
    .catch((error: unknown): Opened => {
      if (error instanceof Refusal && error.code === "NOT_FOUND") return "SIGN_IN_FAILED";
      throw error;
    });
  if (typeof outcome === "object") {
    await attempt.forgive();
    deps.log.info({ account_id: proven.accountId }, "Signed in");
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
  { key, client }: { readonly key: string; readonly client: Client },
  { db, ledger }: SignInDeps & { readonly ledger: Pick<Ledger, "findCaller"> },
): Promise<(Proven & { readonly guardedEmail: string | null }) | null> {
  const caller = await ledger.findCaller(key);
  if (caller === null) return null;
  refuseLimited(caller, client);
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

/** A session sees the whole account: a key opens one only where it may be used, and only if it may be used for everything. */
function refuseLimited({ restriction }: Caller, { address }: Client): void {
  if (restriction === null) return;
  if (!restriction.allowsAddress(readIp(address))) {
    throw new Refusal("FORBIDDEN", { message: `This API key may not be used from ${address}` });
  }
  if (restriction.allowsEveryProduct) return;
  throw new Refusal("FORBIDDEN", { message: "This API key is limited to some products and cannot sign in" });
}

type Opened = { readonly token: string } | Extract<ErrorCode, "SIGN_IN_FAILED" | "TOTP_REQUIRED">;

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
  const key = keyId === null ? null : await findLiveKey(trx, keyId, deps);
  if (key === undefined) return "SIGN_IN_FAILED";
  if (passwordHash !== null && passwordHash !== credentials.passwordHash) return "SIGN_IN_FAILED";
  if (credentials.totpSecret !== null) {
    if (totpCode === null) return "TOTP_REQUIRED";
    if (!(await isTotpRight(trx, { accountId, code: totpCode, credentials }, deps))) return "SIGN_IN_FAILED";
  }
  const token = await insertSession(trx, { accountId, client, keyId }, deps);
  if (key !== null) await endSessionsWith(trx, key);
  return { token };
}

async function findLiveKey(trx: Transaction<Schema>, keyId: string, { clock }: Pick<SignInDeps, "clock">) {
  const key = await trx
    .selectFrom("api_keys")
    .select(["id", "expires_at", "revoked_at"])
    .where("id", "=", keyId)
    .executeTakeFirst();
  return key !== undefined && keyState(key, clock.now().getTime()) === "active" ? key : undefined;
}

/** Takes the code of an account whose row is locked; without a second factor there is none to take. */
export async function isTotpRight(
  trx: Transaction<Schema>,
  wish: { readonly accountId: string; readonly code: string; readonly credentials: Credentials },
  deps: Pick<SignInDeps, "clock">,
): Promise<boolean> {
  const { accountId, code, credentials } = wish;
  const { totpSecret: secret, totpLastStep: lastStep } = credentials;
  return secret !== null && (await takeTotpCode(trx, { accountId, secret, code, lastStep }, deps));
}
