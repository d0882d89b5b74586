import { createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "../../src/base/clock.ts";
import {
  invoiceOf,
  type SubscriptionParts,
  subscriptionOf,
  type TestEvent,
  type TestSubscription,
} from "./stripe-objects.ts";

type Checkout = {
  readonly id: string;
  readonly url: string;
  readonly fields: URLSearchParams;
  status: "open" | "complete" | "expired";
  subscription: string | null;
};

export type TestStripe = {
  /** What `billing.stripe_api_base` is. */
  readonly url: string;
  readonly webhookSecret: string;
  /** Every question so far: method and path. */
  readonly asked: readonly string[];
  readonly checkouts: readonly Checkout[];
  readonly customers: Set<string>;
  /** Pays the checkout with this address, and sends no event. */
  readonly payUnheard: (url: string) => void;
  /** A key that may not read checkouts, or end one. */
  readonly refuseCheckouts: (isRefused: boolean) => void;
  /** Sets how a subscription stands now; parts not given are those of before, or of a new one. */
  readonly put: (id: string, parts?: SubscriptionParts) => TestSubscription;
  readonly remove: (id: string) => void;
  /** The provider's word for how a subscription stands; null: there is none. */
  readonly statusOf: (id: string) => string | null;
  /** Shows a subscription without its items from now on, in a form that cannot be read. */
  readonly garble: (id: string) => void;
  readonly event: (type: string, object: object, id?: string) => TestEvent;
  /** The value of `Stripe-Signature` for a body, as Stripe makes it. */
  readonly sign: (body: string, wish?: { readonly secret?: string; readonly atS?: number }) => string;
  /** Where events of checkouts are sent. */
  readonly sendEventsTo: (webhook: string) => void;
  /** Signs and posts an event; resolves to the status of the answer. */
  readonly deliver: (event: TestEvent, webhook?: string) => Promise<number>;
  /** Holds the next answer about a subscription, as it stands when asked, until it is let go. */
  readonly holdNext: () => { readonly asked: Promise<void>; readonly letGo: () => void };
  /** Fails every question with this status until it is null again. */
  readonly failWith: (status: number | null) => void;
  /** A key of the test mode, by which nothing of the live mode is found: what was made so far is of that. */
  readonly useTestKey: (isUsed: boolean) => void;
  /** A key that may only read: no subscription is cancelled. */
  readonly refuseCancelling: (isRefused: boolean) => void;
  readonly close: () => Promise<void>;
};

/**
 * A loopback server that speaks as much of Stripe's protocol as is used here: checkouts with a page that pays, the
 * portal, subscriptions, and events signed as Stripe signs them.
 */
export async function startStripeServer(): Promise<TestStripe> {
  const state = createState();
  const server = createServer((call, answer) => {
    void readText(call).then((text) => answerCall(state, { call, answer, text }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address() as AddressInfo;
  state.url = `http://127.0.0.1:${address.port}`;
  return {
    url: state.url,
    webhookSecret: state.webhookSecret,
    asked: state.asked,
    checkouts: state.checkouts,
    customers: state.customers,
    payUnheard: (url) => {
      const found = state.checkouts.find((one) => one.url === url && one.status === "open");
      if (found === undefined) throw new Error(`Nothing can be paid at ${url}`);
      complete(state, found);
    },
    refuseCheckouts: (isRefused) => {
      state.hidesCheckouts = isRefused;
    },
    put: (id, parts = {}) => putSubscription(state, id, parts),
    statusOf: (id) => state.subscriptions.get(id)?.status ?? null,
    remove: (id) => void state.subscriptions.delete(id),
    garble: (id) => void state.garbled.add(id),
    event: eventOf,
    sign: (body, wish) => signatureOf(body, { secret: state.webhookSecret, ...wish }),
    sendEventsTo: (webhook) => {
      state.webhook = webhook;
    },
    deliver: (event, webhook = state.webhook) => deliver(state, event, webhook),
    holdNext: () => {
      const asked = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      state.hold = { asked: asked.resolve, released: released.promise };
      return { asked: asked.promise, letGo: released.resolve };
    },
    useTestKey: (isUsed) => {
      state.hasTestKey = isUsed;
    },
    refuseCancelling: (isRefused) => {
      state.isReading = isRefused;
    },
    failWith: (status) => {
      state.failure = status;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type State = ReturnType<typeof createState>;

const createState = () => ({
  url: "",
  webhook: "",
  webhookSecret: `whsec_${randomUUID().replaceAll("-", "")}`,
  isReading: false,
  hasTestKey: false,
  hidesCheckouts: false,
  failure: null as number | null,
  hold: null as { readonly asked: () => void; readonly released: Promise<void> } | null,
  asked: [] as string[],
  checkouts: [] as Checkout[],
  byIdempotencyKey: new Map<string, { readonly fields: string; readonly checkout: Checkout }>(),
  subscriptions: new Map<string, TestSubscription>(),
  garbled: new Set<string>(),
  customers: new Set<string>(),
});

type Exchange = { readonly call: IncomingMessage; readonly answer: ServerResponse; readonly text: string };

async function answerCall(state: State, exchange: Exchange): Promise<ServerResponse> {
  const { call, answer, text } = exchange;
  const path = (call.url ?? "").split("?", 1)[0] ?? "";
  const [, , kind, id = ""] = path.split("/");
  if (path.startsWith("/pay/")) return pay(state, exchange, path.slice("/pay/".length));
  if (path.startsWith("/portal/")) return page(answer, "Test portal", "<p>Nothing to change here.</p>");
  state.asked.push(`${call.method} ${path}`);
  if (state.failure !== null)
    return json(answer, state.failure, { error: { message: "broken", type: "api_error" } });
  if (!/^Bearer sk_/.test(call.headers.authorization ?? "")) {
    return json(answer, 401, {
      error: { message: "Invalid API Key provided", type: "invalid_request_error" },
    });
  }
  const query = new URL(call.url ?? "", state.url).searchParams;
  const fields = new URLSearchParams(text);
  const customer = fields.get("customer") ?? query.get("customer");
  if (state.hasTestKey && customer !== null) return missing(answer, "customer", customer, IN_LIVE_MODE);
  if (state.hasTestKey && id !== "" && id !== "sessions") return missing(answer, "id", id, IN_LIVE_MODE);
  if (path === "/v1/checkout/sessions") return checkout(state, exchange, fields);
  if (path.startsWith("/v1/checkout/sessions/")) {
    return oneCheckout(state, exchange, path.slice("/v1/checkout/sessions/".length).split("/"));
  }
  if (path === "/v1/billing_portal/sessions") {
    const customer = fields.get("customer") ?? "";
    if (!state.customers.has(customer)) return missing(answer, "customer", customer);
    return json(answer, 200, {
      id: "bps_1",
      object: "billing_portal.session",
      url: `${state.url}/portal/${customer}`,
    });
  }
  if (path === "/v1/subscriptions") {
    const data = [...state.subscriptions.values()]
      .filter((one) => one.customer === query.get("customer") && one.status !== "canceled")
      .map((one) => shown(state, expanded(one, query, "data.latest_invoice")));
    return json(answer, 200, { object: "list", data, has_more: false });
  }
  if (call.method === "DELETE") return cancel(state, answer, id);
  const subscription = kind === "subscriptions" ? state.subscriptions.get(id) : undefined;
  const { hold } = state;
  state.hold = null;
  hold?.asked();
  await hold?.released;
  return subscription === undefined
    ? missing(answer, "id", id)
    : json(answer, 200, shown(state, expanded(subscription, query, "latest_invoice")));
}

/** Ends a subscription; one that has ended is unknown, as at the provider. */
function cancel(state: State, answer: ServerResponse, id: string): ServerResponse {
  if (state.isReading) return json(answer, 403, { error: { message: "No", type: "invalid_request_error" } });
  const running = state.subscriptions.get(id);
  if (running === undefined || running.status === "canceled") return missing(answer, "id", id);
  return json(answer, 200, putSubscription(state, id, { status: "canceled" }));
}

const shown = ({ garbled }: State, one: TestSubscription | Unexpanded): object =>
  garbled.has(one.id) ? { ...one, items: null } : one;

type Unexpanded = Omit<TestSubscription, "latest_invoice"> & { readonly latest_invoice: string | null };

/** A subscription with its invoice as a whole where that is asked for, else with its name alone. */
function expanded(
  one: TestSubscription,
  query: URLSearchParams,
  wish: string,
): TestSubscription | Unexpanded {
  const isWhole = [...query].some(([name, value]) => name.startsWith("expand") && value === wish);
  return isWhole ? one : { ...one, latest_invoice: one.latest_invoice?.id ?? null };
}

function checkout(state: State, { call, answer }: Exchange, fields: URLSearchParams): ServerResponse {
  const customer = fields.get("customer");
  if (customer !== null && !state.customers.has(customer)) return missing(answer, "customer", customer);
  const price = fields.get("line_items[0][price]") ?? "";
  if (!price.startsWith("price_")) return missing(answer, "line_items[0][price]", price);
  const key = String(call.headers["idempotency-key"] ?? randomUUID());
  const known = state.byIdempotencyKey.get(key);
  if (known !== undefined && known.fields !== fields.toString()) {
    return json(answer, 400, {
      error: { type: "idempotency_error", message: "Keys for idempotent requests" },
    });
  }
  const id = `cs_test_${state.checkouts.length + 1}`;
  const url = `${state.url}/pay/${id}`;
  const made: Checkout = known?.checkout ?? { id, url, fields, status: "open", subscription: null };
  if (known === undefined) state.checkouts.push(made);
  state.byIdempotencyKey.set(key, { fields: fields.toString(), checkout: made });
  return json(answer, 200, { id: made.id, object: "checkout.session", url: made.url });
}

/** One checkout: read, or ended, which only an open one can be. */
function oneCheckout(
  state: State,
  { call, answer }: Exchange,
  [id = "", what]: readonly string[],
): ServerResponse {
  if (state.hidesCheckouts) {
    return json(answer, 403, { error: { message: "No", type: "invalid_request_error" } });
  }
  const found = state.checkouts.find((one) => one.id === id);
  if (found === undefined) return missing(answer, "session", id);
  if (call.method === "POST" && what === "expire") {
    if (found.status !== "open") {
      const message = 'Only Checkout Sessions with a status in ["open"] can be expired.';
      return json(answer, 400, { error: { type: "invalid_request_error", message } });
    }
    found.status = "expired";
  }
  const { fields, status, subscription } = found;
  const names = ["account_id", "wish"];
  const metadata = Object.fromEntries(names.map((name) => [name, fields.get(`metadata[${name}]`) ?? ""]));
  const url = status === "open" ? found.url : null;
  return json(answer, 200, { id, object: "checkout.session", status, url, subscription, metadata });
}

/** The provider's own page: a button that pays, sends the events and leads back. */
async function pay(state: State, { call, answer }: Exchange, id: string): Promise<ServerResponse> {
  const found = state.checkouts.find((one) => one.id === id);
  if (found === undefined) return json(answer, 404, {});
  if (found.status !== "open") return page(answer, "Test checkout", "<p>You are all done here.</p>");
  if (call.method !== "POST") {
    return page(answer, "Test checkout", `<form method="post"><button>Pay</button></form>`);
  }
  const { subscription, session } = complete(state, found);
  // Stripe's order is any: the subscription's own event comes first here.
  await deliver(state, eventOf("customer.subscription.created", subscription), state.webhook);
  await deliver(state, eventOf("checkout.session.completed", session), state.webhook);
  return answer.writeHead(303, { location: found.fields.get("success_url") ?? "" }).end();
}

/** What a payment makes of a checkout; no event is sent. */
function complete(state: State, found: Checkout) {
  const { fields } = found;
  const accountId = fields.get("client_reference_id") ?? "";
  const customer = fields.get("customer") ?? `cus_${state.customers.size + 1}`;
  const price = fields.get("line_items[0][price]") ?? "";
  const subscription = putSubscription(state, `sub_${state.subscriptions.size + 1}`, {
    customer,
    price,
    accountId,
  });
  found.status = "complete";
  found.subscription = subscription.id;
  const start = new Date((subscription.items.data[0]?.current_period_start ?? 0) * 1000);
  putSubscription(state, subscription.id, { invoice: invoiceOf({ price, start }) });
  const session = {
    id: found.id,
    object: "checkout.session",
    client_reference_id: accountId,
    customer,
    subscription: subscription.id,
  };
  return { subscription, session };
}

function putSubscription(state: State, id: string, parts: SubscriptionParts): TestSubscription {
  const subscription = subscriptionOf(id, parts, state.subscriptions.get(id));
  state.subscriptions.set(id, subscription);
  state.customers.add(subscription.customer);
  return subscription;
}

const eventOf = (type: string, object: object, id = `evt_${randomUUID()}`): TestEvent => ({
  id,
  object: "event",
  type,
  data: { object },
});

function signatureOf(
  body: string,
  { secret, atS = Math.floor(systemClock.now().getTime() / 1000) }: { secret: string; atS?: number },
): string {
  const mac = createHmac("sha256", secret).update(`${atS}.${body}`).digest("hex");
  return `t=${atS},v1=${mac},v0=${"0".repeat(64)}`;
}

function deliver(state: State, event: TestEvent, webhook: string): Promise<number> {
  const body = JSON.stringify(event);
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "stripe-signature": signatureOf(body, { secret: state.webhookSecret }),
  };
  return new Promise((resolve, reject) => {
    const call = request(webhook, { method: "POST", headers, agent: false });
    call.on("response", (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    call.on("error", reject);
    call.end(body);
  });
}

const IN_LIVE_MODE =
  "; a similar object exists in live mode, but a test mode key was used to make this request.";

const missing = (answer: ServerResponse, param: string, id: string, why = ""): ServerResponse =>
  json(answer, 404, {
    error: {
      type: "invalid_request_error",
      code: "resource_missing",
      param,
      message: `No such ${param}: '${id}'${why}`,
    },
  });

function json(answer: ServerResponse, status: number, value: object): ServerResponse {
  return answer.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

function page(answer: ServerResponse, title: string, content: string): ServerResponse {
  const html = `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${content}</html>`;
  return answer.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html);
}

async function readText(call: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of call) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
