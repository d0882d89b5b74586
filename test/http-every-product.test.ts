import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PRODUCTS } from "../src/products/all.ts";
import type { SealedProduct } from "../src/products/product.ts";
import { callPatiently, startTestService, type TestAccount, type TestService } from "./service.ts";

let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  service = await startTestService({ file: { dns: { timeout_ms: 50 } } });
  account = await service.openAccount();
});
// Closing judges the whole log: no key, no terminal code, every line JSON.
afterAll(() => service.close());

// Every answer is judged by the OpenAPI document as it comes (test/service.ts).
const call = (path: string, body: unknown) => callPatiently(service, { path, key: account.key, body });
const types = (detail: unknown): unknown[] =>
  Object.values(Object(detail)).map((fault) => Object(fault).type);

const NOT_TEXTS: [unknown, string][] = [
  [null, "null"],
  [5, "5"],
  [true, "true"],
  [["x"], "a list"],
  [{ x: "y" }, "an object"],
];

/** Texts that have broken parsers: long, odd, hostile (security 3). */
const AWKWARD = [
  "",
  " ",
  "\u0000",
  "a\r\nb: c",
  "\u001b[2J",
  "\ud800",
  "\u202egnp.exe",
  "8\uff0e8\uff0e8\uff0e8",
  "xn--999999999",
  "a..b",
  `${"a".repeat(64)}.example`,
  "http://good@127.0.0.1\\@x/",
  "[::1%25lo]",
  "{{7*7}}",
  '<script>alert(1)</script>"@x',
  "=HYPERLINK(1)",
  "__proto__",
  "constructor",
  "../../etc/passwd",
  "-h evil",
  ...["a", ".", "0", "-", "a.", "@", "%", "[", ":", "1.", "xn--", "\u0301"].map((one) => one.repeat(30_000)),
];

describe.each(PRODUCTS)("POST /api/$name", (product: SealedProduct) => {
  const path = `/api/${product.name}`;
  const { field, price } = product;
  const example = { ...product.example };

  test("answers its own example, and charges its price or nothing", async () => {
    const before = await service.balanceOf(account);
    const answer = await call(path, example);
    expect(answer.status).toBe(200);
    const charged = Number(answer.headers["x-credits-charged"]);
    expect([0, price]).toContain(charged);
    expect(await service.balanceOf(account)).toBe(before - charged);
    expect(answer.headers["x-credits-remaining"]).toBe(String(before - charged));
  });

  test.each(NOT_TEXTS)(`${field}: %j is string_type there`, async (value) => {
    const answer = await call(path, { ...example, [field]: value });
    expect(answer.status).toBe(422);
    expect(answer.of("detail", "0", "loc")).toEqual(["body", field]);
    // WHOIS has two spellings of its one member, and null stands for the one left out (interface 4).
    const isAbsence = value === null && product.name === "whois-lookup";
    expect(answer.of("detail", "0", "type")).toBe(isAbsence ? "missing" : "string_type");
    if (!isAbsence) expect(answer.of("detail", "0", "input")).toEqual(value);
  });

  test("no member at all is a 422, what is beside it is ignored", async () => {
    const answer = await call(path, { nonsense: [1, { x: null }] });
    expect(answer.status).toBe(422);
    expect(types(answer.of("detail"))).toEqual(["missing"]);
    expect((await call(path, { ...example, nonsense: 1, __proto__: 2 })).status).toBe(200);
  });

  test("no awkward text is a fault of ours", async () => {
    const statuses = new Map<string, number>();
    for (const text of AWKWARD) {
      const { status } = await call(path, { ...example, [field]: text });
      statuses.set(text.slice(0, 40), status);
    }
    expect([...statuses].filter(([, status]) => status !== 422 && status !== 200)).toEqual([]);
  });

  test("a balance below the price is a 402 without a lookup", async () => {
    const poor = await service.openAccount({ credits: price - 1 });
    const answer = await service.call({ path, key: poor.key, body: example });
    expect([answer.status, answer.of("errors", "0", "details", "cost")]).toEqual([402, price]);
    expect(await service.balanceOf(poor)).toBe(price - 1);
  });

  test("takes no other method and no other type, and needs a key", async () => {
    expect((await service.call({ method: "GET", path, key: account.key })).status).toBe(405);
    expect((await service.call({ path, body: example })).status).toBe(401);
    const headers = { "content-type": "text/plain" };
    const typed = { path, key: account.key, body: JSON.stringify(example), headers };
    expect((await callPatiently(service, typed)).status).toBe(415);
    const { status, headers: options } = await service.call({ method: "OPTIONS", path });
    expect([status, options["allow"], options["access-control-allow-origin"]]).toEqual([
      204,
      "OPTIONS, POST",
      undefined,
    ]);
  });
});

const BULK = PRODUCTS.flatMap(({ bulk, ...product }) => (bulk === null ? [] : [{ ...product, bulk }]));

