import { unknownAccount } from "../accounts/account-rows.ts";
import { accountJsonWithReset, accountLines, withAccounts } from "./accounts.ts";
import { defineCommand, JSON_OPTION } from "./command.ts";

/** `repute account show`. */
export const command = defineCommand({
  help: { examples: ["repute account show ann@example.com"], page: "operations.md#accounts-and-passwords" },
  arguments: [{ name: "email", summary: "E-mail of the account" }],
  options: [JSON_OPTION],
  run: async ({ argument, has }, context) => {
    const email = argument("email");
    const account = await withAccounts(context, async (accounts) => {
      const found = await accounts.findAccount(email);
      if (found === null) throw unknownAccount({ email });
      return found;
    });
    if (has("json")) context.printJson(accountJsonWithReset(account));
    else context.print(accountLines(account));
    return 0;
  },
});
