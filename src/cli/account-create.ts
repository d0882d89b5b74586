import { FREE_PLAN, PLANS_IN_WORDS } from "../accounts/plans.ts";
import { accountJson, accountLines, withAccounts } from "./accounts.ts";
import { defineCommand, JSON_OPTION } from "./command.ts";

/** `repute account create`. */
export const command = defineCommand({
  help: {
    examples: ["repute account create --email ann@example.com --plan Pro"],
    page: "operations.md#accounts-and-passwords",
  },
  options: [
    { flags: "--email <email>", summary: "E-mail that names the account", isRequired: true },
    { flags: "--plan <plan>", summary: `${PLANS_IN_WORDS}; ${FREE_PLAN} without it` },
    JSON_OPTION,
  ],
  run: async ({ option, has }, context) => {
    const plan = option("plan");
    const wish = { email: option("email") ?? "", ...(plan === null ? {} : { plan }) };
    const account = await withAccounts(context, (accounts) => accounts.createAccount(wish));
    if (has("json")) context.printJson(accountJson(account));
    else context.print(accountLines(account));
    return 0;
  },
});
