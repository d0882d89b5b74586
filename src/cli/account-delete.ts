import { InvalidValue } from "../base/failure.ts";
import { withAccounts } from "./accounts.ts";
import { defineCommand } from "./command.ts";

/** `repute account delete`. */
export const accountDelete = defineCommand({
  help: {
    examples: ["repute account delete ann@example.com --yes"],
    page: "operations.md#keys-export-and-deletion",
  },
  arguments: [{ name: "email", summary: "E-mail of the account" }],
  options: [{ flags: "--yes", summary: "Confirm: it cannot be undone" }],
  run: async ({ argument, has }, context) => {
    if (!has("yes")) {
      throw new InvalidValue(
        "confirmation_missing",
        "This deletes the account with its keys, sessions and history, and cannot be undone: add --yes",
      );
    }
    const { file } = await context.config();
    const { deleteAccount } = await import("../accounts/delete-account.ts");
    const { createLedger } = await import("../accounts/ledger/ledger.ts");
    const { isLive } = await import("../billing/entitlement.ts");
    const { clock, random } = context;
    const rules = { isSubscriptionLive: isLive, owners: file.dashboard.owners };
    const account = await withAccounts(context, async (_accounts, db) => {
      const wish = { email: argument("email"), actor: "cli" };
      const deleted = await deleteAccount(wish, rules, { db, clock, random });
      const log = { error: () => undefined };
      await createLedger({ db, clock, log, usage: file.usage }).forgetDeleted();
      return deleted;
    });
    context.print(`Deleted ${account.email}`);
    return 0;
  },
});
