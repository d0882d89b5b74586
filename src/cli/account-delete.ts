import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { normaliseEmail } from "../accounts/account-rows.ts";
import { Refusal } from "../base/failure.ts";
import { withAccounts } from "./accounts.ts";
import { type CliContext, defineCommand } from "./command.ts";

/** `repute account delete`. At a terminal it asks first; a program is not asked. */
export const command = defineCommand({
  help: {
    examples: ["repute account delete ann@example.com --yes"],
    page: "operations.md#keys-export-and-deletion",
  },
  arguments: [{ name: "email", summary: "E-mail of the account" }],
  options: [{ flags: "--yes", summary: "Do not ask at a terminal" }],
  run: async ({ argument, has }, context) => {
    const email = argument("email");
    if (!has("yes") && context.terminal !== null) await confirm(email, context);
    const { file } = await context.config();
    const { deleteAccount } = await import("../accounts/delete-account.ts");
    const { createLedger } = await import("../accounts/ledger/ledger.ts");
    const { mayCollect } = await import("../billing/entitlement.ts");
    const rules = { mayCollect, owners: file.dashboard.owners };
    const account = await withAccounts(context, async (_accounts, db) => {
      const wish = { email, actor: "cli" };
      const { clock } = db;
      const deleted = await deleteAccount(wish, rules, { db, clock, random: context.random });
      const log = { error: () => undefined };
      await createLedger({ db, clock, log, usage: file.usage }).forgetDeleted();
      return deleted;
    });
    context.print(`Deleted ${account.email}`);
    return 0;
  },
});

/** Throws CONFLICT unless the e-mail is typed once more. */
async function confirm(email: string, { printPiece, stdin }: CliContext): Promise<void> {
  printPiece(
    "This deletes the account with its keys, sessions and history, and cannot be undone.\n" +
      "Type its e-mail address to go on: ",
  );
  const typed = await firstLine(stdin());
  if (typed !== null && normaliseEmail(typed) === normaliseEmail(email)) return;
  throw new Refusal("CONFLICT", { message: "This is not its e-mail address: nothing was deleted" });
}

/** Null: the input ended without a line. */
async function firstLine(input: Readable): Promise<string | null> {
  for await (const line of createInterface({ input })) return line;
  return null;
}
