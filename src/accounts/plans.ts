import { InvalidValue } from "../base/failure.ts";

/** Names of the plans, smallest first. Source: interface 8.1. */
export const PLAN_NAMES = ["Free", "Starter", "Pro", "Enterprise"] as const;
export type PlanName = (typeof PLAN_NAMES)[number];

/** The plan of an account for which nothing is paid, and those that cost. */
export const [FREE_PLAN, ...PAID_PLANS] = PLAN_NAMES;
/** For those who choose one: "A, B or C". */
export const PLANS_IN_WORDS = `${PLAN_NAMES.slice(0, -1).join(", ")} or ${PLAN_NAMES.at(-1)}`;
/** The plan of the first owner. */
export const LARGEST_PLAN = PAID_PLANS[2];

export type Plan = {
  readonly name: PlanName;
  readonly creditsPerMonth: number;
  /** Requests a second on one endpoint, and in flight at once on it; interface 8.3. */
  readonly requestsPerSecond: number;
  readonly maxApiKeys: number;
  /** Tax included. */
  readonly priceUsdPerMonth: number;
};

const TERMS: Readonly<Record<PlanName, Omit<Plan, "name">>> = {
  Free: { creditsPerMonth: 100, requestsPerSecond: 2, maxApiKeys: 2, priceUsdPerMonth: 0 },
  Starter: { creditsPerMonth: 80_000, requestsPerSecond: 30, maxApiKeys: 5, priceUsdPerMonth: 19.99 },
  Pro: { creditsPerMonth: 300_000, requestsPerSecond: 60, maxApiKeys: 10, priceUsdPerMonth: 49.99 },
  Enterprise: {
    creditsPerMonth: 1_500_000,
    requestsPerSecond: 100,
    maxApiKeys: 25,
    priceUsdPerMonth: 199.99,
  },
};

/** The plans, smallest first. */
export const PLANS: readonly Plan[] = PLAN_NAMES.map((name) => ({ name, ...TERMS[name] }));

const BY_NAME: ReadonlyMap<string, Plan> = new Map(PLANS.map((plan) => [plan.name, plan]));

/** A plan's row of the table. */
export function planOf(name: PlanName): Plan {
  return parsePlan(name);
}

/** The plan of a name, in any case. Throws InvalidValue (`plan_unknown`) that lists the names. */
export function parsePlan(text: string): Plan {
  const plan = BY_NAME.get(text) ?? PLANS.find(({ name }) => name.toLowerCase() === text.toLowerCase());
  if (plan !== undefined) return plan;
  throw new InvalidValue("plan_unknown", `Unknown plan "${text}": expected one of ${PLAN_NAMES.join(", ")}`);
}
