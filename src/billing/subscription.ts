import { z } from "zod";
import { type ProviderInvoice, readInvoice } from "./invoice.ts";

const id = z.union([z.string(), z.object({ id: z.string() }).transform((whole) => whole.id)]);

/** What is read of a subscription of the provider's; the rest is ignored. The period stands on the item. */
const providerShape = z.object({
  id: z.string(),
  status: z.string(),
  customer: id,
  cancel_at_period_end: z.boolean().nullish(),
  cancel_at: z.number().nullish(),
  current_period_start: z.number().nullish(),
  current_period_end: z.number().nullish(),
  pause_collection: z.object({}).nullish(),
  latest_invoice: z.unknown(),
  metadata: z.record(z.string(), z.string()).nullish(),
  items: z.object({
    data: z.array(
      z.object({
        price: z.object({ id: z.string() }),
        quantity: z.number().nullish(),
        current_period_start: z.number().nullish(),
        current_period_end: z.number().nullish(),
      }),
    ),
  }),
});

/** A subscription as the provider tells of it now. */
export type ProviderSubscription = {
  readonly id: string;
  /** The provider's word. */
  readonly status: string;
  readonly customerId: string;
  /** What we wrote into it; null for one that was made elsewhere. */
  readonly accountId: string | null;
  readonly items: readonly { readonly priceId: string; readonly quantity: number }[];
  /** The provider collects no payments for it at present. */
  readonly isPaused: boolean;
  /** Of the period that was invoiced last, whether or not it was paid. */
  readonly currentPeriodStart: Date | null;
  readonly currentPeriodEnd: Date | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly latestInvoice: ProviderInvoice | null;
};

/** Reads a subscription. Throws ZodError when it is none. */
export function readSubscription(value: unknown): ProviderSubscription {
  const read = providerShape.parse(value);
  const items = read.items.data;
  const start = latest(
    items.map((item) => item.current_period_start),
    read.current_period_start,
  );
  const end = latest(
    items.map((item) => item.current_period_end),
    read.current_period_end,
  );
  const isCancelledAt = read.cancel_at != null && end !== null && read.cancel_at * 1000 <= end.getTime();
  return {
    id: read.id,
    status: read.status,
    customerId: read.customer,
    accountId: read.metadata?.["account_id"] ?? null,
    // A price without a quantity is metered: there is one of it.
    items: items.map(({ price, quantity }) => ({ priceId: price.id, quantity: quantity ?? 1 })),
    isPaused: read.pause_collection != null,
    currentPeriodStart: start,
    currentPeriodEnd: end,
    cancelAtPeriodEnd: read.cancel_at_period_end === true || isCancelledAt,
    latestInvoice: readInvoice(read.latest_invoice),
  };
}

type Seconds = number | null | undefined;

/** Of the items' times the latest; older versions of the provider's interface have one for all. */
function latest(ofItems: readonly Seconds[], ofAll: Seconds): Date | null {
  const known = ofItems.flatMap((seconds) => seconds ?? []);
  const seconds = known.length > 0 ? Math.max(...known) : ofAll;
  return seconds == null ? null : new Date(seconds * 1000);
}
