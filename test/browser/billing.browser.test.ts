import { afterAll, beforeAll, expect, test } from "vitest";
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
