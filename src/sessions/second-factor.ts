import type { Transaction } from "kysely";
import type { StoreDeps } from "../accounts/account-rows.ts";
import type { Person } from "../accounts/people.ts";
import type { Schema } from "../db/schema.ts";
import { type Credentials, writeCredentials } from "./credentials.ts";
import { deleteRecoveryCodes, takeRecoveryCode } from "./recovery-codes.ts";
import { takeTotpCode } from "./totp.ts";

/**
 * Takes the code of a person whose account's row is locked: one that its authenticator shows, or a recovery code. Without a
 * second factor there is none to take.
 */
export async function takeSecondFactor(
  trx: Transaction<Schema>,
  wish: {
    readonly person: Pick<Person, "id" | "accountId" | "email">;
    readonly code: string;
    readonly credentials: Credentials;
  },
  deps: Pick<StoreDeps, "clock" | "random">,
): Promise<boolean> {
  const { person, code, credentials } = wish;
  const { totpSecret: secret, totpLastStep: lastStep } = credentials;
  if (secret === null) return false;
  return (
    (await takeTotpCode(trx, { personId: person.id, secret, code, lastStep }, deps)) ||
    takeRecoveryCode(trx, { person, code }, deps)
  );
}

/** Takes a person's second factor off, set up or only begun, with its recovery codes. */
export async function removeSecondFactor(trx: Transaction<Schema>, personId: string): Promise<void> {
  await writeCredentials(trx, personId, { totp_secret: null, is_totp_confirmed: 0, totp_last_step: null });
  await deleteRecoveryCodes(trx, personId);
}
