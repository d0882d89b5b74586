import { accountLines, withAccounts } from "./accounts.ts";
import { defineCommand } from "./command.ts";

/** `repute account disable`. */
export const accountDisable = defineCommand({
  arguments: [{ name: "email", summary: "E-mail of the account" }],
  run: async ({ argument }, context) => {
    const wish = { email: argument("email"), isDisabled: true };
    context.print(accountLines(await withAccounts(context, (accounts) => accounts.setDisabled(wish))));
    return 0;
  },
});
