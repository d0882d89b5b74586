import { MAX_CREDITS } from "../accounts/account-store.ts";
import { InvalidValue } from "../base/failure.ts";
import { changingAccount } from "./accounts.ts";

/** `repute account set-credits`. */
export const command = changingAccount(
  { examples: ["repute account set-credits ann@example.com 5000"], page: "operations.md#plans-and-payments" },
  (email, text) => {
    const credits = parseCredits(text);
    return (accounts) => accounts.setCredits({ email, credits });
  },
  { name: "credits", summary: "The new balance, a whole number" },
);

function parseCredits(text: string): number {
  if (/^\d{1,13}$/.test(text)) return Number(text);
  throw new InvalidValue(
    "credits_malformed",
    `Expected a whole number of credits from 0 to ${MAX_CREDITS}, found "${text.slice(0, 80)}"`,
  );
}
