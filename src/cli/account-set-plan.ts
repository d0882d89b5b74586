import { PLANS_IN_WORDS } from "../accounts/plans.ts";
import { changingAccount } from "./accounts.ts";

/** `repute account set-plan`. */
export const command = changingAccount(
  { examples: ["repute account set-plan ann@example.com Pro"], page: "operations.md#plans-and-payments" },
  (email, plan) => (accounts) => accounts.setPlan({ email, plan }),
  { name: "plan", summary: PLANS_IN_WORDS },
);
