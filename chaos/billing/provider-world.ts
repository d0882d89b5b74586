import { invoiceOf, type SubscriptionParts } from "../../test/servers/stripe-objects.ts";

export const DAY_MS = 86_400_000;

export type PaidPlan = "Starter" | "Pro" | "Enterprise";
const PRICES: Readonly<Record<PaidPlan, string>> = {
  Starter: "price_starter",
  Pro: "price_pro",
  Enterprise: "price_enterprise",
};

/** Shorter and longer than a credit cycle, as months are. */
const MONTH_MS: Readonly<Record<PaidPlan, number>> = {
  Starter: 28 * DAY_MS,
  Pro: 29 * DAY_MS,
  Enterprise: 31 * DAY_MS,
};

export type WorldInvoice = {
  readonly id: string;
  readonly plan: PaidPlan;
  /** For a whole period, or for what a change costs within one. */
  readonly isWhole: boolean;
  readonly startMs: number;
  readonly createdMs: number;
  readonly status: "paid" | "open" | "void";
  /** What else paid for it: a credit of the customer, or the plan that was given back. Free: it costs nothing. */
  readonly paidBy: "money" | "credit" | "plan" | "nothing";
};

export type WorldSubscription = {
  readonly id: string;
  readonly status: string;
  readonly plan: PaidPlan;
  readonly quantity: number;
  readonly isPaused: boolean;
  readonly startMs: number;
  readonly endMs: number;
  readonly endsAtPeriodEnd: boolean;
  readonly invoice: WorldInvoice | null;
};

const LIVE = ["active", "trialing", "past_due", "unpaid", "paused"];
export const isLiveStatus = (status: string): boolean => LIVE.includes(status);

/** A customer at the provider, whose subscriptions live by the provider's own rules. Each change names its event. */
export type World = {
  readonly all: () => readonly WorldSubscription[];
  readonly live: () => WorldSubscription | null;
  readonly subscribe: (plan: PaidPlan, how: SubscribeHow, nowMs: number) => void;
  readonly change: (plan: PaidPlan, how: ChangeHow, nowMs: number) => void;
  readonly pay: () => void;
  readonly set: (parts: Partial<WorldSubscription>, type?: string) => void;
  readonly setCard: (works: boolean) => void;
  readonly setCredit: () => void;
  /** What happens by the clock: periods end. */
  readonly passTo: (nowMs: number) => void;
};

export const SUBSCRIBE_WAYS = ["paid", "trial", "unpaid first", "invoiced", "with credit"] as const;
export type SubscribeHow = (typeof SUBSCRIBE_WAYS)[number];
export const CHANGE_WAYS = [
  "paid",
  "failed",
  "later",
  "new period",
  "new period failed",
  "given back",
] as const;
export type ChangeHow = (typeof CHANGE_WAYS)[number];

