import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../src/base/clock.ts";
import { putSnapshots } from "./prepared-snapshots.ts";
import {
  callPatiently,
  reverseNames,
  startTestService,
  type TestAccount,
  type TestService,
} from "./service.ts";

let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  service = await startTestService({ file: { server: { trust_proxy: ["127.0.0.200/32"] } } });
  account = await service.openAccount();
});
afterAll(() => service.close());

const SINGLE = "/api/check-ip";
const BULK = "/api/bulk/check-ip";
const FREE = "/api/free/check-ip";

const call = (path: string, body: unknown) => callPatiently(service, { path, key: account.key, body });

describe("422", () => {
  const addressWanted = "This is not an IPv4 or IPv6 address";
  const value = (input: string, reason = "invalid_ip", msg = addressWanted) => [
    { loc: ["body", "ip"], msg, type: "value_error", input, ctx: { reason } },
  ];
  const invalidJson = (offset: number, error: unknown = expect.any(String)) => [
    {
      loc: ["body", offset],
      msg: "The body is not valid JSON",
      type: "json_invalid",
      input: {},
      ctx: { error },
    },
  ];
  const required = (input: unknown) => [
    { loc: ["body", "ip"], msg: "This member is required", type: "missing", input },
  ];
  const noObject = (input: unknown) => [
    { loc: ["body"], msg: "A JSON object is wanted", type: "model_attributes_type", input },
  ];
  const noText = (input: unknown) => [
    { loc: ["body", "ip"], msg: "A string is wanted", type: "string_type", input },
  ];

  const singles: [string, unknown, unknown][] = [
    ["no body", "", [{ loc: ["body"], msg: "A JSON object is wanted", type: "missing", input: null }]],
    ["an empty object", {}, required({})],
    ["another member", { IP: "8.8.8.8" }, required({ IP: "8.8.8.8" })],
    ["a list", ["8.8.8.8"], noObject(["8.8.8.8"])],
    ["null", "null", noObject(null)],
    ["a text", '"8.8.8.8"', noObject("8.8.8.8")],
    ["a number", "5", noObject(5)],
    ["true", "true", noObject(true)],
    ["null as the address", { ip: null }, noText(null)],
    ["a number as the address", { ip: 134744072 }, noText(134744072)],
    ["a list as the address", { ip: ["8.8.8.8"] }, noText(["8.8.8.8"])],
    ["an object as the address", { ip: { ip: "8.8.8.8" } }, noText({ ip: "8.8.8.8" })],
    ["a blank", { ip: "  " }, value("  ", "empty", "An IP address is wanted, not an empty text")],
    ["a name", { ip: "example.com" }, value("example.com")],
    ["a range", { ip: "8.8.8.0/24" }, value("8.8.8.0/24", "cidr", "One address is wanted, not a range")],
    ["a port", { ip: "8.8.8.8:53" }, value("8.8.8.8:53", "port", "An address without a port is wanted")],
    [
      "a zone",
      { ip: "fe80::1%eth0" },
      value("fe80::1%eth0", "zone_id", "An address with a zone id is not accepted"),
    ],
    ["half a surrogate pair", '{"ip":"\\ud800"}', value("\ud800")],
    ["the last of two equal members", '{"ip":"8.8.8.8","ip":"x"}', value("x")],
    ["a comma too much", '{"ip":"8.8.8.8",}', invalidJson(16)],
    ["two values", '{"ip":"8.8.8.8"} {}', invalidJson(17)],
    ["a premature end", '{"ip":"8.8.8.8"', invalidJson(15)],
    ["a premature end inside a text", '{"ip":"8.8', invalidJson(10)],
    ["a lone brace", "}", invalidJson(0)],
    ["NaN", '{"ip":NaN}', invalidJson(6)],
    ["a comment", '{/**/"ip":"8.8.8.8"}', invalidJson(1)],
    ["single quotes", "{'ip':'8.8.8.8'}", invalidJson(1)],
    ["a byte order mark", '\ufeff{"ip":"8.8.8.8"}', invalidJson(0)],
    ["33 levels", `{"x":${"[".repeat(32)}`, invalidJson(36, "Nesting deeper than 32")],
    ["UTF-16", Buffer.from('{"ip":"8.8.8.8"}', "utf16le"), invalidJson(1)],
    ["broken UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), invalidJson(0, "The body is not valid UTF-8")],
    ["a form", "ip=8.8.8.8", invalidJson(0)],
  ];

  test.each(singles)("%s", async (_name, body, detail) => {
    const before = await service.balanceOf(account);
    const asked = reverseNames(service.dns).length;
    const answer = await call(SINGLE, body);
    expect(answer.status).toBe(422);
    expect(JSON.parse(answer.text)).toEqual({ detail });
    expect(await service.balanceOf(account)).toBe(before);
    expect(reverseNames(service.dns).length).toBe(asked);
  });

  test("32 levels are read, and what stands beside the address is ignored", async () => {
    const body = `{"ip":"8.8.8.8","x":${"[".repeat(31)}${"]".repeat(31)}}`;
    expect((await call(SINGLE, body)).status).toBe(200);
  });

  const addresses = (count: number) => Array.from({ length: count }, (_, i) => `203.0.113.${i}`);
  const field = { field_type: "List" };
  const lists: [string, unknown, unknown][] = [
    [
      "no list",
      { ips: "8.8.8.8" },
      [{ loc: ["body", "ips"], msg: "A list is wanted", type: "list_type", input: "8.8.8.8" }],
    ],
    [
      "null",
      { ips: null },
      [{ loc: ["body", "ips"], msg: "A list is wanted", type: "list_type", input: null }],
    ],
    ["nothing", {}, [{ loc: ["body", "ips"], msg: "This member is required", type: "missing", input: {} }]],
    [
      "an empty list",
      { ips: [] },
      [
        {
          loc: ["body", "ips"],
          msg: "At least 1 item is wanted, found 0",
          type: "too_short",
          input: [],
          ctx: { ...field, min_length: 1, actual_length: 0 },
        },
      ],
    ],
    [
      "101 items",
      { ips: addresses(101) },
      [
        {
          loc: ["body", "ips"],
          msg: "At most 100 items are wanted, found 101",
          type: "too_long",
          input: addresses(101),
          ctx: { ...field, max_length: 100, actual_length: 101 },
        },
      ],
    ],
    [
      "a number at 3, null at 4, a list at 5",
      { ips: ["8.8.8.8", "x", "1.1.1.1", 5, null, ["9.9.9.9"]] },
      [
        { loc: ["body", "ips", 3], msg: "A string is wanted", type: "string_type", input: 5 },
        { loc: ["body", "ips", 4], msg: "A string is wanted", type: "string_type", input: null },
        { loc: ["body", "ips", 5], msg: "A string is wanted", type: "string_type", input: ["9.9.9.9"] },
      ],
    ],
  ];

  test.each(lists)("of a batch: %s", async (_name, body, detail) => {
    const before = await service.balanceOf(account);
    const answer = await call(BULK, body);
    expect(answer.status).toBe(422);
    expect(JSON.parse(answer.text)).toEqual({ detail });
    expect(await service.balanceOf(account)).toBe(before);
  });

  const words = ["__proto__", "constructor", "toString", "hasOwnProperty", "prototype", "valueOf"];
  test.each(words)("the member %s is data and leaves no trace", async (word) => {
    for (const path of [SINGLE, BULK]) {
      for (const inner of ['{"ip":"8.8.8.8","ips":["8.8.8.8"]}', '"8.8.8.8"', "null"]) {
        const answer = await call(path, `{"${word}":${inner}}`);
        expect([answer.status, answer.of("detail", "0", "type")]).toEqual([422, "missing"]);
      }
    }
    expect((await call(SINGLE, {})).of("detail", "0", "input")).toEqual({});
    const clean = await call(SINGLE, { ip: "8.8.8.8", [word]: { polluted: true } });
    expect([clean.status, clean.text.includes("polluted")]).toEqual([200, false]);
  });
});

describe("POST /api/bulk/check-ip", () => {
  test("answers in order, keeps duplicates, reports bad items one by one and charges each", async () => {
    const ips = [
      " 8.8.8.8",
      "nonsense",
      "8[.]8[.]8[.]8",
      "2001:4860:4860:0::8888",
      "8.8.8.8/32",
      "",
      "8.8.8.8",
    ];
    const before = await service.balanceOf(account);
    const answer = await call(BULK, { ips });
    expect(answer.status).toBe(200);
    expect(answer.of("data")).toMatchObject({
      product: "check-ip",
      total_items: 7,
      successful: 4,
      failed: 3,
      credits_charged: 7,
      results: [
        { input: " 8.8.8.8", status: "success", result: { ip: "8.8.8.8", input: " 8.8.8.8" }, error: null },
        { input: "nonsense", status: "error", error: "invalid_input: This is not an IPv4 or IPv6 address" },
        { input: "8[.]8[.]8[.]8", status: "success", result: { ip: "8.8.8.8", input: "8[.]8[.]8[.]8" } },
        { input: "2001:4860:4860:0::8888", status: "success", result: { ip: "2001:4860:4860::8888" } },
        { input: "8.8.8.8/32", status: "error", error: "invalid_input: One address is wanted, not a range" },
        { input: "", status: "error", result: null },
        { input: "8.8.8.8", status: "success", result: { ip: "8.8.8.8", input: "8.8.8.8" } },
      ],
    });
    expect(answer.headers["x-credits-charged"]).toBe("7");
    expect(await service.balanceOf(account)).toBe(before - 7);
  });

  test("takes 1 and 100 items, all bad ones too, and looks equal ones up once", async () => {
    const asked = reverseNames(service.dns).length;
    const same = await call(BULK, { ips: Array.from({ length: 100 }, () => "192.0.79.7") });
    expect([same.of("data", "successful"), same.of("data", "credits_charged")]).toEqual([100, 100]);
    expect(reverseNames(service.dns).slice(asked)).toHaveLength(1);
    const bad = await call(BULK, { ips: ["x"] });
    expect([bad.status, bad.of("data", "failed"), bad.of("data", "credits_charged")]).toEqual([200, 1, 1]);
  });

  test("gives each item what the single endpoint gives", async () => {
    const ips = ["8.8.8.8", "127.0.0.1", "::ffff:1.1.1.1", "2002:808:808::1"];
    const bulk = await call(BULK, { ips });
    const volatile = /"(\w+_ms|(\w+_)?age_s|days_since_\w+)":\d+|"computed_at":"[^"]+"|"cached":\w+/g;
    // Lists are being retrieved meanwhile, in vain.
    const still = (report: unknown) =>
      JSON.stringify(report, (name, value) => (name === "engines_unavailable" ? [] : value)).replace(
        volatile,
        "",
      );
    for (const [i, ip] of ips.entries()) {
      const single = await call(SINGLE, { ip });
      expect(still(bulk.of("data", "results", String(i), "result"))).toBe(still(single.of("data")));
    }
  });

  test("takes one start and one slot for a whole batch", async () => {
    const other = await service.openAccount();
    const wish = { path: BULK, key: other.key, body: { ips: ["8.8.8.8", "1.1.1.1", "9.9.9.9"] } };
    const { headers } = await service.call(wish);
    expect([headers["x-ratelimit-remaining"], headers["x-concurrency-remaining"]]).toEqual(["49", "49"]);
  });
});

