import { z } from "zod";

const providerShape = z.object({
  id: z.string(),
  status: z.string().nullish(),
  created: z.number(),
  total: z.number(),
  amount_paid: z.number(),
  lines: z.object({
    data: z.array(
      z.object({
        amount: z.number(),
        period: z.object({ start: z.number() }),
        pricing: z
          .object({
            price_details: z
              .object({
                price: z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]),
              })
              .nullish(),
          })
          .nullish(),
        parent: z
          .object({ subscription_item_details: z.object({ proration: z.boolean() }).nullish() })
          .nullish(),
      }),
    ),
  }),
});

/** An invoice as the provider tells of it now. */
export type ProviderInvoice = {
  readonly id: string;
  readonly createdAt: Date;
  readonly isPaid: boolean;
  /**
   * Paid with money to the last cent. Not when a credit paid for part of it: a plan that was given back can be bought with
   * its own credit any number of times.
   */
  readonly isPaidInFull: boolean;
  /** What was bought for whole periods; no parts of one. */
  readonly periods: readonly { readonly priceId: string; readonly start: Date }[];
};

/** Reads an invoice; null for what is none, such as a name alone. */
export function readInvoice(value: unknown): ProviderInvoice | null {
  const parsed = providerShape.safeParse(value);
  if (!parsed.success) return null;
  const { id, status, created, total, amount_paid: amountPaid, lines } = parsed.data;
  const isPaid = status === "paid";
  return {
    id,
    createdAt: new Date(created * 1000),
    isPaid,
    isPaidInFull: isPaid && total > 0 && amountPaid >= total && lines.data.every(({ amount }) => amount >= 0),
    periods: lines.data.flatMap(({ period, pricing, parent }) => {
      const priceId = pricing?.price_details?.price;
      const isPart = parent?.subscription_item_details?.proration === true;
      return priceId === undefined || isPart ? [] : [{ priceId, start: new Date(period.start * 1000) }];
    }),
  };
}
