import type { Accounts } from "../accounts/account-store.ts";
import type { Account } from "../accounts/accounts.ts";
import { isoSeconds, isoSecondsOrNull } from "../base/clock.ts";
import { Refusal } from "../base/failure.ts";
import { makePrivateFolder } from "../base/folders.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import { isPostgresUrl } from "../db/postgres-url.ts";
import {
  type ArgumentSpec,
  type CliCommand,
  type CliContext,
  type CommandHelp,
  defineCommand,
} from "./command.ts";
import { grouped, labelled } from "./table.ts";

/**
 * Opens the database for one piece of work on accounts, and closes it. Rejects as `openDatabase` does. What is not found in a
 * database without accounts may be in another one, and the refusal says so.
 */
export async function withAccounts<T>(
  context: CliContext,
  work: (accounts: Accounts, db: Database) => Promise<T>,
): Promise<T> {
  const { clock, random } = context;
  const config = await context.config();
  makePrivateFolder(config.dataDir);
  const { openDatabase } = await import("../db/database.ts");
  const { createAccounts } = await import("../accounts/account-store.ts");
  const db = await openDatabase({ url: config.databaseUrl, clock });
  const accounts = createAccounts({ db, clock: db.clock, random });
  try {
    return await work(accounts, db);
  } catch (error) {
    const isMissing = error instanceof Refusal && error.code === "NOT_FOUND";
    if (!isMissing || (await accounts.listAccounts()).length > 0) throw error;
    throw new Refusal("NOT_FOUND", { message: `${error.message}. ${noAccounts(config)}`, cause: error });
  } finally {
    await db.close();
  }
}

/** A mistyped folder is an empty database to a command: what to set. */
export const noAccounts = ({ databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">): string => {
  const place = isPostgresUrl(databaseUrl) ? "DATABASE_URL" : `REPUTE_DATA_DIR (here ${dataDir})`;
  return `There are no accounts yet. Where a service runs, set ${place} as it has it`;
};

/** A command that changes an account, to a value where it takes one, and prints it. */
export const changingAccount = (
  help: CommandHelp,
  change: (email: string, value: string) => (accounts: Accounts) => Promise<Account>,
  value: ArgumentSpec | null = null,
): CliCommand =>
  defineCommand({
    help,
    arguments: [{ name: "email", summary: "E-mail of the account" }, ...(value === null ? [] : [value])],
    run: async ({ argument }, context) => {
      const work = change(argument("email"), value === null ? "" : argument(value.name));
      context.print(accountLines(await withAccounts(context, work)));
      return 0;
    },
  });

/** An account as `account create --json` prints it. Source: operating.md. */
export const accountJson = ({ id, email, plan, credits }: Account) => ({
  id,
  email,
  plan,
  credits_remaining: credits,
});

/** An account as `account show --json` prints it. */
export const accountJsonWithReset = (account: Account) => ({
  ...accountJson(account),
  credits_reset_at: isoSecondsOrNull(account.creditsResetAt),
});

/** An account for a person, line by line. */
export const accountLines = (account: Account): string =>
  labelled([
    ["E-mail", account.email],
    ["Id", account.id],
    ["Plan", account.plan],
    ["Credits", `${grouped(account.credits)}, ${refillText(account)}`],
    ["State", accountState(account)],
  ]);

const refillText = ({ creditsResetAt }: Account): string =>
  creditsResetAt === null ? "refills when the late payment is made" : `refills ${isoSeconds(creditsResetAt)}`;

/** `active`, `disabled`, with `, owner` where it is one, and `, address not proved` where that is so. */
export const accountState = ({ disabledAt, isOwner, emailProvedAt }: Account): string =>
  [
    disabledAt === null ? "active" : "disabled",
    ...(isOwner ? ["owner"] : []),
    ...(emailProvedAt === null ? ["address not proved"] : []),
  ].join(", ");
