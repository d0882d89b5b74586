import type { Transaction } from "kysely";
import { lockAccountRow, normaliseEmail } from "../accounts/account-rows.ts";
import type { Caller, Ledger } from "../accounts/accounts.ts";
import { countAudit } from "../accounts/audit.ts";
import { endSessionsWith } from "../accounts/key-changes.ts";
import { allowsSession, restrictionFrom } from "../accounts/key-options.ts";
import { findPerson, type Person, readPeople } from "../accounts/people.ts";
import { keyState } from "../accounts/rows.ts";
import { type ErrorCode, Refusal } from "../base/failure.ts";
import type { SignInMetrics } from "../base/metrics.ts";
import type { Schema } from "../db/schema.ts";
import { readIp } from "../targets/ip.ts";
import { accountSubject, addressSubject, unlessUnjudged } from "./attempts.ts";
import { findByEmail, readCredentials } from "./credentials.ts";
import type { SignInDeps } from "./deps.ts";
import { canBePassword } from "./passwords.ts";
import { takeSecondFactor } from "./second-factor.ts";
import { type Client, insertSession } from "./session-store.ts";

/** The proof that a sign-in carries. */
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
  /** Who signs in; after a key the person whose second factor is asked for. */
  readonly personId: string;
  /** The hash that the password was compared with; null after a key. */
  readonly passwordHash: string | null;
  /** The key; null after a password. */
  readonly keyId: string | null;
  readonly keyPrefix: string | null;
};

/**
 * Signs in and gives the new session's token. Throws SIGN_IN_FAILED, the same for whatever is wrong, TOTP_REQUIRED when
 * only the code is missing, or RATE_LIMIT_EXCEEDED after ten failures of the client or the account.
 */
export async function signIn(
  wish: SignInWish,
  deps: SignInDeps & { readonly ledger: Pick<Ledger, "findCaller"> },
): Promise<string> {
  try {
    const token = await judge(wish, deps);
    deps.metrics?.signedIn(wish.proof.kind, "ok");
    return token;
  } catch (error) {
    const outcome = error instanceof Refusal ? OUTCOMES[error.code] : undefined;
    deps.metrics?.signedIn(wish.proof.kind, outcome ?? "error");
    throw error;
  }
}

const OUTCOMES: { readonly [Code in ErrorCode]?: Parameters<SignInMetrics["signedIn"]>[1] } = {
  SIGN_IN_FAILED: "failed",
  TOTP_REQUIRED: "code_missing",
  RATE_LIMIT_EXCEEDED: "locked",
  FORBIDDEN: "off",
};

async function judge(
  wish: SignInWish,
  deps: SignInDeps & { readonly ledger: Pick<Ledger, "findCaller"> },
): Promise<string> {
  const { proof, client } = wish;
  if (proof.kind === "key" && deps.options.key_sign_in === "off") throw noKeys();
  // A key is not guessed: only where a code is asked as well, its guesses count for the account.
  const byKey = proof.kind === "key" ? await proveKey({ ...proof, client }, deps) : null;
  const email = proof.kind === "password" ? normaliseEmail(proof.email) : byKey?.guardedEmail;
  const subjects = [addressSubject(client.bucket), ...(email == null ? [] : [accountSubject(email)])];
  const attempt = await deps.attempts.begin(subjects);
  const { accountId, outcome } = await unlessUnjudged(attempt, async () => {
    const shown =
      proof.kind === "password"
        ? await provePassword(proof, deps)
        : { accountId: byKey?.accountId ?? null, proven: byKey };
    return { ...shown, outcome: await openProven(shown.proven, wish, deps) };
  });
  if (outcome === "SIGN_IN_FAILED") throw failed(wish, accountId, deps);
  // What was shown was right: only guesses count.
  await attempt.forgive();
  if (outcome === "TOTP_REQUIRED") throw new Refusal(outcome, { field: "totp_code" });
  deps.log.info({ account_id: accountId }, "Signed in");
  return outcome.token;
}

const noKeys = (): Refusal =>
  new Refusal("FORBIDDEN", {
    message: "Signing in with an API key is turned off here: use your e-mail address and password",
  });

const WRONG: Readonly<Record<SignInWish["proof"]["kind"], string>> = {
  password: "Wrong e-mail address, password or code",
  key: "Wrong API key or code",
};

/** What was typed is named nowhere: of an account that exists its id and the person, of any other nothing. */
function failed({ proof, client }: SignInWish, accountId: string | null, deps: SignInDeps): Refusal {
  const by = proof.kind;
  deps.log.warn({ account_id: accountId, client: client.address, by }, "Sign-in failed");
  const person = proof.kind === "password" ? normaliseEmail(proof.email) : null;
  if (accountId !== null) deps.failures.note({ accountId, person, by, client: client.address });
  return new Refusal("SIGN_IN_FAILED", { message: WRONG[by] });
}

