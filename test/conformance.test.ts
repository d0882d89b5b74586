import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PLANS } from "../src/accounts/plans.ts";
import type { TestRecord, TestScript } from "./servers/dns-server.ts";
import { startRdapServer, type TestRdapServer } from "./servers/rdap-server.ts";
import {
  callPatiently,
  startTestService,
  type TestAccount,
  type TestAnswer,
  type TestRequest,
  type TestService,
} from "./service.ts";

// Walks the rows of interface sections 2, 4, 5, 7 and 8 on a running service and prints them as a table. That every
// answer has the documented shape is judged by `call` itself; here stand status, price, headers and members by name.

const ZONE: Readonly<Record<string, readonly TestRecord["data"][]>> = {
  "A example.com": ["127.1.0.7"],
  "MX example.com": [{ preference: 10, exchange: "mx.example.com" }],
};
const script: TestScript = ({ name, type }) => {
  const data = ZONE[`${type} ${name.toLowerCase()}`];
  return data === undefined
    ? { rcode: 3 }
    : { answers: data.map((one): TestRecord => ({ type, data: one })) };
};

let registries: TestRdapServer;
let service: TestService;
let rich: TestAccount;
const walked: string[] = [];
beforeAll(async () => {
  const empty = { version: "1.0", publication: "2026-11-21T00:00:00Z", services: [] };
  registries = await startRdapServer(() => ({ json: empty }));
  service = await startTestService({
    dns: script,
    file: {
      rdap: { bootstrap_url: registries.url },
      dns: { timeout_ms: 500 },
      fetch: { allow_networks: ["127.1.0.0/16"] },
    },
  });
  rich = await service.openAccount({ credits: 100_000 });
});
afterAll(async () => {
  await service.close();
  await registries.close();
  process.stdout.write(`\nInterface, row by row\n${walked.map((row) => `  ok  ${row}`).join("\n")}\n`);
});

const row = (section: string, ...words: readonly (string | number)[]): void =>
  void walked.push(`${section.padEnd(4)} ${words.map(String).join("  ")}`);

const post = (path: string, body: unknown, key?: string): TestRequest =>
  key === undefined ? { path, body } : { path, body, key };

const RATE_HEADERS = [
  "x-concurrency-limit",
  "x-concurrency-remaining",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-window",
  "x-ratelimit-reset-after",
];

const member = (answer: TestAnswer, path: string): unknown => answer.of(...path.split("."));

const BULK = "product total_items successful failed credits_charged results elapsed_ms";

/** Interface 4: path, body, price, and members of `data` that section 2 requires of it. */
const METERED: readonly (readonly [
  path: string,
  body: object,
  price: number,
  section: string,
  members: string,
])[] = [
  [
    "/api/check-ip",
    { ip: "8.8.8.8" },
    1,
    "2.6",
    "ip version blacklists information asn anonymity risk_score elapsed_ms",
  ],
  [
    "/api/domain-reputation",
    { domain: "example.com" },
    1,
    "2.7",
    "domain blacklists dns whois ssl risk_score elapsed_ms",
  ],
  [
    "/api/url-reputation",
    { url: "http://example.com/" },
    2,
    "2.8",
    "url url_fetch_status report blacklists elapsed_ms",
  ],
  [
    "/api/email-reputation",
    { email: "jane@example.com" },
    1,
    "2.9",
    "email is_valid_format is_disposable is_free_provider has_mx_records mx_records domain domain_age_days",
  ],
  ["/api/dns-lookup", { domain: "example.com", record_type: "A" }, 1, "2.10", "domain records elapsed_ms"],
  ["/api/bulk/check-ip", { ips: ["8.8.8.8", "1.1.1.1"] }, 2, "2.12", BULK],
  ["/api/bulk/domain-reputation", { domains: ["example.com"] }, 1, "2.12", BULK],
  ["/api/bulk/url-reputation", { urls: ["http://example.com/"] }, 2, "2.12", BULK],
  ["/api/bulk/email-reputation", { emails: ["a@example.com", "no address"] }, 2, "2.12", BULK],
  ["/api/bulk/dns-lookup", { domains: ["example.com"], record_type: "A" }, 1, "2.12", BULK],
];

