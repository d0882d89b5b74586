import type { Transaction } from "kysely";
import { type AccessToken, accessTokenFrom } from "../accounts/access-tokens.ts";
import { newCycle } from "../accounts/account-change.ts";
import { lockAccountRow } from "../accounts/account-rows.ts";
import type { ApiKey } from "../accounts/accounts.ts";
import { writeAudit } from "../accounts/audit.ts";
import { madeByOf } from "../accounts/key-rows.ts";
import { revokeKeysOf } from "../accounts/key-store.ts";
import { findPerson, type Person, personFromRow } from "../accounts/people.ts";
import { type AccountRow, accountFromRow, apiKeyFromRow } from "../accounts/rows.ts";
import { endSessions } from "../accounts/session-keys.ts";
import { outwaitTokens, revokeTokensOf, unrevokedTokens } from "../accounts/token-store.ts";
import { DAY_MS, HOUR_MS } from "../base/durations.ts";
import { InvalidValue, Refusal } from "../base/failure.ts";
import type { Schema } from "../db/schema.ts";
import { unlessUnjudged } from "./attempts.ts";
import { readCredentials, writeCredentials } from "./credentials.ts";
import type { SignInDeps } from "./deps.ts";
import { removeSecondFactor, takeSecondFactor } from "./second-factor.ts";
import { type Client, insertSession } from "./session-store.ts";
import { hashToken, isToken, newToken } from "./tokens.ts";

/** How long a one-time link opens. */
export const RESET_MS = HOUR_MS;
/** The same where it is the first proof of the address: such links are few a day. */
export const PROOF_MS = DAY_MS;

export type ResetWish = {
  readonly token: string;
  readonly newPassword: string;
  /** Of the authenticator, or a recovery code. Null: none was given. */
  readonly totpCode: string | null;
  /** Ids of live keys and access tokens to be revoked with it. */
  readonly revokeKeys: readonly string[];
  readonly client: Client;
};

/** What a link is about, for who holds it. */
export type ResetView = {
  readonly email: string;
  /** False: this link proves it, revokes all keys and takes the authenticator off. */
  readonly isProved: boolean;
  /** Whether the authenticator stays, so that signing in asks for its code. */
  readonly keepsTotp: boolean;
  /** Live ones, oldest first, then access tokens: an owner's all of the account, others' their own. Those of sessions end with them. */
  readonly keys: readonly LiveKey[];
};

type LiveKey = Pick<ApiKey | AccessToken, "id" | "name" | "prefix" | "createdAt" | "lastUsedAt">;

/** The page that sets a new password, below the service's address. Behind `#` no server, log or `Referer` sees the token. */
export const resetLink = (base: string, token: string): string => linkOf(base, "reset", token);

/** A page of `/app` with the token of a one-time link. */
export const linkOf = (base: string, page: "reset" | "open" | "join", token: string): string =>
  `${base.replace(/\/+$/, "")}/app/${page}#token=${token}`;

/** A one-time token that sets a new password. `endsTotp`: also for who lost the authenticator. Stored as its hash. */
export async function issueResetToken(
  wish: {
    readonly personId: string;
    readonly endsTotp: boolean;
    readonly actor: string;
    /** Default: `RESET_MS`. */
    readonly lifeMs?: number;
  },
  deps: Pick<SignInDeps, "db" | "clock" | "random">,
): Promise<string> {
  const { personId, endsTotp, actor, lifeMs = RESET_MS } = wish;
  const token = newToken(deps.random);
  const nowMs = deps.clock.now().getTime();
  await deps.db.kysely.transaction().execute(async (trx) => {
    // Not while the account is being deleted, or the person removed.
    const { accountId, email } = await lockPerson(trx, personId, deps);
    await trx
      .insertInto("reset_tokens")
      .values({
        token_hash: hashToken(token),
        person_id: personId,
        created_at: nowMs,
        expires_at: nowMs + lifeMs,
        ends_totp: endsTotp ? 1 : 0,
      })
      .execute();
    const detail = { person: email };
    await writeAudit(trx, { actor, action: "account.reset_link", accountId, detail }, deps);
  });
  return token;
}

