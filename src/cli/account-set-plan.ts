import { changingAccount } from "./accounts.ts";

/** `repute account set-plan`. */
export const accountSetPlan = changingAccount(
  (email, plan) => (accounts) => accounts.setPlan({ email, plan }),
  { name: "plan", summary: "Free, Starter, Pro or Enterprise" },
);
