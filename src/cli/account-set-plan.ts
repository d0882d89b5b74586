import { PLANS_IN_WORDS } from "../accounts/plans.ts";
import { changingAccount } from "./accounts.ts";

/** `repute account set-plan`. */
export const accountSetPlan = changingAccount(
  (email, plan) => (accounts) => accounts.setPlan({ email, plan }),
  { name: "plan", summary: PLANS_IN_WORDS },
);
