import fc from "fast-check";
import type { PlanName } from "./model.ts";
import {
  CHANGE_WAYS,
  type ChangeHow,
  DAY_MS,
  type PaidPlan,
  SUBSCRIBE_WAYS,
  type SubscribeHow,
  type World,
} from "./provider-world.ts";

/** What is done at the provider by a word alone. */
const ACTS: Readonly<Record<string, (world: World, nowMs: number) => void>> = {
  pay: (world) => world.pay(),
  "the card fails": (world) => world.setCard(false),
  "the card works": (world) => world.setCard(true),
  "a credit is given": (world) => world.setCredit(),
  "give up": (world) => world.set({ status: "canceled" }, "customer.subscription.deleted"),
  "leave unpaid": (world) => world.set({ status: "unpaid" }),
  "pause collection": (world) => world.set({ isPaused: true }),
  "resume collection": (world) => world.set({ isPaused: false }),
  "pause the trial": (world) => world.set({ status: "paused" }),
  activate: (world) => world.set({ status: "active" }),
  "cancel at the end": (world) => world.set({ endsAtPeriodEnd: true }),
  keep: (world) => world.set({ endsAtPeriodEnd: false }),
  "try again": (world, nowMs) =>
    world.set({ status: "trialing", startMs: nowMs, endMs: nowMs + 14 * DAY_MS, invoice: null }),
};

/** A step that happens at the provider; `isTold`: all events that wait come at once. */
export type ProviderStep = { readonly isTold: boolean } & ProviderPart;

type ProviderPart =
  | { readonly what: "subscribe"; readonly plan: PaidPlan; readonly how: SubscribeHow }
  | { readonly what: "change"; readonly plan: PaidPlan; readonly how: ChangeHow }
  | { readonly what: "act"; readonly act: string }
  | { readonly what: "quantity"; readonly quantity: number };

/** A step by which something reaches the service. */
export type ServiceStep =
  | { readonly what: "wait"; readonly ms: number; readonly isTold: boolean }
  /** An event that waits comes, so many times at the same moment. */
  | { readonly what: "deliver"; readonly which: number; readonly times: number }
  /** One that came before comes again. */
  | { readonly what: "repeat"; readonly which: number }
  | { readonly what: "deliver all"; readonly isReversed: boolean }
  | { readonly what: "tidy" }
  | { readonly what: "charge"; readonly cost: number }
  | { readonly what: "set plan"; readonly plan: PlanName }
  | { readonly what: "set credits"; readonly credits: number };

/** One step of a sequence. */
export type Step = ProviderStep | ServiceStep;

const PROVIDER_STEPS: readonly string[] = ["subscribe", "change", "act", "quantity"];
export const isAtProvider = (step: Step): step is ProviderStep => PROVIDER_STEPS.includes(step.what);

/** Does at the provider what a step says. */
export function actAtProvider(step: ProviderStep, world: World, nowMs: number): void {
  switch (step.what) {
    case "subscribe":
      if (world.live() === null) world.subscribe(step.plan, step.how, nowMs);
      return;
    case "change":
      world.change(step.plan, step.how, nowMs);
      return;
    case "quantity":
      world.set({ quantity: step.quantity });
      return;
    case "act":
      ACTS[step.act]?.(world, nowMs);
      return;
    default:
      step satisfies never;
  }
}

const paidPlan = fc.constantFrom("Starter" as const, "Pro" as const, "Enterprise" as const);
const anyPlan = fc.constantFrom("Free" as const, "Starter" as const, "Pro" as const, "Enterprise" as const);
const which = fc.nat(20);
/** Mostly the provider tells at once. */
const isTold = fc.constantFrom(true, true, false);
const HOUR_MS = 3_600_000;
const waitMs = fc.oneof(
  fc.integer({ min: 1, max: 48 }).map((hours) => hours * HOUR_MS),
  fc.constantFrom(7, 8, 14, 23, 30, 31, 45).map((days) => days * DAY_MS),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ what: fc.constant("wait" as const), ms: waitMs, isTold }) },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant("subscribe" as const),
      isTold,
      plan: paidPlan,
      how: fc.constantFrom(...SUBSCRIBE_WAYS),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant("change" as const),
      isTold,
      plan: paidPlan,
      how: fc.constantFrom(...CHANGE_WAYS),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      what: fc.constant("act" as const),
      isTold,
      act: fc.constantFrom(...Object.keys(ACTS)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant("quantity" as const),
      isTold,
      quantity: fc.constantFrom(0, 1, 2),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      what: fc.constant("deliver" as const),
      which,
      times: fc.constantFrom(1, 1, 1, 2),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("repeat" as const), which }) },
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constant("deliver all" as const), isReversed: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.constant({ what: "tidy" as const }) },
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant("charge" as const),
      cost: fc.constantFrom(1, 99, 20_000, 79_999, 290_000, 1_200_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("set plan" as const), plan: anyPlan }) },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant("set credits" as const),
      credits: fc.constantFrom(0, 7, 100_000),
    }),
  },
);

const first = fc.record({
  what: fc.constant("subscribe" as const),
  plan: paidPlan,
  how: fc.constantFrom(...SUBSCRIBE_WAYS),
  isTold,
});
const others = fc.array(step, { minLength: 8, maxLength: 24, size: "max" });

/** Sequences of steps, from a new Free account on: a first purchase, and whatever comes then. */
export const sequences: fc.Arbitrary<readonly Step[]> = fc
  .tuple(first, others)
  .map(([purchase, rest]) => [purchase, ...rest]);
