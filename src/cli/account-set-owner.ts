import { accountLines, withAccounts } from "./accounts.ts";
import { defineCommand } from "./command.ts";

/** `repute account set-owner`. */
export const accountSetOwner = defineCommand({
  arguments: [{ name: "email", summary: "E-mail of the account" }],
  run: async ({ argument }, context) => {
    const wish = { email: argument("email"), isOwner: true };
    context.print(accountLines(await withAccounts(context, (accounts) => accounts.setOwner(wish))));
    return 0;
  },
});
