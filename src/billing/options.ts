import { z } from "zod";
import { FREE_PLAN, PAID_PLANS, PLANS, planOf } from "../accounts/plans.ts";

// As a header carries it: the line break that ends a file of a secret would fail at the first question.
const SECRET_TEXT = /^[\x21-\x7e]*$/;
const EXPECTED = "printable ASCII characters in one line, without blanks";

const secret = z.string().min(1).regex(SECRET_TEXT, `Expected ${EXPECTED}`).nullable().default(null);

/** What a text must be to be a secret of the provider's; null when it is. */
export const billingSecretFault = (text: string): string | null => (SECRET_TEXT.test(text) ? null : EXPECTED);

/** The operator's `billing:`. Source: operating.md, design 14 and 15. */
export const billingOptionsSchema = z.strictObject({
  stripe_secret_key: secret.describe(
    "Stripe's secret key, also from STRIPE_SECRET_KEY; without one billing is off",
  ),
  stripe_webhook_secret: secret.describe(
    "Secret that signs Stripe's events to /api/billing/webhook; without one that path is absent and nothing is sold",
  ),
  prices: z
    .partialRecord(z.enum(PAID_PLANS), z.string().min(1))
    .superRefine((prices, context) => {
      const seen = new Set<string>();
      for (const [plan, price] of Object.entries(prices)) {
        // What was bought could not be told.
        const message = `The price "${price}" is used twice`;
        if (seen.has(price)) context.addIssue({ code: "custom", path: [plan], message });
        seen.add(price);
      }
    })
    .default({})
    .describe(`Plan (${PAID_PLANS.join(", ")}) to Stripe price id; one without is not sold`),
  trial_credits: z
    .int()
    .min(0)
    .max(Math.max(...PLANS.map(({ creditsPerMonth }) => creditsPerMonth)))
    .default(planOf(FREE_PLAN).creditsPerMonth)
    .describe("Credits of a cycle while a subscription is in trial, at most those of its plan"),
  stripe_api_base: z
    .url({ protocol: /^https?$/, error: "Expected an http: or https: URL" })
    .default("https://api.stripe.com")
    .describe("Where Stripe's interface is: scheme, host and port"),
});

export type BillingOptions = z.infer<typeof billingOptionsSchema>;
