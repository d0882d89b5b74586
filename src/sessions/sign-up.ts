import { insertAccountRow, normaliseEmail } from "../accounts/account-rows.ts";
import { planOf } from "../accounts/plans.ts";
import { Refusal } from "../failure.ts";
import { addressSubject } from "./attempts.ts";
import { writeCredentials } from "./credentials.ts";
import type { SignInDeps } from "./deps.ts";
import type { Client } from "./session-store.ts";

/**
 * Opens a Free account with a password. Resolves alike when the e-mail is taken: nothing happens then, and the answer
 * tells nobody who has an account here. E-mail and password were judged before. Throws SIGN_UP_CLOSED, or
 * RATE_LIMIT_EXCEEDED after ten of one client.
 */
export async function signUp(
  wish: { readonly email: string; readonly password: string; readonly client: Client },
  deps: SignInDeps,
): Promise<void> {
  if (deps.options.signup !== "open") throw new Refusal("SIGN_UP_CLOSED");
  await deps.attempts.begin([`sign-up ${addressSubject(wish.client.bucket)}`]);
  const passwordHash = await deps.passwords.hash(wish.password);
  // Nobody proved that the e-mail is theirs: an owner's account is made by the operator.
  if (isOwnersEmail(wish.email, deps)) {
    deps.log.warn(
      "Refused to open an account for an e-mail address of dashboard.owners: make it by `repute account create`",
    );
    return;
  }
  await insertAccount({ email: wish.email, passwordHash }, deps);
}

/** Whether the configuration names this e-mail as an owner's. */
export const isOwnersEmail = (email: string, { options }: Pick<SignInDeps, "options">): boolean =>
  options.owners.some((owner) => normaliseEmail(owner) === normaliseEmail(email));

async function insertAccount(
  { email, passwordHash }: { readonly email: string; readonly passwordHash: string },
  deps: SignInDeps,
): Promise<void> {
  try {
    await deps.db.kysely.transaction().execute(async (trx) => {
      const plan = planOf("Free");
      const wish = { email, plan, isOwner: false, isSignedUp: true, actor: "sign-up" };
      const row = await insertAccountRow(trx, wish, deps);
      await writeCredentials(trx, row.id, { password_hash: passwordHash });
      deps.log.info({ account_id: row.id }, "Opened an account");
    });
  } catch (error) {
    // Taken, perhaps a moment ago by a twin of this call.
    if (!(error instanceof Refusal && error.code === "VALIDATION")) throw error;
  }
}
