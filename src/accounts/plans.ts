import { InvalidValue } from "../base/failure.ts";
import type { PlanName } from "./accounts.ts";

export type Plan = {
  readonly name: PlanName;
  readonly creditsPerMonth: number;
  /** Requests a second on one endpoint, and in flight at once on it; interface 8.3. */
  readonly requestsPerSecond: number;
  readonly maxApiKeys: number;
  /** Tax included. */
  readonly priceUsdPerMonth: number;
};

/** The plans, smallest first. Source: interface 8.1. */
export const PLANS: readonly Plan[] = [
  { name: "Free", creditsPerMonth: 100, requestsPerSecond: 2, maxApiKeys: 2, priceUsdPerMonth: 0 },
  { name: "Starter", creditsPerMonth: 80_000, requestsPerSecond: 30, maxApiKeys: 5, priceUsdPerMonth: 19.99 },
  { name: "Pro", creditsPerMonth: 300_000, requestsPerSecond: 60, maxApiKeys: 10, priceUsdPerMonth: 49.99 },
  {
    name: "Enterprise",
    creditsPerMonth: 1_500_000,
    requestsPerSecond: 100,
    maxApiKeys: 25,
    priceUsdPerMonth: 199.99,
  },
];

const BY_NAME: ReadonlyMap<string, Plan> = new Map(PLANS.map((plan) => [plan.name, plan]));

/** A plan's row of the table. */
export function planOf(name: PlanName): Plan {
  return parsePlan(name);
}

/** The plan of a name, in any case. Throws InvalidValue (`plan_unknown`) that lists the names. */
export function parsePlan(text: string): Plan {
  const plan = BY_NAME.get(text) ?? PLANS.find(({ name }) => name.toLowerCase() === text.toLowerCase());
  if (plan !== undefined) return plan;
  const names = PLANS.map(({ name }) => name).join(", ");
  throw new InvalidValue("plan_unknown", `Unknown plan "${text}": expected one of ${names}`);
}