async function provePassword(
  { email, password }: { readonly email: string; readonly password: string },
  { db, clock, passwords }: SignInDeps,
): Promise<{ readonly accountId: string | null; readonly proven: Proven | null }> {
  const found = await findByEmail(db.kysely, email, clock.now());
  const accountId = found?.account.id ?? null;
  const personId = found?.person.id ?? null;
  // No account can have it: no hash for it, and the time tells nothing.
  if (!canBePassword(password)) return { accountId, proven: null };
  const passwordHash = found?.credentials.passwordHash ?? null;
  const isRight = await passwords.verify(password, passwordHash);
  if (!isRight || accountId === null || personId === null) return { accountId, proven: null };
  return { accountId, proven: { accountId, personId, passwordHash, keyId: null, keyPrefix: null } };
}

async function proveKey(
  { key, client }: { readonly key: string; readonly client: Client },
  { db, ledger }: SignInDeps & { readonly ledger: Pick<Ledger, "findCaller"> },
): Promise<(Proven & { readonly guardedEmail: string | null }) | null> {
  const caller = await ledger.findCaller(key);
  if (caller === null) return null;
  refuseLimited(caller, client);
  const { accountId, keyId, keyPrefix } = caller;
  const guard = await guardOf({ accountId, keyId }, db.kysely);
  if (guard === undefined) return null;
  const { totpSecret } = await readCredentials(db.kysely, guard.id);
  const guardedEmail = totpSecret === null ? null : guard.email;
  return { accountId, personId: guard.id, passwordHash: null, keyId, keyPrefix, guardedEmail };
}

/** Whose second factor guards a key: that of the person who made it, else of the account's first owner. */
async function guardOf(
  { accountId, keyId }: { readonly accountId: string; readonly keyId: string },
  kysely: SignInDeps["db"]["kysely"],
): Promise<Person | undefined> {
  const people = await readPeople(kysely, accountId);
  const key = await kysely
    .selectFrom("api_keys")
    .select("person_id")
    .where("id", "=", keyId)
    .executeTakeFirst();
  return people.find(({ id }) => id === key?.person_id) ?? people.find(({ role }) => role === "owner");
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

async function openProven(proven: Proven | null, wish: SignInWish, deps: SignInDeps): Promise<Opened> {
  if (proven === null) return "SIGN_IN_FAILED";
  try {
    return await deps.db.kysely.transaction().execute((trx) => open(trx, proven, wish, deps));
  } catch (error) {
    // Deleted since the proof.
    if (error instanceof Refusal && error.code === "NOT_FOUND") return "SIGN_IN_FAILED";
    throw error;
  }
}

// All that may have changed since the proof is read again under the account's lock.
async function open(
  trx: Transaction<Schema>,
  { accountId, personId, passwordHash, keyId, keyPrefix }: Proven,
  { totpCode, client }: SignInWish,
  deps: SignInDeps,
): Promise<Opened> {
  const row = await lockAccountRow(trx, { accountId }, deps);
  const person = await findPerson(trx, personId);
  const credentials = await readCredentials(trx, personId);
  if (row.disabled_at !== null || person?.accountId !== accountId) return "SIGN_IN_FAILED";
  const key = keyId === null ? null : await findOpeningKey(trx, { keyId, client }, deps);
  if (key === undefined) return "SIGN_IN_FAILED";
  if (passwordHash !== null && passwordHash !== credentials.passwordHash) return "SIGN_IN_FAILED";
  if (credentials.totpSecret !== null) {
    if (totpCode === null) return "TOTP_REQUIRED";
    if (!(await takeSecondFactor(trx, { person, code: totpCode, credentials }, deps))) {
      return "SIGN_IN_FAILED";
    }
  }
  const token = await insertSession(
    trx,
    { accountId, client, by: keyId === null ? { personId } : { keyId } },
    deps,
  );
  if (key !== null) await endSessionsWith(trx, key);
  const by = keyPrefix === null ? { by: "password" } : { by: "key", prefix: keyPrefix };
  const detail = { ...by, client: client.address };
  const actor = keyId === null ? person.email : row.email;
  const same = `${keyId ?? personId} ${client.bucket}`;
  const entry = { actor, action: "session.sign_in" as const, accountId, keyId, detail };
  await countAudit(trx, { ...entry, same }, deps);
  return { token };
}

/** The key as it is now: alive, and still allowed to open a session. */
async function findOpeningKey(
  trx: Transaction<Schema>,
  { keyId, client }: { readonly keyId: string; readonly client: Client },
  { clock }: Pick<SignInDeps, "clock">,
) {
  const key = await trx
    .selectFrom("api_keys")
    .select(["id", "expires_at", "revoked_at", "networks", "products"])
    .where("id", "=", keyId)
    .executeTakeFirst();
  if (key === undefined || keyState(key, clock.now().getTime()) !== "active") return undefined;
  return allowsSession(restrictionFrom(key.networks, key.products), readIp(client.address)) ? key : undefined;
}
