import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../src/base/clock.ts";
import { DAY_MS } from "../src/base/durations.ts";
import { personPage } from "./dashboard.ts";
import { forEachDatabase } from "./databases.ts";
import { invoiceOf, type SubscriptionParts } from "./servers/stripe-objects.ts";
import { startStripeServer, type TestStripe } from "./servers/stripe-server.ts";
import { callPatiently, startTestService, type TestAccount, type TestService } from "./service.ts";

const PRICES = { Starter: "price_starter", Pro: "price_pro", Enterprise: "price_enterprise" };
const WEBHOOK = "/api/billing/webhook";
const inDays = (days: number): Date => new Date(systemClock.now().getTime() + days * DAY_MS);

forEachDatabase(
  (dialect, database) => {
    let stripe: TestStripe;
    let service: TestService;
    let account: TestAccount;
    let people = 0;
    const names = { subscription: "", customer: "" };
    beforeAll(async () => {
      stripe = await startStripeServer();
      const billing = {
        stripe_secret_key: "sk_test_verysecretindeed",
        stripe_webhook_secret: stripe.webhookSecret,
        stripe_api_base: stripe.url,
        prices: PRICES,
      };
      const url = dialect === "postgres" ? { databaseUrl: database.url() } : {};
      service = await startTestService({ ...url, file: { billing } });
      stripe.sendEventsTo(`${service.address}${WEBHOOK}`);
    });
    afterAll(async () => {
      const log = service.logged();
      await service.close();
      await stripe.close();
      expect(log).not.toContain("verysecretindeed");
      expect(log).not.toContain(stripe.webhookSecret);
    });
    beforeEach(async () => {
      account = await service.openAccount({ plan: "Free" });
      people++;
      names.subscription = `sub_of_${people}`;
      names.customer = `cus_of_${people}`;
    });

    const put = (parts: SubscriptionParts = {}, id = names.subscription) =>
      stripe.put(id, { customer: names.customer, accountId: account.id, ...parts });
    const tell = (type: string, object: object = { id: names.subscription, customer: names.customer }) =>
      stripe.deliver(stripe.event(type, object));
    const updated = () => tell("customer.subscription.updated");
    const now = async () => {
      const wish = { method: "GET", path: "/api/account/subscription", key: account.key };
      const answer = await callPatiently(service, wish);
      return JSON.parse(answer.text).data;
    };

    test.each([
      ["subscription", { id: "sub_\0", customer: "cus_1" }],
      ["customer", { id: "sub_1", customer: "cus_\0" }],
    ])("a signed event with U+0000 in the name of its %s is no event", async (_what, object) => {
      expect(await tell("customer.subscription.updated", object)).toBe(422);
    });

    describe("the status of a subscription and its plan", () => {
      const TABLE: readonly (readonly [SubscriptionParts, string, string | null])[] = [
        [{ status: "active" }, "Pro", "active"],
        [{ status: "trialing" }, "Pro", "trialing"],
        [
          { status: "past_due", price: "price_starter", currentPeriodStart: inDays(-6) },
          "Starter",
          "past_due",
        ],
        [{ status: "past_due", price: "price_starter", currentPeriodStart: inDays(-8) }, "Free", null],
        [{ status: "past_due", price: "price_pro" }, "Starter", "past_due"],
        [{ status: "past_due", price: "price_unknown" }, "Starter", "past_due"],
        [{ status: "active", quantity: 0 }, "Free", null],
        [{ status: "trialing", quantity: 0 }, "Free", null],
        [{ status: "past_due", price: "price_starter", quantity: 0 }, "Free", null],
        [{ status: "active", quantity: 3 }, "Pro", "active"],
        [{ status: "active", isPaused: true }, "Free", null],
        [{ status: "trialing", isPaused: true }, "Free", null],
        [{ status: "active", price: "price_unknown", isPaused: true }, "Starter", "active"],
        [{ status: "incomplete" }, "Starter", "incomplete"],
        [{ status: "canceled" }, "Free", null],
        [{ status: "unpaid" }, "Free", null],
        [{ status: "incomplete_expired" }, "Free", null],
        [{ status: "paused" }, "Free", null],
        [{ status: "something_new" }, "Starter", "something_new"],
        [{ status: "active", price: "price_unknown" }, "Starter", "active"],
      ];
      test.each(TABLE)("%o makes Starter %s, billing_status %s", async (parts, plan, word) => {
        await service.accounts.setPlan({ email: account.email, plan: "Starter" });
        put(parts);
        expect(await updated()).toBe(200);
        expect(await now()).toMatchObject({ plan, billing_status: word });
      });

      test("cancel_at_period_end keeps the plan until the end of the term, then Free", async () => {
        const end = inDays(10);
        put({ status: "active", cancelAtPeriodEnd: true, currentPeriodEnd: end });
        await updated();
        expect(await now()).toMatchObject({
          plan: "Pro",
          cancel_at_period_end: true,
          current_period_end: `${end.toISOString().slice(0, 19)}Z`,
        });
        put({ status: "canceled" });
        await tell("customer.subscription.deleted");
        expect(await now()).toMatchObject({
          plan: "Free",
          cancel_at_period_end: false,
          current_period_end: null,
        });
      });

      test("a renewal changes no balance; an upgrade adds what its grant is above the cycle's, once paid for a period all of it", async () => {
        const start = inDays(0);
        put({ price: "price_starter", currentPeriodStart: start });
        await updated();
        await service.accounts.setCredits({ email: account.email, credits: 7 });
        const before = await now();
        const renewed = { currentPeriodStart: inDays(30), currentPeriodEnd: inDays(60) };
        put({
          ...renewed,
          invoice: invoiceOf({ price: "price_starter", start: renewed.currentPeriodStart }),
        });
        await tell("invoice.paid", {
          customer: names.customer,
          parent: { subscription_details: { subscription: names.subscription } },
        });
        const { credits_reset_at: resetAt } = before;
        expect(await now()).toMatchObject({ credits_remaining: 7, credits_reset_at: resetAt });
        put({ price: "price_pro", invoice: null });
        await tell("invoice.paid", { customer: names.customer, subscription: names.subscription });
        expect(await now()).toMatchObject({
          plan: "Pro",
          credits_remaining: 220_007,
          credits_reset_at: resetAt,
        });
        const later = { currentPeriodStart: inDays(60), currentPeriodEnd: inDays(90) };
        const invoice = invoiceOf({ price: "price_enterprise", start: later.currentPeriodStart });
        put({ price: "price_enterprise", ...later, invoice });
        await updated();
        expect(await now()).toMatchObject({ plan: "Enterprise", credits_remaining: 1_500_000 });
      });
    });

    describe("events", () => {
      test("act once each, in the transaction of their effect", async () => {
        put();
        const event = stripe.event("customer.subscription.updated", {
          id: names.subscription,
          customer: names.customer,
        });
        const asked = stripe.asked.length;
        const statuses = await Promise.all([1, 2, 3, 4, 5].map(() => stripe.deliver(event)));
        expect(new Set(statuses)).toEqual(new Set([200]));
        await service.accounts.setPlan({ email: account.email, plan: "Free" });
        const before = stripe.asked.length;
        expect(before).toBeGreaterThan(asked);
        expect(await stripe.deliver(event)).toBe(200);
        expect(stripe.asked.length).toBe(before);
        expect((await now()).plan).toBe("Free");
      });

      test("come in any order: what counts is how things stand now", async () => {
        put({ status: "active", price: "price_enterprise" });
        await tell("customer.subscription.deleted");
        expect((await now()).plan).toBe("Enterprise");
        put({ status: "canceled" });
        await tell("customer.subscription.created");
        expect((await now()).plan).toBe("Free");
      });

      test("that read an old state while another acted read again", async () => {
        put({ price: "price_starter" });
        await updated();
        const { asked, letGo } = stripe.holdNext();
        const slow = updated();
        await asked;
        put({ price: "price_enterprise" });
        expect(await updated()).toBe(200);
        expect((await now()).plan).toBe("Enterprise");
        letGo();
        expect(await slow).toBe(200);
        expect((await now()).plan).toBe("Enterprise");
      });

      test("of unknown kinds, of strangers and without an account are 200", async () => {
        const asked = stripe.asked.length;
        expect(await tell("price.created", { id: "price_1" })).toBe(200);
        expect(await tell("something.else", {})).toBe(200);
        expect(stripe.asked.length).toBe(asked);
        stripe.put("sub_stranger", { customer: "cus_stranger" });
        expect(
          await tell("customer.subscription.updated", { id: "sub_stranger", customer: "cus_stranger" }),
        ).toBe(200);
        stripe.put("sub_else", { customer: "cus_else", accountId: "unknown" });
        expect(await tell("customer.subscription.updated", { id: "sub_else", customer: "cus_else" })).toBe(
          200,
        );
        expect(service.logged()).toContain("names no account of this installation");
      });

      test("a customer who is deleted loses the plan, and buys again as a new one", async () => {
        put();
        await updated();
        stripe.customers.delete(names.customer);
        stripe.remove(names.subscription);
        expect(await tell("customer.deleted", { id: names.customer })).toBe(200);
        expect((await now()).plan).toBe("Free");
        const page = await personPage(service, account.id, `127.0.8.${people}`);
        expect((await page.call("POST", "/billing/checkout", { plan: "Pro" })).status).toBe(200);
        expect(stripe.checkouts.at(-1)?.fields.get("customer")).toBeNull();
      });

      test("of two subscriptions the larger one counts, until it ends", async () => {
        put({ price: "price_pro" });
        await updated();
        const second = `${names.subscription}_b`;
        const about = { id: second, customer: names.customer };
        put({ price: "price_starter" }, second);
        await tell("customer.subscription.created", about);
        expect((await now()).plan).toBe("Pro");
        expect(service.logged()).toContain("two subscriptions at once");
        put({ status: "canceled" }, second);
        await tell("customer.subscription.deleted", about);
        expect((await now()).plan).toBe("Pro");
        put({ status: "canceled" });
        await tell("customer.subscription.deleted");
        expect((await now()).plan).toBe("Free");
      });

      test.each(["price_starter", "price_pro"])(
        "of two the larger one ends, and the other counts (%s)",
        async (price) => {
          put({ price: "price_pro" });
          await updated();
          const second = `${names.subscription}_b`;
          put({ price }, second);
          await tell("customer.subscription.created", { id: second, customer: names.customer });
          expect((await now()).plan).toBe("Pro");
          const first = { id: names.subscription, customer: names.customer };
          const counted = price === "price_pro" ? [second, first.id] : [first.id, second];
          put({ status: "canceled" }, counted[0]);
          await tell("customer.subscription.deleted", { id: counted[0] ?? "", customer: names.customer });
          expect((await now()).plan).toBe(price === "price_pro" ? "Pro" : "Starter");
          put({ status: "canceled" }, counted[1]);
          await tell("customer.subscription.deleted", { id: counted[1] ?? "", customer: names.customer });
          expect((await now()).plan).toBe("Free");
        },
      );

      test("while the provider is away they are 503, forgotten, and act when they come again", async () => {
        put();
        const event = stripe.event("customer.subscription.updated", {
          id: names.subscription,
          customer: names.customer,
        });
        stripe.failWith(500);
        expect(await stripe.deliver(event)).toBe(503);
        stripe.failWith(null);
        expect((await now()).plan).toBe("Free");
        expect(await stripe.deliver(event)).toBe(200);
        expect((await now()).plan).toBe("Pro");
      });
    });

    describe("signatures", () => {
      const post = (body: string, signature: string | readonly string[] | null) =>
        service.call({
          path: WEBHOOK,
          body,
          headers: signature === null ? {} : { "stripe-signature": signature },
        });

      test("a forged, old, absent or other call changes nothing and asks no provider", async () => {
        put();
        const about = { id: names.subscription, customer: names.customer };
        const body = JSON.stringify(stripe.event("customer.subscription.updated", about));
        const good = stripe.sign(body);
        const nowS = Math.floor(systemClock.now().getTime() / 1000);
        const asked = stripe.asked.length;
        const cases: readonly (readonly [string, string | readonly string[] | null])[] = [
          [body, null],
          [body, ""],
          [body, stripe.sign(body, { secret: "whsec_other" })],
          [body, stripe.sign(body, { secret: "" })],
          [body, stripe.sign(body, { atS: nowS - 310 })],
          [body, stripe.sign(body, { atS: nowS + 310 })],
          [body, good.replace("v1=", "v0=")],
          [body, good.replace(/v1=./, "v1=")],
          [body, good.replace(/t=\d+/, `t=${nowS - 1}`)],
          [`${body} `, good],
          [body.replace("updated", "deleted"), good],
          [body, [good, good]],
          ["", good],
          ["not json", good],
        ];
        for (const [text, signature] of cases) {
          const answer = await post(text, signature);
          expect([signature, answer.status]).toEqual([signature, 400]);
          expect(answer.of("errors")).toMatchObject([{ code: "SIGNATURE_INVALID" }]);
        }
        expect(stripe.asked.length).toBe(asked);
        expect((await now()).plan).toBe("Free");
        expect((await post(body, good)).status).toBe(200);
        expect((await now()).plan).toBe("Pro");
      });

      test("a signed call that is no event is 422, and too large a body 413", async () => {
        for (const body of ["{}", "[]", '{"id":5}', "{"])
          expect((await post(body, stripe.sign(body))).status).toBe(422);
        const large = "x".repeat(1_048_577);
        expect((await post(large, stripe.sign(large))).status).toBe(413);
      });
    });

    describe("buying", () => {
      const page = () => personPage(service, account.id, `127.0.9.${people}`);

      test("a first plan: one checkout for two clicks, its account and its way back", async () => {
        const buyer = await page();
        const before = await buyer.call("GET", "/billing");
        expect(before.of("data")).toMatchObject({ is_on: true, has_subscription: false });
        const made = stripe.checkouts.length;
        const clicks = await Promise.all(
          [1, 2].map(() => buyer.call("POST", "/billing/checkout", { plan: "Pro" })),
        );
        expect(clicks[0]?.of("data")).toEqual(clicks[1]?.of("data"));
        expect(stripe.checkouts.length).toBe(made + 1);
        const { fields, url } = stripe.checkouts.at(-1) ?? { fields: new URLSearchParams(), url: "" };
        expect(Object.fromEntries(fields)).toMatchObject({
          mode: "subscription",
          client_reference_id: account.id,
          customer_email: account.email,
          "line_items[0][price]": "price_pro",
          success_url: `${service.address}/app/billing?checkout=done`,
          cancel_url: `${service.address}/app/billing?checkout=cancelled`,
        });
        const paid = await fetch(url, { method: "POST", redirect: "manual" });
        expect(paid.headers.get("location")).toBe(`${service.address}/app/billing?checkout=done`);
        expect((await buyer.call("GET", "/billing")).of("data")).toMatchObject({
          has_subscription: true,
          subscription: { plan: "Pro", billing_status: "active", credits_remaining: 300_000 },
        });
        expect((await buyer.call("POST", "/billing/checkout", { plan: "Starter" })).status).toBe(409);
        const portal = await buyer.call("POST", "/billing/portal");
        expect(portal.of("data", "url")).toContain(`${stripe.url}/portal/`);
      });

      test("the customer of before is the customer of now", async () => {
        put({ status: "canceled" });
        await updated();
        await (await page()).call("POST", "/billing/checkout", { plan: "Starter" });
        expect(stripe.checkouts.at(-1)?.fields.get("customer")).toBe(names.customer);
      });

      test("nothing to change in the portal without a customer; nothing sold that has no price", async () => {
        const buyer = await page();
        expect((await buyer.call("POST", "/billing/portal")).status).toBe(409);
        expect((await buyer.call("POST", "/billing/checkout", { plan: "Free" })).status).toBe(409);
        expect((await buyer.call("POST", "/billing/checkout", { plan: "Gold" })).status).toBe(422);
        stripe.failWith(500);
        const answer = await buyer.call("POST", "/billing/checkout", { plan: "Pro" });
        stripe.failWith(null);
        expect([answer.status, answer.of("errors")]).toMatchObject([503, [{ code: "SERVICE_UNAVAILABLE" }]]);
      });
    });
  },
  { lasting: true },
);

describe("without keys", () => {
  test("the webhook does not exist, and the page says that plans are set by the operator", async () => {
    const service = await startTestService();
    try {
      expect((await service.call({ path: WEBHOOK, body: "{}" })).status).toBe(404);
      const account = await service.openAccount();
      const page = await personPage(service, account.id);
      const billing = await page.call("GET", "/billing");
      expect(billing.of("data", "is_on")).toBe(false);
      expect(JSON.parse(billing.text).data.plans).toHaveLength(4);
      expect((await page.call("POST", "/billing/checkout", { plan: "Pro" })).status).toBe(409);
      expect((await page.call("POST", "/billing/portal")).status).toBe(409);
    } finally {
      await service.close();
    }
  });
});