describe("POST /api/free/check-ip", () => {
  const free = (from: string, body: unknown = { ip: "8.8.8.8" }, headers = {}) =>
    service.call({ path: FREE, body, from, headers });

  test("needs no key, costs nothing and gives the reduced answer", async () => {
    const answer = await free("127.0.1.1");
    expect(answer.status).toBe(200);
    expect(answer.of("data")).toMatchObject({
      ip: "8.8.8.8",
      asn: "AS15169",
      country_code: "US",
      risk_score: null,
    });
    expect(answer.of("data", "engines")).toHaveLength(10);
    expect(answer.of("data", "message")).toMatch(
      /^Only 0 of \d+ engines answered with fresh data: no verdict\.$/,
    );
    const names = Object.keys(answer.headers).filter((name) => /^x-(rate|conc|cred)/.test(name));
    expect(names.toSorted()).toEqual(RATE_LIMIT_HEADERS);
    expect(answer.headers["x-ratelimit-window"]).toBe("60");
    expect(answer.headers["x-ratelimit-limit"]).toBe("5");
    expect(answer.headers["x-ratelimit-remaining"]).toBe("4");
    expect(answer.headers["x-ratelimit-reset-after"]).toBe("0");
  });
  const RATE_LIMIT_HEADERS = [
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
    "x-ratelimit-reset-after",
    "x-ratelimit-window",
  ];

  test("says of a private address that it is none of the public ones", async () => {
    const answer = await free("127.0.1.1", { ip: "192.168.1.1" });
    expect(answer.of("data", "message")).toBe("Not a public address (private).");
    expect(answer.of("data", "risk_score")).toBe(0);
  });

  test("takes five a minute from one client, refused ones counted, and no more", async () => {
    const statuses: number[] = [];
    for (const body of [{ ip: "8.8.8.8" }, { ip: "x" }, {}, "{", { ip: "1.1.1.1" }, { ip: "8.8.8.8" }]) {
      statuses.push((await free("127.0.1.2", body)).status);
    }
    expect(statuses).toEqual([200, 422, 422, 422, 200, 429]);
    const refused = await free("127.0.1.2");
    expect(refused.headers["x-ratelimit-scope"]).toBe("requests");
    expect(refused.headers["access-control-allow-origin"]).toBe("*");
    expect(refused.headers["x-concurrency-limit"]).toBeUndefined();
    const seconds = Number(refused.headers["retry-after"]);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(refused.of("errors")).toEqual([
      {
        code: "RATE_LIMIT_EXCEEDED",
        message: `More than 5 calls in 60 seconds; try again in ${seconds} s`,
        field: null,
        details: null,
      },
    ]);
    expect((await free("127.0.1.3")).status).toBe(200);
  });

  const remaining = async (from: string, headers: Record<string, string | string[]>) =>
    (await free(from, { ip: "x" }, headers)).headers["x-ratelimit-remaining"];

  test("believes X-Forwarded-For of a trusted proxy alone, and no other header", async () => {
    const via = "127.0.0.200";
    expect(await remaining(via, { "x-forwarded-for": "198.51.100.1" })).toBe("4");
    expect(await remaining(via, { "x-forwarded-for": "10.9.9.9, 198.51.100.1" })).toBe("3");
    expect(await remaining(via, { "x-forwarded-for": "8.8.4.4, 198.51.100.1, 127.0.0.200" })).toBe("2");
    expect(await remaining(via, { "x-forwarded-for": ["8.8.4.4", "198.51.100.1"] })).toBe("1");
    expect(await remaining(via, { "x-forwarded-for": "198.51.100.2" })).toBe("4");
    for (const [name, i] of [
      ["x-real-ip", 4],
      ["forwarded", 3],
      ["cf-connecting-ip", 2],
    ] as const) {
      expect(
        await remaining("127.0.1.4", { [name]: "198.51.100.9", "x-forwarded-for": `198.51.100.${i}` }),
      ).toBe(String(i));
    }
  });

  test("takes the last good address where the header cannot be read", async () => {
    const via = "127.0.0.200";
    expect(await remaining(via, { "x-forwarded-for": "not an address" })).toBe("4");
    expect(await remaining(via, { "x-forwarded-for": "198.51.100.7:port" })).toBe("3");
    expect(await remaining(via, { "x-forwarded-for": "" })).toBe("2");
    expect(await remaining(via, { "x-forwarded-for": "198.51.100.5, junk, 127.0.0.200" })).toBe("1");
  });

  test("leaves out the port that some proxies write behind an address", async () => {
    const via = "127.0.0.200";
    expect(await remaining(via, { "x-forwarded-for": "198.51.100.7:99" })).toBe("4");
    expect(await remaining(via, { "x-forwarded-for": "198.51.100.7" })).toBe("3");
    expect(await remaining(via, { "x-forwarded-for": "[2001:db8:1:7::1]:99" })).toBe("4");
  });

  test("counts IPv6 by /64 and a mapped address as its IPv4", async () => {
    const via = "127.0.0.200";
    expect(await remaining(via, { "x-forwarded-for": "2001:db8:1:2::1" })).toBe("4");
    expect(await remaining(via, { "x-forwarded-for": "2001:db8:1:2:ffff::9" })).toBe("3");
    expect(await remaining(via, { "x-forwarded-for": "2001:db8:1:3::1" })).toBe("4");
    expect(await remaining(via, { "x-forwarded-for": "203.0.113.77" })).toBe("4");
    expect(await remaining(via, { "x-forwarded-for": "::ffff:203.0.113.77" })).toBe("3");
  });
});

