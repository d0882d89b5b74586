import { Refusal } from "../base/failure.ts";
import { accountJsonWithReset, accountLines, withAccounts } from "./accounts.ts";
import { defineCommand, JSON_OPTION } from "./command.ts";

/** `repute account show`. */
export const accountShow = defineCommand({
  help: { examples: ["repute account show ann@example.com"], page: "operations.md#accounts-and-passwords" },
  arguments: [{ name: "email", summary: "E-mail of the account" }],
  options: [JSON_OPTION],
  run: async ({ argument, has }, context) => {
    const email = argument("email");
    const account = await withAccounts(context, (accounts) => accounts.findAccount(email));
    if (account === null) throw new Refusal("NOT_FOUND", { message: `There is no account "${email}"` });
    if (has("json")) context.printJson(accountJsonWithReset(account));
    else context.print(accountLines(account));
    return 0;
  },
});
