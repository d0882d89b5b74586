import { isoSecondsOrNull } from "../base/clock.ts";
import { accountJsonWithReset, accountState, noAccounts, withAccounts } from "./accounts.ts";
import { defineCommand, JSON_OPTION } from "./command.ts";
import { grouped, table } from "./table.ts";

const COLUMNS = [
  { title: "E-MAIL", width: 30 },
  { title: "PLAN", width: 10 },
  { title: "CREDITS", width: 11, isNumber: true },
  { title: "REFILLS", width: 10 },
  { title: "STATE", width: 15 },
];

/** `repute account list`. */
export const command = defineCommand({
  help: {
    examples: ["repute account list", "repute account list --json"],
    page: "operations.md#accounts-and-passwords",
  },
  options: [JSON_OPTION],
  run: async ({ has }, context) => {
    const accounts = await withAccounts(context, (store) => store.listAccounts());
    if (has("json")) context.printJson(accounts.map(accountJsonWithReset));
    else if (accounts.length === 0) context.print(noAccounts(await context.config()));
    else {
      const rows = accounts.map((account) => [
        account.email,
        account.plan,
        grouped(account.credits),
        isoSecondsOrNull(account.creditsResetAt)?.slice(0, 10) ?? "on hold",
        accountState(account),
      ]);
      context.print(table(COLUMNS, rows, context.style));
    }
    return 0;
  },
});