test("while data is being prepared, product calls are 503, uncharged, and all else is answered", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "repute-preparing-"));
  await putSnapshots(dataDir);
  rmSync(join(dataDir, "snapshots", "asn.bin"));
  const fresh = await startTestService({ dataDir });
  try {
    const { key, email, id } = await fresh.openAccount();
    for (const wish of [
      { path: SINGLE, key, body: { ip: "8.8.8.8" } },
      { path: BULK, key, body: { ips: ["8.8.8.8"] } },
      { path: FREE, body: { ip: "8.8.8.8" } },
    ]) {
      const answer = await fresh.call(wish);
      expect([answer.status, answer.of("errors", "0", "code")]).toEqual([503, "SERVICE_UNAVAILABLE"]);
      expect(answer.of("errors", "0", "message")).toMatch(/^The data is being prepared \(asn\); try again/);
      expect(answer.headers["retry-after"]).toBe("2");
    }
    const ready = await fresh.call({ method: "GET", path: "/readyz" });
    expect([ready.status, ready.of("status")]).toEqual([503, "not_ready"]);
    expect(ready.of("missing")).toEqual(["asn"]);
    for (const path of ["/livez", "/api/health", "/openapi.json", "/"]) {
      expect((await fresh.call({ method: "GET", path })).status).toBe(200);
    }
    expect((await fresh.call({ path: SINGLE, key, body: {} })).status).toBe(422);
    expect((await fresh.call({ method: "GET", path: "/api/account/subscription", key })).status).toBe(200);
    expect(await fresh.balanceOf({ id, key, email })).toBe(1_500_000);
    for (;;) {
      const answer = await fresh.call({ path: SINGLE, key, body: { ip: "8.8.8.8" } });
      if (answer.status === 200) break;
      expect(answer.status).toBe(503);
      await systemClock.sleep(100);
    }
    expect((await fresh.call({ method: "GET", path: "/readyz" })).status).toBe(200);
  } finally {
    await fresh.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test("a fault of ours is a 500 that tells nothing, is not charged and is in the log", async () => {
  const broken = await startTestService();
  try {
    const owner = await broken.openAccount();
    await broken.db.kysely.schema.alterTable("calls").dropColumn("client_address").execute();
    const answer = await broken.call({ path: SINGLE, key: owner.key, body: { ip: "8.8.8.8" } });
    expect(answer.status).toBe(500);
    expect(answer.of("errors")).toEqual([
      {
        code: "INTERNAL_ERROR",
        message: "The service failed; the call was not charged",
        field: null,
        details: null,
      },
    ]);
    expect(answer.headers["x-ratelimit-limit"]).toBe("100");
    expect(await broken.balanceOf(owner)).toBe(1_500_000);
    expect(broken.logged()).toContain(String(answer.headers["x-request-id"]));
    expect(broken.logged()).toContain("no column named client_address");
    const again = await broken.call({ path: SINGLE, key: owner.key, body: { ip: "8.8.8.8" } });
    expect(again.headers["x-concurrency-remaining"]).toBe("99");
  } finally {
    await broken.close();
  }
});
