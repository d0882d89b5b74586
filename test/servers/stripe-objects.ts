import { randomUUID } from "node:crypto";
import { systemClock } from "../../src/base/clock.ts";

/** An invoice of the provider's, with as much of it as is read here. */
export type TestInvoice = {
  readonly id: string;
  readonly object: "invoice";
  readonly status: string;
  readonly created: number;
  readonly total: number;
  readonly amount_paid: number;
  readonly lines: { readonly object: "list"; readonly data: readonly object[] };
};

export type TestSubscription = {
  readonly id: string;
  readonly object: "subscription";
  readonly status: string;
  readonly customer: string;
  readonly cancel_at_period_end: boolean;
  readonly pause_collection: { readonly behavior: string } | null;
  readonly latest_invoice: TestInvoice | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly items: {
    readonly object: "list";
    readonly data: readonly {
      readonly id: string;
      readonly price: { readonly id: string };
      readonly quantity: number;
      readonly current_period_start: number;
      readonly current_period_end: number;
    }[];
  };
};

export type TestEvent = {
  readonly id: string;
  readonly object: "event";
  readonly type: string;
  readonly data: { readonly object: object };
};

export type SubscriptionParts = {
  readonly status?: string;
  readonly customer?: string;
  readonly price?: string;
  readonly quantity?: number;
  readonly isPaused?: boolean;
  /** Default for a new one: now. */
  readonly currentPeriodStart?: Date;
  /** Default for a new one: a month after its start. */
  readonly currentPeriodEnd?: Date;
  readonly cancelAtPeriodEnd?: boolean;
  readonly accountId?: string;
  readonly invoice?: TestInvoice | null;
};

const MONTH_MS = 30 * 86_400_000;
const secondsOf = (instant: Date): number => Math.floor(instant.getTime() / 1000);

/** A subscription as it stands after a change: parts not given are those of before, or of a new one. */
export function subscriptionOf(
  id: string,
  parts: SubscriptionParts,
  old: TestSubscription | undefined,
): TestSubscription {
  const [item] = old?.items.data ?? [];
  const start =
    parts.currentPeriodStart === undefined
      ? (item?.current_period_start ?? secondsOf(systemClock.now()))
      : secondsOf(parts.currentPeriodStart);
  const end =
    parts.currentPeriodEnd === undefined
      ? (item?.current_period_end ?? start + MONTH_MS / 1000)
      : secondsOf(parts.currentPeriodEnd);
  const accountId = parts.accountId ?? old?.metadata["account_id"];
  const isPaused = parts.isPaused ?? old?.pause_collection != null;
  return {
    id,
    object: "subscription",
    status: parts.status ?? old?.status ?? "active",
    customer: parts.customer ?? old?.customer ?? "cus_1",
    cancel_at_period_end: parts.cancelAtPeriodEnd ?? old?.cancel_at_period_end ?? false,
    pause_collection: isPaused ? { behavior: "void" } : null,
    latest_invoice: parts.invoice === undefined ? (old?.latest_invoice ?? null) : parts.invoice,
    metadata: accountId === undefined ? {} : { account_id: accountId },
    items: {
      object: "list",
      data: [
        {
          id: `si_${id}`,
          price: { id: parts.price ?? item?.price.id ?? "price_pro" },
          quantity: parts.quantity ?? item?.quantity ?? 1,
          current_period_start: start,
          current_period_end: end,
        },
      ],
    },
  };
}

export type InvoiceWish = {
  readonly id?: string;
  /** Default: paid. */
  readonly status?: string;
  readonly price: string;
  /** Start of what is bought: a period, or the part of one that is left. */
  readonly start: Date;
  readonly created?: Date;
  readonly isPart?: boolean;
  /** In cents. Default 4999. */
  readonly amount?: number;
  /** What a credit of the customer's pays of it. */
  readonly credit?: number;
  /** What comes back for a plan that is given up, on a line of its own. */
  readonly givenBack?: number;
};

/** An invoice of one line, or of two when something is given back. */
export function invoiceOf({
  id = `in_${randomUUID()}`,
  status = "paid",
  price,
  start,
  created = start,
  isPart = false,
  amount = 4999,
  credit = 0,
  givenBack = 0,
}: InvoiceWish): TestInvoice {
  const line = (part: boolean, value: number) => ({
    object: "line_item",
    amount: value,
    period: { start: secondsOf(start), end: secondsOf(start) + MONTH_MS / 1000 },
    pricing: { type: "price_details", price_details: { price, product: "prod_1" } },
    parent: { type: "subscription_item_details", subscription_item_details: { proration: part } },
  });
  const total = amount - givenBack;
  const back = givenBack === 0 ? [] : [line(true, -givenBack)];
  return {
    id,
    object: "invoice",
    status,
    created: secondsOf(created),
    total,
    amount_paid: status === "paid" ? Math.max(0, total - credit) : 0,
    lines: { object: "list", data: [line(isPart, amount), ...back] },
  };
}
