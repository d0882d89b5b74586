import { accountLines, withAccounts } from "./accounts.ts";
import { defineCommand } from "./command.ts";

/** `repute account set-plan`. */
export const accountSetPlan = defineCommand({
  arguments: [
    { name: "email", summary: "E-mail of the account" },
    { name: "plan", summary: "Free, Starter, Pro or Enterprise" },
  ],
  run: async ({ argument }, context) => {
    const wish = { email: argument("email"), plan: argument("plan") };
    context.print(accountLines(await withAccounts(context, (accounts) => accounts.setPlan(wish))));
    return 0;
  },
});
