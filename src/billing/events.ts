import { z } from "zod";

// PostgreSQL takes no U+0000, and no name of theirs holds a control character.
const name = z.string().regex(/^\P{Cc}*$/u);

const reference = z
  .union([name, z.object({ id: name }).transform((whole) => whole.id)])
  .nullish()
  .transform((value) => value ?? null);

const eventShape = z.object({
  id: name.min(1).max(255),
  type: name.min(1).max(255),
  data: z.object({ object: z.looseObject({ id: name.nullish() }) }),
});

const checkoutShape = z.looseObject({
  client_reference_id: name.nullish(),
  customer: reference,
  subscription: reference,
});

const invoiceShape = z.looseObject({
  customer: reference,
  subscription: reference,
  parent: z
    .looseObject({ subscription_details: z.looseObject({ subscription: reference }).nullish() })
    .nullish(),
});

const subscriptionShape = z.looseObject({ id: name, customer: reference });

/** What an event is about, by its names alone: how things stand is asked afresh. */
export type BillingEvent = {
  readonly id: string;
  readonly type: string;
  readonly subscriptionId: string | null;
  readonly customerId: string | null;
  /** The account that a checkout was begun for. */
  readonly accountId: string | null;
};

/** Reads an event; null for one of a kind that changes nothing here. Throws ZodError for what is no event. */
export function readEvent(value: unknown): BillingEvent | null {
  const { id, type, data } = eventShape.parse(value);
  const about = aboutOf(type, data.object);
  return about === null ? null : { id, type, accountId: null, ...about };
}

type About = Pick<BillingEvent, "subscriptionId" | "customerId"> & { readonly accountId?: string | null };

function aboutOf(type: string, object: object): About | null {
  if (type.startsWith("checkout.session.")) {
    const { client_reference_id: accountId, customer, subscription } = checkoutShape.parse(object);
    const about = { subscriptionId: subscription, customerId: customer, accountId: accountId ?? null };
    return subscription === null ? null : about;
  }
  if (type.startsWith("customer.subscription.")) {
    const { id, customer } = subscriptionShape.parse(object);
    return { subscriptionId: id, customerId: customer };
  }
  if (type.startsWith("invoice.")) {
    const { customer, subscription, parent } = invoiceShape.parse(object);
    const subscriptionId = parent?.subscription_details?.subscription ?? subscription;
    return subscriptionId === null ? null : { subscriptionId, customerId: customer };
  }
  if (type === "customer.deleted") {
    return { subscriptionId: null, customerId: z.looseObject({ id: name }).parse(object).id };
  }
  return null;
}
