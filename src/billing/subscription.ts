import { z } from "zod";

const id = z.union([z.string(), z.object({ id: z.string() }).transform((whole) => whole.id)]);

/** What is read of a subscription of the provider's; the rest is ignored. The period's end stands on the item. */
const providerShape = z.object({
  id: z.string(),
  status: z.string(),
  customer: id,
  cancel_at_period_end: z.boolean().nullish(),
  cancel_at: z.number().nullish(),
  current_period_end: z.number().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  items: z.object({
    data: z.array(
      z.object({
        price: z.object({ id: z.string() }),
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
  /** What we wrote into it; null for one that somebody else made. */
  readonly accountId: string | null;
  readonly priceIds: readonly string[];
  readonly currentPeriodEnd: Date | null;
  readonly cancelAtPeriodEnd: boolean;
};

/** Reads a subscription. Throws ZodError when it is none. */
export function readSubscription(value: unknown): ProviderSubscription {
  const read = providerShape.parse(value);
  const ends = read.items.data.flatMap((item) => item.current_period_end ?? []);
  const endS = ends.length > 0 ? Math.max(...ends) : (read.current_period_end ?? null);
  const isCancelledAt = read.cancel_at != null && endS !== null && read.cancel_at <= endS;
  return {
    id: read.id,
    status: read.status,
    customerId: read.customer,
    accountId: read.metadata?.["account_id"] ?? null,
    priceIds: read.items.data.map(({ price }) => price.id),
    currentPeriodEnd: endS === null ? null : new Date(endS * 1000),
    cancelAtPeriodEnd: read.cancel_at_period_end === true || isCancelledAt,
  };
}
