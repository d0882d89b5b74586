import { afterAll, beforeAll, expect, test } from "vitest";
import { formatDate } from "../../web/ui/format.ts";
import { startStripeServer, type TestStripe } from "../servers/stripe-server.ts";
import { type DashboardWorld, openDashboardWorld } from "./dashboard-world.ts";

let stripe: TestStripe;
let world: DashboardWorld;
beforeAll(async () => {
  stripe = await startStripeServer();
  world = await openDashboardWorld({
    file: {
      billing: {
        stripe_secret_key: "sk_test_browser",
        stripe_webhook_secret: stripe.webhookSecret,
        stripe_api_base: stripe.url,
        prices: { Starter: "price_starter", Pro: "price_pro", Enterprise: "price_enterprise" },
      },
    },
  });
  stripe.sendEventsTo(`${world.service.address}/api/billing/webhook`);
});
afterAll(async () => {
  await world.close();
  await stripe.close();
});

test("where plans are sold, their prices stand on the public page", async () => {
  const visitor = await world.newVisitor();
  const { page, visit } = visitor;
  await visit("/pricing");
  expect(await page.locator("h1").innerText()).toBe("Pricing");
  expect(await page.locator(".plan-price strong").allInnerTexts()).toEqual([
    "$0",
    "$19.99",
    "$49.99",
    "$199.99",
  ]);
  expect(await page.getByText("does not sell plans").count()).toBe(0);
  expect(await page.getByRole("link", { name: "Open the dashboard" }).count()).toBe(1);
  expect(await visitor.inspect()).toEqual([]);
  expect(await visitor.picture("pricing-sold")).toEqual([]);
  await page.getByRole("link", { name: "Sign up" }).click();
  await page.getByRole("heading", { name: "Sign up" }).waitFor();
  await visitor.close();
});

test("an upgrade goes through the provider's checkout and comes back to the larger plan", async () => {
  const account = await world.service.openAccount({ plan: "Free" });
  const visitor = await world.signedIn(account, { beside: stripe.url });
  const { page, visit } = visitor;
  await visit("/app/billing");
  expect(await visitor.inspect()).toEqual([]);
  expect(await visitor.picture("billing-free")).toEqual([]);

  // First away without paying: nothing changes, and the page says so.
  await page.getByRole("button", { name: "Upgrade to Pro" }).click();
  await page.getByRole("button", { name: "Pay" }).waitFor();
  await visit("/app/billing?checkout=cancelled");
  await page.getByText("Nothing was bought").waitFor();

  await page.getByRole("button", { name: "Upgrade to Pro" }).click();
  await page.getByRole("button", { name: "Pay" }).click();
  await page.getByText("Thank you, the payment succeeded.").waitFor();
  await page.getByText("The plan is Pro.").waitFor();
  await page.getByRole("row", { name: /^Pro Current/ }).waitFor();
  await page.locator(".person").first().getByText("Pro plan").waitFor();
  expect(new URL(page.url()).search).toBe("");
  expect(await visitor.inspect()).toEqual([]);
  expect(await visitor.picture("billing-paid")).toEqual([]);
  expect((await world.service.accounts.findAccount(account.email))?.plan).toBe("Pro");

  await page.getByRole("button", { name: "Manage subscription" }).click();
  await page.getByText("Nothing to change here.").waitFor();
  expect(await visitor.faults()).toEqual([]);
  await visitor.close();
});

test("a late payment says until when the plan stays, and a subscription that gives none says that it does not", async () => {
  const account = await world.service.openAccount({ plan: "Free" });
  const visitor = await world.signedIn(account, { beside: stripe.url });
  const { page, visit } = visitor;
  await visit("/app/billing");
  await page.getByRole("button", { name: "Upgrade to Starter" }).click();
  await page.getByRole("button", { name: "Pay" }).click();
  await page.getByText("The plan is Starter.").waitFor();
  const id = stripe.checkouts.at(-1)?.subscription ?? "";
  const now = async (status: string, currentPeriodStart: Date) => {
    const standing = stripe.put(id, { status, currentPeriodStart });
    expect(await stripe.deliver(stripe.event("customer.subscription.updated", standing))).toBe(200);
    await visit("/app/billing");
  };
  const start = new Date();
  await now("past_due", start);
  const day = formatDate(new Date(start.getTime() + 7 * 86_400_000).toISOString());
  await page.getByText(`Pay the open invoice by ${day} to keep the plan.`).waitFor();
  for (const status of ["unpaid", "paused"]) {
    await now(status, start);
    await page.getByText("Your subscription gives no plan now: it is unpaid or paused.").waitFor();
    await page.getByRole("button", { name: "Manage subscription" }).waitFor();
  }
  await now("canceled", start);
  await page.getByRole("button", { name: "Upgrade to Starter" }).waitFor();
  expect(await page.getByText(/Pay the open invoice|gives no plan/).count()).toBe(0);
  await visitor.close();
});

test("a plan that was paid, and no event told of, shows when it is asked for again, and is not sold twice", async () => {
  const account = await world.service.openAccount({ plan: "Free" });
  const visitor = await world.signedIn(account, { beside: stripe.url });
  const { page, visit } = visitor;
  await visit("/app/billing");
  await page.getByRole("button", { name: "Upgrade to Pro" }).click();
  await page.getByRole("button", { name: "Pay" }).waitFor();
  stripe.payUnheard(page.url());
  await visit("/app/billing?checkout=done");
  await page.getByText("as soon as the provider confirms the payment").waitFor();
  expect(await page.getByText("the payment succeeded").count()).toBe(0);
  const made = stripe.checkouts.length;
  await page.getByRole("button", { name: "Upgrade to Starter" }).click();
  await page.getByText("There is a subscription already").waitFor();
  await page.getByRole("row", { name: /^Pro Current/ }).waitFor();
  await page.getByRole("button", { name: "Manage subscription" }).waitFor();
  await page.locator(".person").first().getByText("Pro plan").waitFor();
  expect(stripe.checkouts.length).toBe(made);
  expect(await visitor.picture("billing-again")).toEqual([]);
  await visitor.close();
});

test("a provider that is away costs nothing but a sentence", async () => {
  const account = await world.service.openAccount({ plan: "Free" });
  const visitor = await world.signedIn(account, { beside: stripe.url });
  await visitor.visit("/app/billing");
  stripe.failWith(500);
  await visitor.page.getByRole("button", { name: "Upgrade to Starter" }).click();
  await visitor.page.getByRole("alert").waitFor();
  stripe.failWith(null);
  expect(new URL(visitor.page.url()).pathname).toBe("/app/billing");
  await visitor.close();
});