describe.each(BULK)("POST /api/bulk/$name", ({ name, price, bulk, example }) => {
  const path = `/api/bulk/${name}`;
  const { [bulk.item]: item, ...shared } = Object.fromEntries(Object.entries(example));

  test("reports every item at its place, failed ones too, and charges all", async () => {
    const before = await service.balanceOf(account);
    const items = [item, "", `  ${item} `, "..", item];
    const answer = await call(path, { ...shared, [bulk.field]: items });
    expect(answer.status).toBe(200);
    expect(answer.of("data")).toMatchObject({ product: name, total_items: 5, credits_charged: 5 * price });
    const results = Object.values(Object(answer.of("data", "results")));
    expect(results.map((result) => Object(result).input)).toEqual(items);
    const failed = results.filter((result) => Object(result).status === "error").length;
    expect(answer.of("data", "failed")).toBe(failed);
    expect(answer.of("data", "successful")).toBe(5 - failed);
    expect(await service.balanceOf(account)).toBe(before - 5 * price);
  });

  const faults: [string, unknown, string, (string | number)[]][] = [
    ["an empty list", [], "too_short", [bulk.field]],
    ["101 items", Array(101).fill(item), "too_long", [bulk.field]],
    ["a text", item, "list_type", [bulk.field]],
    ["null", null, "list_type", [bulk.field]],
    [
      "null at 57",
      Array.from({ length: 60 }, (_, i) => (i === 57 ? null : item)),
      "string_type",
      [bulk.field, 57],
    ],
    ["a list in the list", [[item]], "string_type", [bulk.field, 0]],
  ];
  test.each(faults)("%s: %3$s", async (_what, list, type, loc) => {
    const answer = await call(path, { ...shared, [bulk.field]: list });
    expect(answer.status).toBe(422);
    expect(answer.of("detail", "0", "type")).toBe(type);
    expect(answer.of("detail", "0", "loc")).toEqual(["body", ...loc]);
    expect(types(answer.of("detail"))).toHaveLength(1);
  });

  test("100 awkward items are 100 results", async () => {
    const list = AWKWARD.map((text) => text.slice(0, 3000));
    const items = Array.from({ length: 100 }, (_, i) => list[i % list.length]);
    const answer = await call(path, { ...shared, [bulk.field]: items });
    expect([answer.status, answer.of("data", "total_items")]).toEqual([200, 100]);
    const errors = Object.values(Object(answer.of("data", "results"))).map((result) => Object(result).error);
    expect(errors.filter((error) => String(error).startsWith("internal_error"))).toEqual([]);
  });

  test("a balance below the price of all is a 402 that takes nothing", async () => {
    const poor = await service.openAccount({ credits: 2 * price - 1 });
    const answer = await service.call({
      path,
      key: poor.key,
      body: { ...shared, [bulk.field]: [item, item] },
    });
    expect([answer.status, answer.of("errors", "0", "details", "cost")]).toEqual([402, 2 * price]);
    expect(await service.balanceOf(poor)).toBe(2 * price - 1);
  });

  test("has half the plan's allowance", async () => {
    const { headers } = await callPatiently(service, { path, key: account.key, body: {} });
    expect([headers["x-ratelimit-limit"], headers["x-concurrency-limit"]]).toEqual(["50", "50"]);
  });
});

const FREE = PRODUCTS.flatMap(({ free, ...product }) =>
  free === null ? [] : [{ ...product, path: free.path }],
);

describe.each(FREE)("POST $path", ({ path, field, example }) => {
  // A client of its own for each tool and question.
  const tool = FREE.findIndex((one) => one.path === path);
  const free = (client: number, body: unknown) =>
    service.call({ path, body, from: `127.0.${10 + tool}.${client}` });

  test("answers without a key, with a sentence, and tells only the window's headers", async () => {
    const answer = await free(1, example);
    expect(answer.status).toBe(200);
    expect(answer.of("data", "message")).toMatch(/^[A-Z0-9].*\.$/);
    expect(answer.headers["access-control-allow-origin"]).toBe("*");
    const names = Object.keys(answer.headers).filter((name) => /^x-(rate|conc|cred)/.test(name));
    expect(names.toSorted()).toEqual([
      "x-ratelimit-limit",
      "x-ratelimit-remaining",
      "x-ratelimit-reset-after",
      "x-ratelimit-window",
    ]);
  });

  test("takes five a minute from one client, refused ones counted; the other tools have their own count", async () => {
    const statuses: number[] = [];
    for (const body of [{ [field]: 5 }, {}, "{", "", { [field]: null }, example]) {
      statuses.push((await free(2, body)).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
    for (const other of FREE.filter((one) => one.path !== path)) {
      const wish = { path: other.path, body: {}, from: `127.0.${10 + tool}.2` };
      expect((await service.call(wish)).headers["x-ratelimit-remaining"]).toBe("4");
    }
  });
});
