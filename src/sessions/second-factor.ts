import type { Transaction } from "kysely";
import type { StoreDeps } from "../accounts/account-rows.ts";
import type { Schema } from "../db/schema.ts";
import { type Credentials, writeCredentials } from "./credentials.ts";
import { deleteRecoveryCodes, takeRecoveryCode } from "./recovery-codes.ts";
import { takeTotpCode } from "./totp.ts";

/**
 * Takes the code of an account whose row is locked: one that its authenticator shows, or a recovery code. Without a
 * second factor there is none to take.
 */
export async function takeSecondFactor(
  trx: Transaction<Schema>,
  wish: { readonly accountId: string; readonly code: string; readonly credentials: Credentials },
  deps: Pick<StoreDeps, "clock" | "random">,
): Promise<boolean> {
  const { accountId, code, credentials } = wish;
  const { totpSecret: secret, totpLastStep: lastStep } = credentials;
  if (secret === null) return false;
  return (
    (await takeTotpCode(trx, { accountId, secret, code, lastStep }, deps)) ||
    takeRecoveryCode(trx, { accountId, code }, deps)
  );
}

/** Takes an account's second factor off, set up or only begun, with its recovery codes. */
export async function removeSecondFactor(trx: Transaction<Schema>, accountId: string): Promise<void> {
  await writeCredentials(trx, accountId, { totp_secret: null, is_totp_confirmed: 0, totp_last_step: null });
  await deleteRecoveryCodes(trx, accountId);
}
