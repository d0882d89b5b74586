import { InvalidValue } from "../failure.ts";
import { accountLines, withAccounts } from "./accounts.ts";
import { defineCommand } from "./command.ts";

/** `repute account set-credits`. */
export const accountSetCredits = defineCommand({
  arguments: [
    { name: "email", summary: "E-mail of the account" },
    { name: "credits", summary: "The new balance, a whole number" },
  ],
  run: async ({ argument }, context) => {
    const wish = { email: argument("email"), credits: parseCredits(argument("credits")) };
    context.print(accountLines(await withAccounts(context, (accounts) => accounts.setCredits(wish))));
    return 0;
  },
});

function parseCredits(text: string): number {
  if (/^\d{1,13}$/.test(text)) return Number(text);
  throw new InvalidValue(
    "credits_malformed",
    `Expected a whole number of credits, found "${text.slice(0, 80)}"`,
  );
}
