import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { PLANS } from "../src/accounts/plans.ts";
import { readEvent } from "../src/billing/events.ts";
import { type Page, personPage } from "./dashboard.ts";
import { startStripeServer, type TestStripe } from "./servers/stripe-server.ts";
import { startTestService, type TestService } from "./service.ts";
import { ROOT } from "./source-files.ts";

const PAID = ["Starter", "Pro", "Enterprise"] as const;
const priced = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, `price_${name.toLowerCase()}`]));

describe.each([
  { what: "without a webhook secret", secret: null, prices: PAID, sold: [] },
  { what: "with an empty list of prices", secret: "whsec_test", prices: [], sold: [] },
  {
    what: "with a price for Starter and Pro",
    secret: "whsec_test",
    prices: PAID.slice(0, 2),
    sold: PAID.slice(0, 2),
  },
])("$what", ({ secret, prices, sold }) => {
  let stripe: TestStripe;
  let service: TestService;
  let page: Page;
  beforeAll(async () => {
    stripe = await startStripeServer();
    service = await startTestService({
      file: {
        billing: {
          stripe_secret_key: "sk_test",
          stripe_webhook_secret: secret,
          stripe_api_base: stripe.url,
          prices: priced(prices),
        },
      },
    });
    const account = await service.openAccount({ plan: "Free" });
    page = await personPage(service, account.id);
  });
  afterAll(async () => {
    await service.close();
    await stripe.close();
  });

  test.each(PAID)("a checkout of %s begins only where its payment would give the plan", async (plan) => {
    const before = stripe.checkouts.length;
    const answer = await page.call("POST", "/billing/checkout", { plan });
    const isSold = sold.some((one) => one === plan);
    expect([answer.status, stripe.checkouts.length - before]).toEqual(isSold ? [200, 1] : [409, 0]);
  });

  test("the pages offer those plans and no others", async () => {
    const plans = (await page.call("GET", "/billing")).of("data", "plans");
    const offered = PLANS.map(({ name }) => ({ name, can_buy: sold.some((one) => one === name) }));
    expect(plans).toMatchObject(offered);
    const text = await (await fetch(`${service.address}/pricing`)).text();
    const dollars = [...text.matchAll(/<strong>\$([\d.]+)<\/strong>/g)].map(([, price]) => price);
    const asked = PLANS.filter(({ name }) => sold.some((one) => one === name));
    const wanted = asked.map(({ priceUsdPerMonth }) => priceUsdPerMonth.toFixed(2));
    expect(dollars).toEqual(sold.length === 0 ? [] : ["0", ...wanted]);
    expect(text.includes("does not sell plans")).toBe(sold.length === 0);
  });
});

test("docs/operations.md names the path of the webhook, and events that act", async () => {
  const steps =
    readFileSync(join(ROOT, "docs/operations.md"), "utf8").split("To sell plans by Stripe:")[1] ?? "";
  const text = steps.slice(0, steps.indexOf("```"));
  const kinds = [...text.matchAll(/`((?:checkout|customer|invoice)\.[\w.]+)`/g)].map(
    ([, kind]) => kind ?? "",
  );
  expect(kinds.length).toBeGreaterThan(5);
  for (const type of kinds) {
    const object = { id: "sub_1", subscription: "sub_1", customer: "cus_1", client_reference_id: "a" };
    expect(readEvent({ id: "evt_1", type, data: { object } }), type).not.toBeNull();
  }
  const path = /YOUR_HOST(\/[\w/]+)/.exec(text)?.[1] ?? "";
  const billing = { stripe_secret_key: "sk_test", stripe_webhook_secret: "whsec_test" };
  const service = await startTestService({ file: { billing } });
  onTestFinished(() => service.close());
  // Not signed, but there.
  expect((await fetch(`${service.address}${path}`, { method: "POST", body: "{}" })).status).toBe(400);
  expect(
    PLANS.flatMap(({ priceUsdPerMonth: price }) => (price > 0 ? [`$${price}`] : [])).filter(
      (price) => !text.includes(price),
    ),
  ).toEqual([]);
});
