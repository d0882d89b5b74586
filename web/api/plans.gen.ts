// Made by `npm run web:types` from src/accounts/plans.ts.
export const PLAN_NAMES = ["Free", "Starter", "Pro", "Enterprise"] as const;
export const [FREE_PLAN] = PLAN_NAMES;