/** `tell` hears of each event, with the subscription that it is about. */
export function createWorld(
  name: string,
  tell: (type: string, subscription: WorldSubscription) => void,
): World {
  let subscriptions: readonly WorldSubscription[] = [];
  let hasCard = true;
  let hasCredit = false;
  let invoices = 0;
  const live = () => subscriptions.find(({ status }) => isLiveStatus(status)) ?? null;
  const write = (next: WorldSubscription, ...types: readonly string[]): void => {
    subscriptions = [...subscriptions.filter(({ id }) => id !== next.id), next];
    for (const type of types) tell(type, next);
  };
  const bill = (wish: Omit<WorldInvoice, "id">): WorldInvoice => ({
    id: `in_${name}_${++invoices}`,
    ...wish,
  });
  const payer = (): WorldInvoice["paidBy"] => {
    const paidBy = hasCredit ? "credit" : "money";
    hasCredit = false;
    return paidBy;
  };
  const renew = (old: WorldSubscription): void => {
    if (old.endsAtPeriodEnd) {
      write({ ...old, status: "canceled" }, "customer.subscription.deleted");
      return;
    }
    const period = { startMs: old.endMs, endMs: old.endMs + MONTH_MS[old.plan] };
    const isBilled = !old.isPaused && old.status !== "unpaid" && old.status !== "paused";
    const isPaid = isBilled && hasCard;
    const invoice = bill({
      ...{ plan: old.plan, isWhole: true, startMs: period.startMs, createdMs: period.startMs },
      status: isPaid ? "paid" : isBilled ? "open" : "void",
      paidBy: old.quantity === 0 ? "nothing" : isPaid ? payer() : "money",
    });
    const status = isBilled
      ? isPaid
        ? "active"
        : "past_due"
      : old.status === "trialing"
        ? "active"
        : old.status;
    const outcome = isPaid ? "invoice.paid" : "invoice.payment_failed";
    write({ ...old, ...period, status, invoice }, "customer.subscription.updated", outcome);
  };
  return {
    all: () => subscriptions,
    live,
    subscribe: (plan, how, nowMs) => {
      const isTrial = how === "trial";
      const period = { startMs: nowMs, endMs: nowMs + (isTrial ? 14 * DAY_MS : MONTH_MS[plan]) };
      const isOpen = how === "unpaid first" || how === "invoiced";
      const invoice = bill({
        ...{ plan, isWhole: true, startMs: nowMs, createdMs: nowMs, status: isOpen ? "open" : "paid" },
        paidBy: isTrial ? "nothing" : how === "with credit" ? "credit" : "money",
      });
      const status = isTrial ? "trialing" : how === "unpaid first" ? "incomplete" : "active";
      const id = `sub_${name}_${subscriptions.length + 1}`;
      const made = {
        id,
        status,
        plan,
        quantity: 1,
        isPaused: false,
        endsAtPeriodEnd: false,
        ...period,
        invoice,
      };
      write(made, "customer.subscription.created", "checkout.session.completed", "invoice.paid");
    },
    change: (plan, how, nowMs) => {
      const old = live();
      if (old === null) return;
      if (how === "later") return write({ ...old, plan }, "customer.subscription.updated");
      const isWhole = how === "new period" || how === "new period failed" || how === "given back";
      const isPaid = how !== "failed" && how !== "new period failed";
      const period = isWhole ? { startMs: nowMs, endMs: nowMs + MONTH_MS[plan] } : {};
      const invoice = bill({
        ...{ plan, isWhole, startMs: nowMs, createdMs: nowMs, status: isPaid ? "paid" : "open" },
        paidBy: how === "given back" ? "plan" : isPaid ? payer() : "money",
      });
      const status = isPaid ? "active" : "past_due";
      const outcome = isPaid ? "invoice.paid" : "invoice.payment_failed";
      write({ ...old, ...period, plan, status, invoice }, "customer.subscription.updated", outcome);
    },
    pay: () => {
      const old = subscriptions.findLast(({ invoice }) => invoice?.status === "open") ?? null;
      if (old?.invoice == null || !["incomplete", "past_due", "active", "unpaid"].includes(old.status))
        return;
      // Of an incomplete one and a live one only one is kept.
      if (old.status === "incomplete" && live() !== null) return;
      write({ ...old, status: "active", invoice: { ...old.invoice, status: "paid" } }, "invoice.paid");
    },
    set: (parts, type = "customer.subscription.updated") => {
      const old = live();
      if (old !== null) write({ ...old, ...parts }, type);
    },
    setCard: (works) => {
      hasCard = works;
    },
    setCredit: () => {
      hasCredit = true;
    },
    passTo: (nowMs) => {
      for (let one = live(); one !== null && one.endMs <= nowMs; one = live()) renew(one);
    },
  };
}

const instant = (ms: number): Date => new Date(ms);

/** A subscription of the world as the loopback server shows it. */
export function partsOf(one: WorldSubscription): SubscriptionParts {
  return {
    status: one.status,
    price: PRICES[one.plan],
    quantity: one.quantity,
    isPaused: one.isPaused,
    currentPeriodStart: instant(one.startMs),
    currentPeriodEnd: instant(one.endMs),
    cancelAtPeriodEnd: one.endsAtPeriodEnd,
    invoice: one.invoice === null ? null : invoiceFrom(one.invoice),
  };
}

const AMOUNT = 4999;

const invoiceFrom = (invoice: WorldInvoice) =>
  invoiceOf({
    id: invoice.id,
    status: invoice.status,
    price: PRICES[invoice.plan],
    start: instant(invoice.startMs),
    created: instant(invoice.createdMs),
    isPart: !invoice.isWhole,
    amount: invoice.paidBy === "nothing" ? 0 : AMOUNT,
    credit: invoice.paidBy === "credit" ? 1000 : 0,
    givenBack: invoice.paidBy === "plan" ? 1000 : 0,
  });
