import { createAccounts } from "../src/accounts/account-store.ts";
import { createLedger } from "../src/accounts/ledger/ledger.ts";
import { usageOptionsSchema } from "../src/accounts/usage-options.ts";
import { type Clock, systemRandom } from "../src/base/clock.ts";
import type { Log } from "../src/base/log.ts";
import type { SignInMetrics } from "../src/base/metrics.ts";
import type { Database } from "../src/db/database.ts";
import { createPasswords, deriveArgon2id } from "../src/sessions/passwords.ts";
import type { Client } from "../src/sessions/session-store.ts";
import { createSessions } from "../src/sessions/sessions.ts";

export type SignInSetting = {
  readonly owners?: readonly string[];
  readonly metrics?: SignInMetrics | null;
  readonly log?: Pick<Log, "info" | "warn" | "error">;
  readonly keySignIn?: "read" | "off";
  /** What others do between a key's read and the session that it opens. */
  readonly afterKeyRead?: () => Promise<unknown>;
};

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Sessions over a test's database, as one process has them, with the number of hashes made so far. */
export function openSessions(
  db: Database,
  clock: Clock,
  {
    owners = [],
    keySignIn = "read",
    metrics = null,
    log = SILENT,
    afterKeyRead = async () => undefined,
  }: SignInSetting = {},
) {
  const hashes = { made: 0, running: 0, most: 0 };
  const passwords = createPasswords({
    random: systemRandom,
    derive: async (work) => {
      hashes.made++;
      hashes.most = Math.max(hashes.most, ++hashes.running);
      try {
        return await deriveArgon2id(work);
      } finally {
        hashes.running--;
      }
    },
  });
  const { findCaller } = createLedger({ db, clock, log, usage: usageOptionsSchema.parse({}) });
  const ledger = {
    findCaller: async (key: string) => {
      const caller = await findCaller(key);
      await afterKeyRead();
      return caller;
    },
  };
  const options = { signup: "open" as const, key_sign_in: keySignIn, owners: [...owners] };
  const deps = { db, clock, random: systemRandom };
  const sessions = createSessions({ ...deps, ledger, passwords, options, metrics, log });
  return { sessions, hashes, accounts: createAccounts(deps) };
}

let clients = 0;

/** A client that was not seen before. */
export function newClient(): Client {
  const address = `192.0.2.${++clients}`;
  return { address, bucket: address, network: address, userAgent: "test" };
}

type Setting = ReturnType<typeof openSessions>;

/** Signs up and opens the mailed link: the new session's token. */
export async function signUpWith(
  { sessions }: Pick<Setting, "sessions">,
  wish: { readonly email: string; readonly password: string },
): Promise<string> {
  const client = newClient();
  const mail = await (await sessions.requestSignUp({ email: wish.email, client })).issue();
  if (mail?.kind !== "open") throw new Error(`No link opens an account: ${mail?.kind}`);
  return sessions.openAccount({ token: mail.token, password: wish.password, client });
}

/** Makes an account what open sign-up made in versions of before: its address is not proved. */
export async function unprove(db: Database, email: string): Promise<void> {
  await db.kysely
    .updateTable("accounts")
    .set({ email_proved_at: null, is_signed_up: 1, credits: 0, credits_granted: 0 })
    .where("email", "=", email)
    .execute();
}

/** The refusal's code, or "done". */
export const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: { code?: string; reason?: string }) => error.code ?? error.reason ?? String(error),
  );
