import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPage, PASSWORD, type Page, personPage } from "./dashboard.ts";
import { startTestService, type TestService } from "./service.ts";

let service: TestService;
let page: Page;
beforeAll(async () => {
  service = await startTestService({
    file: { dashboard: { signup: "open" }, server: { trust_proxy: ["127.0.5.0/24"] } },
  });
  page = await personPage(service, (await service.openAccount()).id);
});
afterAll(() => service.close());

// Each family of bad input at every endpoint that reads a body; 422 is the worst that a caller gets.
const deep = `{"email":${"[".repeat(40)}${"]".repeat(40)}}`;
const BAD: readonly (readonly [string, unknown])[] = [
  ["an array", []],
  ["null", "null"],
  ["nothing", ""],
  ["two values", "{}{}"],
  ["deep", deep],
  [
    "numbers for texts",
    { email: 5, password: 5, name: 5, plan: 5, token: 5, new_password: 5, totp_code: 5, change: 5 },
  ],
  ["lists for texts", { email: ["a"], password: ["b"], name: [], plan: [], token: [], new_password: [] }],
  [
    "prototype words",
    '{"__proto__":{"email":"a@b.example"},"constructor":{"prototype":{}},"plan":"__proto__"}',
  ],
];
const PATHS = [
  "/sign-up",
  "/sign-in",
  "/password/reset-request",
  "/password/reset",
  "/password",
  "/totp/confirm",
  "/totp/remove",
  "/keys",
  "/billing/checkout",
];

describe.each(PATHS)("POST %s", (path) => {
  test.each(BAD)("%s is 422", async (_why, body) => {
    const answer = await page.call("POST", path, body, { from: "127.0.6.1" });
    expect([path, answer.status]).toEqual([path, 422]);
  });
});

test.each([
  ["/password", { current_password: "a secret of ours" }],
  ["/password", { current_password: "a secret of ours", new_password: ["a secret of ours"] }],
  ["/sign-in", { password: ["a secret of ours"], email: 5 }],
  ["/sign-in", { password: "a secret of ours" }],
  ["/sign-up", { password: "a secret of ours", email: "no e-mail" }],
  ["/password/reset", { token: "a secret of ours" }],
  ["/password/reset", { token: "a secret of ours", new_password: "a secret of ours" }],
])("a 422 of POST %s repeats no secret: %o", async (path, body) => {
  const answer = await page.call("POST", path, body, { from: "127.0.6.3" });
  expect(answer.status).toBe(422);
  expect(answer.text).not.toContain("secret of ours");
  expect(service.logged()).not.toContain("secret of ours");
});

test("nothing that a caller sends becomes a redirect", async () => {
  const evil = "https://evil.example/";
  const wishes: readonly (readonly [string, string, object?])[] = [
    [
      "POST",
      `/sign-in?next=${evil}&return_to=${evil}`,
      { email: "a@b.example", password: PASSWORD, next: evil },
    ],
    ["POST", `/sign-up?redirect=${evil}`, { email: "r@b.example", password: PASSWORD, redirect: evil }],
    ["GET", `/session?next=${evil}`],
    ["POST", "/billing/checkout", { plan: "Pro", success_url: evil, cancel_url: evil }],
  ];
  for (const [method, path, body] of wishes) {
    const headers = { "x-forwarded-host": "evil.example" };
    const answer = await openPage(service, "127.0.6.2").call(method, path, body, { headers });
    expect(answer.headers["location"]).toBeUndefined();
    expect(answer.status).not.toBe(302);
    expect(answer.text).not.toContain("evil.example");
  }
});

test("keys' names and reasons are kept as text, without control characters", async () => {
  const made = await page.call("POST", "/keys", { name: "<script>\u001b[2J\n\u202e" });
  expect(made.of("data", "name")).toBe("<script> [2J");
});

test("a name that is too long is the fault of its member, and nothing is made or changed", async () => {
  const before = (await page.call("GET", "/keys")).of("data", "keys");
  const id = Object(before)[0].id;
  const name = "n".repeat(101);
  for (const [method, path, body] of [
    ["POST", "/keys", { name }],
    ["POST", `/keys/${id}`, { name }],
  ] as const) {
    const answer = await page.call(method, path, body);
    expect(answer.status, path).toBe(422);
    expect(answer.of("detail", "0", "loc"), path).toEqual(["body", "name"]);
    expect(answer.of("detail", "0", "msg"), path).toContain("at most 100 characters, and this one has 101");
  }
  expect((await page.call("GET", "/keys")).of("data", "keys")).toEqual(before);
});

describe("who a client is", () => {
  const fail = (client: { readonly from: string; readonly forwarded?: string }) =>
    openPage(service, client.from).call(
      "POST",
      "/sign-in",
      { email: `${Math.floor(counter++)}@example.com`, password: "wrong password" },
      { headers: client.forwarded === undefined ? {} : { "x-forwarded-for": client.forwarded } },
    );
  let counter = 0;

  test("is told by a trusted proxy, its last stranger counts, IPv6 by /64", async () => {
    const from = "127.0.5.1";
    for (let i = 0; i < 10; i++) {
      expect((await fail({ from, forwarded: `10.9.9.${i}, 2001:db8:1:1::${i + 1}` })).status).toBe(401);
    }
    expect((await fail({ from, forwarded: "2001:db8:1:1:ffff::1" })).status).toBe(429);
    expect((await fail({ from, forwarded: "2001:db8:1:2::1" })).status).toBe(401);
  });

  test("is not told by strangers", async () => {
    const from = "127.0.6.9";
    for (let i = 0; i < 10; i++) expect((await fail({ from, forwarded: `203.0.113.${i}` })).status).toBe(401);
    expect((await fail({ from, forwarded: "203.0.113.99" })).status).toBe(429);
  });
});