describe("section 4, metered endpoints", () => {
  test.each(METERED)("POST %s %o costs %i", async (path, body, price, section, members) => {
    const before = await service.balanceOf(rich);
    const answer = await callPatiently(service, post(path, body, rich.key));
    expect(answer.status).toBe(200);
    for (const name of members.split(" ")) expect(member(answer, `data.${name}`)).toBeDefined();
    for (const name of RATE_HEADERS) expect(answer.headers[name]).toBeDefined();
    expect(await service.balanceOf(rich)).toBe(before - price);
    expect(answer.headers["x-credits-charged"]).toBe(String(price));
    row("4", "POST", path, "200", `${price} credits`);
    row(section, path, "has", members);
  });

  test("POST /api/whois-lookup answers an address without a holder, for one credit", async () => {
    const before = await service.balanceOf(rich);
    const answer = await service.call(post("/api/whois-lookup", { query: "192.0.2.1" }, rich.key));
    expect([answer.status, answer.of("data", "type"), answer.of("data", "lookup_status")]).toEqual([
      200,
      "ip",
      "not_found",
    ]);
    expect(await service.balanceOf(rich)).toBe(before - 1);
    row("4", "POST", "/api/whois-lookup", "200", "1 credits");
    row("2.11", "/api/whois-lookup", "has type ip, lookup_status not_found");
  });
});

const FREE: readonly (readonly [path: string, body: object, section: string, members: string])[] = [
  [
    "/api/free/check-ip",
    { ip: "8.8.8.8" },
    "2.13",
    "ip detections engines_count detection_rate message anonymity engines",
  ],
  [
    "/api/free/domain-check",
    { domain: "example.com" },
    "2.13",
    "domain blacklisted detections engines_count message",
  ],
  ["/api/free/dns-lookup", { domain: "example.com" }, "2.13", "domain record_type message records"],
  [
    "/api/free/email-check",
    { email: "a@example.com" },
    "2.13",
    "email is_valid_format is_disposable is_free_provider message",
  ],
  ["/api/free/whois-lookup", { query: "192.0.2.1" }, "2.13", "query message type lookup_status"],
];

describe("section 4, open endpoints", () => {
  test.each(FREE)("POST %s %o needs no key", async (path, body, section, members) => {
    const answer = await service.call({ ...post(path, body), from: "127.0.0.51" });
    expect(answer.status).toBe(200);
    for (const name of members.split(" ")) expect(member(answer, `data.${name}`)).toBeDefined();
    row("4", "POST", path, "200", "0 credits, no key");
    row(section, path, "has", members);
  });

  test.each([
    ["/", "2.3", "service version docs"],
    ["/api/health", "2.4", "data.status data.service data.version data.database"],
  ])("GET %s", async (path, section, members) => {
    const answer = await service.call({ method: "GET", path });
    expect(answer.status).toBe(200);
    const prefix = path === "/" && answer.text.includes('"data"') ? "data." : "";
    for (const name of members.split(" ")) expect(member(answer, prefix + name)).toBeDefined();
    row("4", "GET", path, "200");
    row(section, path, "has", members);
    if (path === "/") expect(member(answer, `${prefix}version`)).toBe("0.3.0");
  });

  test("GET /api/account/subscription costs nothing", async () => {
    const before = await service.balanceOf(rich);
    const answer = await service.call({ method: "GET", path: "/api/account/subscription", key: rich.key });
    const members =
      "plan billing_status credits_remaining credits_per_month credits_reset_at current_period_end cancel_at_period_end rate_limit_per_second max_api_keys";
    expect(answer.status).toBe(200);
    for (const name of members.split(" ")) expect(answer.of("data", name)).toBeDefined();
    expect(await service.balanceOf(rich)).toBe(before);
    row("4", "GET", "/api/account/subscription", "200", "0 credits");
    row("2.5", "/api/account/subscription", "has", members);
  });
});

test("section 2, both envelopes", async () => {
  const answer = await service.call(post("/api/check-ip", { ip: "8.8.8.8" }, rich.key));
  for (const name of ["request_id", "timestamp", "data"]) expect(answer.of(name)).toBeDefined();
  row("2.1", "200 has request_id, timestamp, data");
  const refused = await service.call(post("/api/check-ip", { ip: "8.8.8.8" }));
  expect(refused.of("errors", "0")).toMatchObject({ code: "UNAUTHORIZED", field: null, details: null });
  row("2.2", "refusals have errors[] {code, message, field, details}, request_id");
});

describe("section 5, authentication", () => {
  test.each([
    ["no key", {}, 401],
    ["a key of another service", { "x-api-key": "abc_123" }, 401],
    ["the key in another letter case of the header", { "X-API-KEY": "KEY" }, 200],
    ["the key as a bearer token", { authorization: "Bearer KEY" }, 200],
  ] as const)("%s", async (what, headers, status) => {
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace("KEY", rich.key)]),
    );
    const answer = await service.call({ ...post("/api/check-ip", { ip: "8.8.8.8" }), headers: sent });
    expect(answer.status).toBe(status);
    row("5", what, status);
  });

  test("a revoked key is refused at once", async () => {
    const account = await service.openAccount();
    const [key] = await service.accounts.listKeys({ email: account.email });
    if (key === undefined) throw new Error("no key");
    await service.accounts.revokeKey(key.id);
    const answer = await service.call(post("/api/check-ip", { ip: "8.8.8.8" }, account.key));
    expect([answer.status, answer.of("errors", "0", "code")]).toEqual([401, "UNAUTHORIZED"]);
    row("5", "a revoked key", 401);
  });
});

