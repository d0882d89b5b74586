import { changingAccount } from "./accounts.ts";

/** `repute account set-plan`. */
export const accountSetPlan = changingAccount(
  { examples: ["repute account set-plan ann@example.com Pro"], page: "operations.md#plans-and-payments" },
  (email, plan) => (accounts) => accounts.setPlan({ email, plan }),
  { name: "plan", summary: "Free, Starter, Pro or Enterprise" },
);
