import type { Transaction } from "kysely";
import { lockAccountRow } from "../accounts/account-rows.ts";
import { writeAudit } from "../accounts/audit.ts";
import type { Schema } from "../db/schema.ts";
import { InvalidValue } from "../failure.ts";
import { readCredentials, writeCredentials } from "./credentials.ts";
import type { SignInDeps } from "./deps.ts";
import { type Client, endSessions, insertSession } from "./session-store.ts";
import { hashToken, isToken, newToken } from "./tokens.ts";

/** How long a one-time link opens. */
export const RESET_MS = 3_600_000;

export type ResetWish = { readonly token: string; readonly newPassword: string; readonly client: Client };

/** The page that sets a new password, below the service's address. */
export const resetLink = (base: string, token: string): string =>
  `${base.replace(/\/+$/, "")}/app/reset?token=${token}`;

/** A one-time token that sets a new password. `endsTotp`: also for who lost the authenticator. Stored as its hash. */
export async function issueResetToken(
  wish: { readonly accountId: string; readonly endsTotp: boolean; readonly actor: string },
  deps: Pick<SignInDeps, "db" | "clock" | "random">,
): Promise<string> {
  const { accountId, endsTotp, actor } = wish;
  const token = newToken(deps.random);
  const nowMs = deps.clock.now().getTime();
  await deps.db.kysely.transaction().execute(async (trx) => {
    // Not while the account is being deleted.
    await lockAccountRow(trx, { accountId }, deps);
    await trx
      .insertInto("reset_tokens")
      .values({
        token_hash: hashToken(token),
        account_id: accountId,
        created_at: nowMs,
        expires_at: nowMs + RESET_MS,
        ends_totp: endsTotp ? 1 : 0,
      })
      .execute();
    await writeAudit(trx, { actor, action: "account.reset_link", accountId, detail: {} }, deps);
  });
  return token;
}

/**
 * Sets the new password, ends all sessions and links of the account, and begins a session: its token, or null where the
 * second factor stays and must be shown. Throws InvalidValue `token_invalid` for a token that is unknown, used or old.
 */
export async function resetPassword(
  { token, newPassword, client }: ResetWish,
  deps: SignInDeps,
): Promise<string | null> {
  const tokenHash = hashToken(token);
  // 256 bits are not guessed, and a hash is made only for who holds a link.
  if (!isToken(token) || (await findToken(deps.db.kysely, tokenHash, deps)) === null) throw invalidToken();
  const passwordHash = await deps.passwords.hash(newPassword);
  return deps.db.kysely.transaction().execute(async (trx) => {
    const found = await findToken(trx, tokenHash, deps);
    if (found === null) throw invalidToken();
    const row = await lockAccountRow(trx, { accountId: found.accountId }, deps);
    const { numDeletedRows } = await trx
      .deleteFrom("reset_tokens")
      .where("token_hash", "=", tokenHash)
      .executeTakeFirstOrThrow();
    // Of two at once the second finds none to take.
    if (numDeletedRows === 0n || row.disabled_at !== null) throw invalidToken();
    return takeOver(trx, { ...found, passwordHash, client }, deps);
  });
}

const invalidToken = (): InvalidValue =>
  new InvalidValue("token_invalid", "This link was used or is older than an hour: ask for a new one");

type Found = { readonly accountId: string; readonly endsTotp: boolean };

async function findToken(
  db: SignInDeps["db"]["kysely"],
  tokenHash: string,
  { clock }: Pick<SignInDeps, "clock">,
): Promise<Found | null> {
  const row = await db
    .selectFrom("reset_tokens")
    .select(["account_id", "ends_totp"])
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", clock.now().getTime())
    .executeTakeFirst();
  return row === undefined ? null : { accountId: row.account_id, endsTotp: row.ends_totp === 1 };
}

async function takeOver(
  trx: Transaction<Schema>,
  wish: Found & { readonly passwordHash: string; readonly client: Client },
  deps: SignInDeps,
): Promise<string | null> {
  const { accountId, endsTotp, passwordHash, client } = wish;
  const noTotp = { totp_secret: null, is_totp_confirmed: 0, totp_last_step: null };
  const { totpSecret } = await readCredentials(trx, accountId);
  // A set-up that nobody finished may be a stranger's.
  const isKept = totpSecret !== null && !endsTotp;
  await writeCredentials(trx, accountId, { password_hash: passwordHash, ...(isKept ? {} : noTotp) });
  await endSessions(trx, accountId);
  await trx.deleteFrom("reset_tokens").where("account_id", "=", accountId).execute();
  const detail = { ends_totp: endsTotp };
  await writeAudit(trx, { actor: "reset link", action: "account.set_password", accountId, detail }, deps);
  return isKept ? null : insertSession(trx, { accountId, client, keyId: null }, deps);
}