/** A person, with the row of their account locked. Throws NOT_FOUND. */
async function lockPerson(
  trx: Transaction<Schema>,
  personId: string,
  deps: Pick<SignInDeps, "db">,
): Promise<Person> {
  const found = await findPerson(trx, personId);
  await lockAccountRow(trx, { accountId: found?.accountId ?? "" }, deps);
  const person = await findPerson(trx, personId);
  if (person === null) throw new Refusal("NOT_FOUND", { message: "This person is no longer there" });
  return person;
}

/** What a link would do, without using it. Throws InvalidValue `token_invalid`. */
export async function viewReset(token: string, deps: SignInDeps): Promise<ResetView> {
  const found = await findToken(deps.db.kysely, token, deps);
  const rows = await deps.db.kysely
    .selectFrom("api_keys")
    .selectAll()
    .where("account_id", "=", found.person.accountId)
    .where((eb) => (found.person.role === "owner" ? eb.val(true) : eb("person_id", "=", found.person.id)))
    .where("revoked_at", "is", null)
    .where("session_id", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  const now = deps.clock.now();
  const { accountId } = found.person;
  const tokens = await unrevokedTokens(deps.db.kysely, { accountId, ...madeByOf(found.person) });
  const keys = [
    ...rows.map((row) => apiKeyFromRow(row, now)),
    ...tokens.map((row) => accessTokenFrom(row, now)),
  ].filter(({ state }) => state === "active");
  const { totpSecret } = await readCredentials(deps.db.kysely, found.person.id);
  const keepsTotp = totpSecret !== null && found.isProved && !found.endsTotp;
  return { email: found.person.email, isProved: found.isProved, keepsTotp, keys };
}

/**
 * Sets the new password, ends all sessions and links of the person, revokes the keys that were named, and begins a
 * session: its token, or null where the second factor stays and no code was given. The first link of an account whose
 * address is not proved proves it, revokes all keys and takes the authenticator off: who made them may be a stranger.
 * Throws InvalidValue `token_invalid` for a token that is unknown, used or old, those of `Passwords`, and `code_wrong`,
 * which leaves the link as it was; RATE_LIMIT_EXCEEDED after ten wrong codes.
 */
export async function resetPassword(wish: ResetWish, deps: SignInDeps): Promise<string | null> {
  // 256 bits are not guessed, and a hash is made only for who holds a link.
  const { person } = await findToken(deps.db.kysely, wish.token, deps);
  const passwordHash = await deps.passwords.hash(wish.newPassword, person);
  const { opened, tokens } = await resetCounted({ ...wish, passwordHash }, person, deps);
  await outwaitTokens(tokens, deps);
  return opened;
}

type Reset = ResetWish & { readonly passwordHash: string };

/** A session's token, if one began, and how many access tokens were revoked. */
type Taken = { readonly opened: string | null; readonly tokens: number };

/** Wrong codes count. */
async function resetCounted(wish: Reset, person: Person, deps: SignInDeps): Promise<Taken> {
  if (wish.totpCode === null) return resetLocked(wish, deps);
  // Strangers have no link: they cannot use these up.
  const attempt = await deps.attempts.begin([`reset code ${person.id}`]);
  const isWrong = ({ reason }: InvalidValue) => reason === "code_wrong";
  const outcome = await unlessUnjudged(attempt, () =>
    resetLocked(wish, deps).catch((error: unknown) => {
      if (error instanceof InvalidValue && isWrong(error)) return error;
      throw error;
    }),
  );
  if (outcome instanceof Error) throw outcome;
  await attempt.forgive();
  return outcome;
}

const resetLocked = (wish: Reset, deps: SignInDeps): Promise<Taken> =>
  deps.db.kysely.transaction().execute(async (trx) => {
    const found = await findToken(trx, wish.token, deps);
    const row = await lockAccountRow(trx, { accountId: found.person.accountId }, deps);
    const { numDeletedRows } = await trx
      .deleteFrom("reset_tokens")
      .where("token_hash", "=", hashToken(wish.token))
      .executeTakeFirstOrThrow();
    // Of two at once the second finds none to take.
    if (numDeletedRows === 0n || row.disabled_at !== null) throw invalidToken();
    const proved = row.email_proved_at === null ? await prove(trx, row, deps) : 0;
    const person = await findPerson(trx, found.person.id);
    if (person === null) throw invalidToken();
    const taken = await takeOver(trx, { ...wish, person, endsTotp: found.endsTotp }, deps);
    return { ...taken, tokens: taken.tokens + proved };
  });

const invalidToken = (): InvalidValue =>
  new InvalidValue("token_invalid", "This link was used or is too old: ask for a new one");

type Found = {
  readonly person: Person;
  readonly isProved: boolean;
  readonly endsTotp: boolean;
};

async function findToken(
  db: SignInDeps["db"]["kysely"],
  token: string,
  { clock }: Pick<SignInDeps, "clock">,
): Promise<Found> {
  if (!isToken(token)) throw invalidToken();
  const row = await db
    .selectFrom("reset_tokens")
    .innerJoin("people", "people.id", "reset_tokens.person_id")
    .innerJoin("accounts", "accounts.id", "people.account_id")
    .selectAll("people")
    .select(["ends_totp", "email_proved_at"])
    .where("token_hash", "=", hashToken(token))
    .where("expires_at", ">", clock.now().getTime())
    .executeTakeFirst();
  if (row === undefined) throw invalidToken();
  const { email_proved_at: provedAt, ends_totp: endsTotp } = row;
  return { person: personFromRow(row), isProved: provedAt !== null, endsTotp: endsTotp === 1 };
}

const ACTOR = "reset link";

/** The first proof: nothing that was made before stays, and the grant of the plan begins. How many access tokens ended. */
async function prove(trx: Transaction<Schema>, row: AccountRow, deps: SignInDeps): Promise<number> {
  const { id: accountId } = row;
  const now = deps.clock.now();
  const account = accountFromRow(row, now);
  const all = { accountId, ids: "all", actor: ACTOR } as const;
  await revokeKeysOf(trx, all, deps);
  const tokens = await revokeTokensOf(trx, all, deps);
  await removeSecondFactor(trx, accountId);
  // What a late payment would bring comes with the payment.
  const grant = account.graceEndsAt === null ? newCycle(account, now) : {};
  await trx
    .updateTable("accounts")
    .set({ ...grant, email_proved_at: now.getTime() })
    .where("id", "=", accountId)
    .execute();
  const detail = { email: row.email };
  await writeAudit(trx, { actor: ACTOR, action: "account.prove_email", accountId, detail }, deps);
  return tokens;
}

async function takeOver(
  trx: Transaction<Schema>,
  wish: Reset & { readonly person: Person; readonly endsTotp: boolean },
  deps: SignInDeps,
): Promise<Taken> {
  const { person, endsTotp, passwordHash, client, totpCode } = wish;
  const { accountId, id: personId } = person;
  const credentials = await readCredentials(trx, personId);
  const isKept = credentials.totpSecret !== null && !endsTotp;
  if (isKept && totpCode !== null) {
    if (!(await takeSecondFactor(trx, { person, code: totpCode, credentials }, deps))) throw wrongCode();
  }
  // An unfinished set-up may be a stranger's.
  if (!isKept) await removeSecondFactor(trx, personId);
  await writeCredentials(trx, personId, { password_hash: passwordHash });
  await endSessions(trx, { accountId, seenBy: person }, deps);
  await trx.deleteFrom("reset_tokens").where("person_id", "=", personId).execute();
  const keys = { accountId, ids: wish.revokeKeys, actor: ACTOR, ...madeByOf(person) };
  const revoked = await revokeKeysOf(trx, keys, deps);
  const tokens = await revokeTokensOf(trx, keys, deps);
  const detail = {
    ...{ person: person.email, ends_totp: endsTotp },
    ...{ keys_revoked: revoked, tokens_revoked: tokens },
  };
  await writeAudit(trx, { actor: ACTOR, action: "account.set_password", accountId, detail }, deps);
  const isOpen = !isKept || totpCode !== null;
  const opened = isOpen ? await insertSession(trx, { accountId, client, by: { personId } }, deps) : null;
  return { opened, tokens };
}

/** The refusal of a code, of an authenticator or a recovery code. */
export const wrongCode = (): InvalidValue =>
  new InvalidValue(
    "code_wrong",
    "This is neither the code that the authenticator shows now nor a recovery code, or it was used before",
  );
