import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openApiDocument } from "../src/http/openapi.ts";
import { PRODUCTS } from "../src/products/all.ts";
import { at } from "./contract.ts";
import {
  callPatiently,
  reverseNames,
  startTestService,
  type TestAccount,
  type TestService,
  until,
} from "./service.ts";

let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  service = await startTestService({ file: { server: { public_url: "https://rep.example" } } });
  account = await service.openAccount();
});
afterAll(() => service.close());

const CHECK = { path: "/api/check-ip", body: { ip: "8.8.8.8" } };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const RATE_HEADERS = [
  "x-concurrency-limit",
  "x-concurrency-remaining",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-window",
  "x-ratelimit-reset-after",
];

describe("routes without an account", () => {
  test("GET / names the service, its version and its documentation", async () => {
    const answer = await service.call({ method: "GET", path: "/" });
    expect(answer.status).toBe(200);
    expect(answer.of("data")).toEqual({ service: "Repute", version: "0.3.0", docs: "/docs" });
    expect(answer.of("request_id")).toMatch(UUID);
    expect(new Date(String(answer.of("timestamp"))).toISOString()).toBe(answer.of("timestamp"));
  });

  test("GET /api/health says that the database is reachable", async () => {
    const answer = await service.call({ method: "GET", path: "/api/health" });
    expect(answer.of("data")).toEqual({ status: "ok", service: "Repute", version: "0.3.0", database: true });
  });

  test("GET /openapi.json is the document that the tests judge by, and names every product's routes", async () => {
    const answer = await service.call({ method: "GET", path: "/openapi.json" });
    const document = openApiDocument({ version: "0.3.0", publicUrl: "https://rep.example" });
    expect(JSON.parse(answer.text)).toEqual(document);
    expect(answer.headers["access-control-allow-origin"]).toBe("*");
    for (const { name, bulk, free } of PRODUCTS) {
      const paths = [
        `/api/${name}`,
        ...(bulk === null ? [] : [`/api/bulk/${name}`]),
        ...(free === null ? [] : [free.path]),
      ];
      for (const path of paths) expect(at(document, ["paths", path, "post"])).toBeDefined();
    }
  });

  test("the documentation that the banner names loads nothing from elsewhere", async () => {
    const page = await service.call({ method: "GET", path: "/docs" });
    expect(page.status).toBe(200);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(page.text).not.toMatch(/src="(https?:)?\/\//);
    for (const [, path = ""] of page.text.matchAll(/(?:src|href)="(\/(?:assets|docs|guide)[^"#]*)/g)) {
      const part = await fetch(`${service.address}${path}`);
      await part.body?.cancel();
      expect([path, part.status]).toEqual([path, 200]);
    }
  });

  test.each(["/livez", "/readyz"])("GET %s is 200 while all is well", async (path) => {
    expect((await service.call({ method: "GET", path })).status).toBe(200);
  });

  test.each(["/", "/api/health", "/openapi.json", "/livez", "/readyz", "/docs"])(
    "HEAD %s answers as GET does, without a body",
    async (path) => {
      const [get, head] = await Promise.all(["GET", "HEAD"].map((method) => service.call({ method, path })));
      expect(head?.status).toBe(200);
      expect(head?.text).toBe("");
      expect(head?.headers["content-length"]).toBe(get?.headers["content-length"]);
    },
  );

  test.each([
    ["/", "GET, HEAD, OPTIONS", "*"],
    ["/api/health", "GET, HEAD, OPTIONS", "*"],
    ["/api/free/check-ip", "OPTIONS, POST", "*"],
    ["/api/account/subscription", "GET, HEAD, OPTIONS", undefined],
    ["/api/check-ip", "OPTIONS, POST", undefined],
    ["/api/bulk/check-ip", "OPTIONS, POST", undefined],
  ])("OPTIONS %s is 204, Allow: %s, CORS origin %s", async (path, allow, origin) => {
    const { status, headers } = await service.call({ method: "OPTIONS", path });
    expect([status, headers["allow"], headers["access-control-allow-origin"]]).toEqual([204, allow, origin]);
    expect(headers["access-control-allow-methods"]).toBe(origin && allow);
  });

  test("answers of the open paths may be read by any page, those of authenticated ones by none", async () => {
    const open = [{ method: "GET", path: "/" }, { path: "/api/free/check-ip" }];
    for (const wish of open)
      expect((await service.call(wish)).headers["access-control-allow-origin"]).toBe("*");
    for (const key of [undefined, account.key]) {
      const wish = {
        ...CHECK,
        ...(key === undefined ? {} : { key }),
        headers: { origin: "https://a.example" },
      };
      const names = Object.keys((await service.call(wish)).headers);
      expect(names.filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });
});

describe("request ids", () => {
  test.each(["a", "A-z_0.9", "x".repeat(64)])("a caller's X-Request-Id %s is kept", async (id) => {
    const headers = { "x-request-id": id };
    const good = await service.call({ method: "GET", path: "/", headers });
    const bad = await service.call({ method: "GET", path: "/nowhere", headers });
    expect([good.headers["x-request-id"], good.of("request_id")]).toEqual([id, id]);
    expect([bad.headers["x-request-id"], bad.of("request_id")]).toEqual([id, id]);
  });

  test.each(["", "x".repeat(65), "a b", 'a"}', "a,b", "ä", "a/b", "%0a"])("%j is replaced", async (id) => {
    const answer = await service.call({ method: "GET", path: "/", headers: { "x-request-id": id } });
    expect(answer.of("request_id")).toMatch(UUID);
  });

  test("two of them are replaced", async () => {
    const headers = { "x-request-id": ["a", "b"] };
    expect((await service.call({ method: "GET", path: "/", headers })).of("request_id")).toMatch(UUID);
  });
});

describe("GET /api/account/subscription", () => {
  const wish = { method: "GET", path: "/api/account/subscription" };

  test.each([
    ["Free", 100, 2, 2],
    ["Starter", 80_000, 30, 5],
    ["Pro", 300_000, 60, 10],
    ["Enterprise", 1_500_000, 100, 25],
  ])("tells plan %s with its allowances", async (plan, credits, rate, keys) => {
    const { key } = await service.openAccount({ plan });
    const answer = await service.call({ ...wish, key });
    expect(answer.of("data")).toEqual({
      plan,
      billing_status: null,
      credits_remaining: credits,
      credits_per_month: credits,
      credits_reset_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      current_period_end: null,
      cancel_at_period_end: false,
      rate_limit_per_second: rate,
      max_api_keys: keys,
    });
    expect(answer.headers["x-credits-charged"]).toBeUndefined();
    expect(Object.keys(answer.headers)).toEqual(expect.arrayContaining(RATE_HEADERS));
  });

  test("takes the key as a bearer token and costs nothing", async () => {
    const headers = { authorization: `Bearer ${account.key}` };
    const before = await service.balanceOf(account);
    expect((await service.call({ ...wish, headers })).status).toBe(200);
    expect(await service.balanceOf(account)).toBe(before);
  });
});

describe("401", () => {
  const other = (key: string) => (key.endsWith("a") ? "b" : "a");
  const cases: [string, (key: string) => Record<string, string | string[]>][] = [
    ["no key", () => ({})],
    ["an empty key", () => ({ "x-api-key": "" })],
    ["the prefix alone", () => ({ "x-api-key": "rpt_" })],
    ["the first 12 characters", (key) => ({ "x-api-key": key.slice(0, 12) })],
    ["one character off", (key) => ({ "x-api-key": key.slice(0, -1) + other(key) })],
    ["another case", (key) => ({ "x-api-key": key.toUpperCase() })],
    ["one character more", (key) => ({ "x-api-key": `${key}a` })],
    ["the key twice", (key) => ({ "x-api-key": [key, key] })],
    ["a key of 8 KB", (key) => ({ "x-api-key": key + "a".repeat(8192) })],
    ["a cookie", (key) => ({ cookie: `x-api-key=${key}; api_key=${key}` })],
    ["Basic", (key) => ({ authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}` })],
    ["Bearer with nothing", () => ({ authorization: "Bearer" })],
    [
      "a good bearer beside a bad X-API-Key",
      (key) => ({ "x-api-key": "rpt_x", authorization: `Bearer ${key}` }),
    ],
  ];

  test.each(cases)("%s", async (_name, headersOf) => {
    const answer = await service.call({ ...CHECK, headers: headersOf(account.key) });
    expect(answer.status).toBe(401);
    expect(answer.of("errors")).toEqual([
      { code: "UNAUTHORIZED", message: "Missing, invalid or revoked API key", field: null, details: null },
    ]);
    expect(Object.keys(answer.headers).filter((name) => /^x-(rate|conc|cred)/.test(name))).toEqual([]);
  });

  test("a key in the query or the body is none", async () => {
    const body = { ip: "8.8.8.8", api_key: account.key, "x-api-key": account.key };
    for (const query of ["api_key", "x-api-key", "key"]) {
      const answer = await service.call({ path: `${CHECK.path}?${query}=${account.key}`, body });
      expect(answer.status).toBe(401);
    }
  });

  test("a revoked key and a disabled account are refused at once, an enabled one is not", async () => {
    const [revoked, disabled] = [await service.openAccount(), await service.openAccount()];
    await service.accounts.revokeKey(revoked.key.slice(0, 12));
    await service.accounts.setDisabled({ email: disabled.email, isDisabled: true });
    for (const { key } of [revoked, disabled]) {
      expect((await service.call({ ...CHECK, key })).status).toBe(401);
      expect((await service.call({ method: "GET", path: "/api/account/subscription", key })).status).toBe(
        401,
      );
    }
    await service.accounts.setDisabled({ email: disabled.email, isDisabled: false });
    expect((await service.call({ ...CHECK, key: disabled.key })).status).toBe(200);
  });

  test("X-API-Key goes before Authorization", async () => {
    const headers = { "x-api-key": account.key, authorization: "Bearer rpt_x" };
    expect((await service.call({ ...CHECK, headers })).status).toBe(200);
  });
});

describe("the order of refusals", () => {
  const huge = { "content-length": "2000000", "content-type": "text/plain" };

  test("404 goes before everything, 405 before 401", async () => {
    for (const method of ["GET", "POST", "DELETE", "QUERY"]) {
      const answer = await service.call({ method, path: "/api/nowhere", headers: huge, body: "" });
      expect([answer.status, answer.of("errors", "0", "code")]).toEqual([404, "NOT_FOUND"]);
      expect(answer.headers["connection"]).toBe("close");
    }
    for (const method of ["GET", "PUT", "DELETE", "PATCH", "QUERY", "PROPFIND"]) {
      const answer = await service.call({ method, path: "/api/check-ip", headers: huge, body: "" });
      expect([answer.status, answer.of("errors", "0", "code")]).toEqual([405, "METHOD_NOT_ALLOWED"]);
      expect(answer.headers["allow"]).toBe("OPTIONS, POST");
    }
  });

  test("401 goes before 413", async () => {
    expect((await service.call({ ...CHECK, headers: huge, body: "" })).status).toBe(401);
  });

  test("429 goes before 413, and a 413 takes a place", async () => {
    const { key } = await service.openAccount({ plan: "Free" });
    const seen = new Set<number>();
    await until(async () => {
      const wish = { ...CHECK, key, headers: huge, body: "" };
      const answers = await Promise.all([1, 2, 3, 4].map(() => service.call(wish)));
      for (const { status } of answers) seen.add(status);
      return seen.has(429);
    });
    expect([...seen].toSorted()).toEqual([413, 429]);
  });

  test("413 goes before 415, 415 before 422, 422 before 402", async () => {
    const { key } = await service.openAccount({ credits: 0 });
    const type = { "content-type": "text/plain" };
    const chunked = { "transfer-encoding": "chunked", "content-length": [] };
    const tooMuch = Buffer.alloc(1_048_577, 0x20);
    const cases: [number, object][] = [
      [413, { headers: huge, body: "" }],
      [413, { headers: { ...type, ...chunked }, body: tooMuch }],
      [415, { headers: type, body: "{" }],
      [422, { body: "{" }],
      [422, { body: { ip: "no address" } }],
      [402, { body: { ip: "8.8.8.8" } }],
    ];
    for (const [status, wish] of cases) {
      const answer = await callPatiently(service, { path: CHECK.path, key, ...wish });
      expect(answer.status).toBe(status);
      expect(Object.keys(answer.headers)).toEqual(expect.arrayContaining(RATE_HEADERS));
    }
  });

  test("402 goes before the work", async () => {
    const { key } = await service.openAccount({ credits: 0 });
    const asked = reverseNames(service.dns).length;
    expect((await service.call({ ...CHECK, key, body: { ip: "9.9.9.12" } })).status).toBe(402);
    expect(reverseNames(service.dns).length).toBe(asked);
  });
});

describe("bodies", () => {
  test.each([
    "application/json",
    "APPLICATION/JSON",
    "application/json; charset=utf-8",
    "application/vnd.api+json",
    undefined,
  ])("Content-Type %s is taken", async (type) => {
    const body = Buffer.from(JSON.stringify(CHECK.body));
    const headers = type === undefined ? {} : { "content-type": type };
    const answer =
      type === undefined
        ? await service.call({ path: CHECK.path, key: account.key, headers: { "content-type": [] }, body })
        : await service.call({ path: CHECK.path, key: account.key, headers, body });
    expect(answer.status).toBe(200);
  });

  test.each([
    "text/plain",
    "text/json",
    "application/jsonp",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/+json",
    "garbage",
    "application/json, text/plain",
  ])("Content-Type %s is 415", async (type) => {
    const answer = await callPatiently(service, {
      ...CHECK,
      key: account.key,
      headers: { "content-type": type },
    });
    expect([answer.status, answer.of("errors", "0", "code")]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
  });

  test("a body of exactly 1 MiB is read, one of a byte more is 413, announced or not", async () => {
    const padded = (bytes: number) => Buffer.from(JSON.stringify(CHECK.body).padEnd(bytes));
    const wish = { path: CHECK.path, key: account.key };
    expect((await callPatiently(service, { ...wish, body: padded(1_048_576) })).status).toBe(200);
    const chunked = { "transfer-encoding": "chunked", "content-length": [] };
    for (const headers of [{}, chunked]) {
      const answer = await callPatiently(service, { ...wish, headers, body: padded(1_048_577) });
      expect([answer.status, answer.of("errors", "0", "code")]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
      expect(answer.headers["connection"]).toBe("close");
    }
  });
});

describe("402", () => {
  test("names cost, balance and day, and takes nothing", async () => {
    const poor = await service.openAccount({ credits: 1 });
    const reset = (await service.accounts.findAccount(poor.email))?.cycleEndsAt.toISOString() ?? "";
    const bulk = { path: "/api/bulk/check-ip", key: poor.key, body: { ips: ["8.8.8.8", "1.1.1.1"] } };
    const answer = await service.call(bulk);
    expect(answer.status).toBe(402);
    expect(answer.of("errors")).toEqual([
      {
        code: "INSUFFICIENT_CREDITS",
        message: `This call costs 2 credits; 1 is left until ${reset.slice(0, 10)}.`,
        field: null,
        details: { cost: 2, credits_remaining: 1, credits_reset_at: `${reset.slice(0, 19)}Z` },
      },
    ]);
    expect(await service.balanceOf(poor)).toBe(1);
    expect((await service.call({ ...CHECK, key: poor.key })).headers["x-credits-remaining"]).toBe("0");
    const last = await service.call({ ...CHECK, key: poor.key });
    const message = `This call costs 1 credit; 0 are left until ${reset.slice(0, 10)}.`;
    expect(last.of("errors", "0", "message")).toBe(message);
  });

  test("names no day while a due refill waits for a late payment", async () => {
    const late = await service.openAccount({ credits: 1 });
    const held = { credits_reset_at: Date.UTC(2026, 0, 1), grace_ends_at: Date.UTC(2100, 0, 1) };
    await service.db.kysely.updateTable("accounts").set(held).where("id", "=", late.id).execute();
    const refused = (cost: number, left: string, credits: number) => ({
      code: "INSUFFICIENT_CREDITS",
      message: `This call costs ${cost} ${cost === 1 ? "credit" : "credits"}; ${left}.`,
      field: null,
      details: { cost, credits_remaining: credits, credits_reset_at: null },
    });
    const bulk = { path: "/api/bulk/check-ip", key: late.key, body: { ips: ["8.8.8.8", "1.1.1.1"] } };
    expect((await service.call(bulk)).of("errors")).toEqual([refused(2, "1 is left", 1)]);
    expect((await service.call({ ...CHECK, key: late.key })).status).toBe(200);
    const last = await service.call({ ...CHECK, key: late.key });
    expect(last.of("errors")).toEqual([refused(1, "0 are left", 0)]);
  });
});

describe("429", () => {
  const limits: [string, string, number, number][] = [
    ["Free", "/api/check-ip", 2, 2],
    ["Free", "/api/bulk/check-ip", 1, 1],
    ["Starter", "/api/bulk/check-ip", 15, 30],
    ["Pro", "/api/bulk/check-ip", 30, 60],
    ["Enterprise", "/api/bulk/check-ip", 50, 100],
  ];

  test.each(limits)("plan %s on %s: %i a second", async (plan, path, limit) => {
    const { key } = await service.openAccount({ plan });
    const { headers } = await service.call({ path, key, body: {} });
    expect([headers["x-ratelimit-limit"], headers["x-concurrency-limit"]]).toEqual([`${limit}`, `${limit}`]);
    expect(headers["x-concurrency-remaining"]).toBe(String(limit - 1));
    expect(headers["x-ratelimit-remaining"]).toBe(String(limit - 1));
    expect(headers["x-ratelimit-window"]).toBe("1");
    const reset = Number(headers["x-ratelimit-reset-after"]);
    expect(limit === 1 ? reset > 0 && reset <= 1 : reset === 0).toBe(true);
  });

  test("of requests says when to come back, is not charged, and leaves other endpoints alone", async () => {
    const busy = await service.openAccount({ plan: "Free" });
    const wish = { ...CHECK, key: busy.key };
    let refused = await service.call({ ...wish, body: {} });
    await until(async () => {
      refused = await service.call({ ...wish, body: {} });
      return refused.status === 429;
    });
    expect(refused.of("errors")).toEqual([
      {
        code: "RATE_LIMIT_EXCEEDED",
        message: "More than 2 calls a second; try again in 1 s",
        field: null,
        details: null,
      },
    ]);
    expect(refused.headers["x-ratelimit-scope"]).toBe("requests");
    expect(refused.headers["retry-after"]).toBe("1");
    expect(refused.headers["x-ratelimit-remaining"]).toBe("0");
    const reset = Number(refused.headers["x-ratelimit-reset-after"]);
    expect(reset).toBeGreaterThan(0);
    expect(reset).toBeLessThanOrEqual(1);
    const other = await service.call({ method: "GET", path: "/api/account/subscription", key: busy.key });
    expect([other.status, other.of("data", "credits_remaining")]).toEqual([200, 100]);
  });

  test("counts all keys of an account together", async () => {
    const both = await service.openAccount({ plan: "Free" });
    const { text } = await service.accounts.createKey({ email: both.email });
    await until(async () => {
      const wishes = [both.key, text, both.key, text].map((key) => ({ ...CHECK, key, body: {} }));
      const answers = await Promise.all(wishes.map((wish) => service.call(wish)));
      return answers.filter(({ status }) => status === 429).length >= 2;
    });
  });
});
