import { accountLines, withAccounts } from "./accounts.ts";
import { defineCommand } from "./command.ts";

/** `repute account enable`. */
export const accountEnable = defineCommand({
  arguments: [{ name: "email", summary: "E-mail of the account" }],
  run: async ({ argument }, context) => {
    const wish = { email: argument("email"), isDisabled: false };
    context.print(accountLines(await withAccounts(context, (accounts) => accounts.setDisabled(wish))));
    return 0;
  },
});