describe("section 7, errors", () => {
  test.each([
    ["/api/check-ip", {}, "missing"],
    ["/api/domain-reputation", { domain: 7 }, "string_type"],
    ["/api/url-reputation", { url: "ftp://example.com" }, "value_error"],
    ["/api/email-reputation", { email: "" }, "value_error"],
    ["/api/dns-lookup", { domain: "example.com", record_type: "ANY" }, "value_error"],
    ["/api/whois-lookup", {}, "missing"],
    ["/api/bulk/check-ip", { ips: [] }, "too_short"],
    ["/api/bulk/check-ip", { ips: Array.from({ length: 101 }, () => "8.8.8.8") }, "too_long"],
  ])("POST %s %o is 422 %s, not charged", async (path, body, type) => {
    const before = await service.balanceOf(rich);
    const answer = await callPatiently(service, post(path, body, rich.key));
    expect([answer.status, answer.of("detail", "0", "type")]).toEqual([422, type]);
    expect(await service.balanceOf(rich)).toBe(before);
    row("7", "POST", path, "422", type, "not charged");
  });

  test.each([
    ["/api/check-ip", { ip: "8.8.8.8" }, 1, 0],
    ["/api/url-reputation", { url: "http://example.com/" }, 2, 1],
    ["/api/bulk/check-ip", { ips: ["8.8.8.8", "1.1.1.1"] }, 2, 1],
  ])("POST %s is 402 when %i credits are wanted and %i are there", async (path, body, cost, credits) => {
    const poor = await service.openAccount({ credits });
    const answer = await service.call(post(path, body, poor.key));
    expect([
      answer.status,
      answer.of("errors", "0", "code"),
      answer.of("errors", "0", "details", "cost"),
    ]).toEqual([402, "INSUFFICIENT_CREDITS", cost]);
    expect(await service.balanceOf(poor)).toBe(credits);
    row("7", "POST", path, "402", `cost ${cost}`, "balance untouched");
  });
});

describe("section 8, plans and limits", () => {
  test.each(PLANS.map(({ name }) => [name] as const))("%s has its credits, rate and keys", async (plan) => {
    const expected: Readonly<Record<string, readonly number[]>> = {
      Free: [100, 2, 2],
      Starter: [80_000, 30, 5],
      Pro: [300_000, 60, 10],
      Enterprise: [1_500_000, 100, 25],
    };
    const account = await service.openAccount({ plan });
    const answer = await service.call({ method: "GET", path: "/api/account/subscription", key: account.key });
    const [credits, rate, keys] = expected[plan] ?? [];
    expect(answer.of("data")).toMatchObject({
      plan,
      credits_per_month: credits,
      rate_limit_per_second: rate,
      max_api_keys: keys,
    });
    const full = await service.call(post("/api/check-ip", { ip: "8.8.8.8" }, account.key));
    const half = await service.call(post("/api/bulk/check-ip", { ips: ["8.8.8.8"] }, account.key));
    expect(full.headers["x-ratelimit-limit"]).toBe(String(rate));
    expect(half.headers["x-ratelimit-limit"]).toBe(String(Math.floor((rate ?? 0) / 2)));
    expect(half.headers["x-concurrency-limit"]).toBe(String(Math.floor((rate ?? 0) / 2)));
    row("8.1", plan, `${credits} credits`, `${rate}/s`, `${keys} keys`);
    row("8.3", plan, `bulk ${Math.floor((rate ?? 0) / 2)}/s`);
  });

  test("the third start in a second of a Free account is 429 with scope and seconds", async () => {
    const account = await service.openAccount({ plan: "Free" });
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => service.call(post("/api/check-ip", { ip: "8.8.8.8" }, account.key))),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers } of refused) {
      expect(headers["x-ratelimit-scope"]).toMatch(/^(requests|concurrency)$/);
      expect(Number(headers["retry-after"])).toBeGreaterThanOrEqual(1);
    }
    row("8.3", "over the limit", 429, "X-RateLimit-Scope, Retry-After");
  });

  test("the sixth call of a free tool in a minute is 429, another tool is not", async () => {
    const call = (path: string, body: object) => service.call({ ...post(path, body), from: "127.0.0.52" });
    for (let i = 0; i < 5; i++)
      expect((await call("/api/free/check-ip", { ip: "8.8.8.8" })).status).toBe(200);
    const sixth = await call("/api/free/check-ip", { ip: "8.8.8.8" });
    expect([sixth.status, sixth.headers["x-ratelimit-window"]]).toEqual([429, "60"]);
    expect((await call("/api/free/email-check", { email: "a@example.com" })).status).toBe(200);
    row("8.4", "free tools", "5 a minute, each tool for itself");
  });
});
