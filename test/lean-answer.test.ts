import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { at, memberOf } from "./contract.ts";
import { startTestService, type TestAccount, type TestService } from "./service.ts";

// Views, their choice and `GET /api/engines` on a running service over the shipped seed. Source: answers 1 to 5.

let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  service = await startTestService();
  account = await service.openAccount({ credits: 100_000 });
});
afterAll(() => service.close());

const ask = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  service.call({ path, body, headers, key: account.key });

const REPUTATION: readonly (readonly [path: string, field: string, value: string])[] = [
  ["/api/check-ip", "ip", "9.9.9.9"],
  ["/api/domain-reputation", "domain", "example.com"],
  ["/api/url-reputation", "url", "http://203.0.113.9/"],
  ["/api/email-reputation", "email", "jane@example.com"],
];
const OTHERS: typeof REPUTATION = [
  ["/api/dns-lookup", "domain", "example.com"],
  ["/api/whois-lookup", "query", "example.com"],
];
const emptied = (member: unknown): unknown => (Array.isArray(member) ? JSON.stringify(member) : member);
const bytes = (text: string): number => Buffer.byteLength(text);

describe("each view of each product", () => {
  test.each(REPUTATION)(
    "POST %s: the same score from all, smaller from left to right",
    async (path, field, value) => {
      const [full, standard, compact, verdict] = await Promise.all(
        ["full", "standard", "compact", "verdict"].map((view) =>
          ask(`${path}?view=${view}`, { [field]: value }),
        ),
      );
      for (const answer of [full, standard, compact, verdict]) {
        expect([answer?.status, answer?.of("data", field)]).toEqual([200, expect.any(String)]);
      }
      const scoreOf = (data: unknown): unknown =>
        memberOf(data, "risk_score") ?? at(data, ["report", "risk_score"]);
      const result = (answer: typeof full) => at(scoreOf(answer?.of("data")), ["result"]);
      expect([standard, compact, verdict].map(result)).toEqual([full, full, full].map(result));
      const sizes = [full, standard, compact, verdict].map((answer) => bytes(answer?.text ?? ""));
      expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
      expect(verdict?.of("data", "unanswered_count")).toBe(
        Object(standard?.of("data", "blacklists", "engines_unavailable")).length,
      );
    },
  );

  test.each([...REPUTATION, ...OTHERS])(
    "POST %s answers standard unless told otherwise",
    async (path, field, value) => {
      for (const view of ["", "?view=standard"]) {
        const answer = await ask(`${path}${view}`, { [field]: value });
        expect([answer.status, answer.headers["preference-applied"]]).toEqual([200, undefined]);
      }
    },
  );

  test.each(OTHERS)("POST %s has views without engines", async (path, field, value) => {
    for (const view of ["full", "compact", "verdict"]) {
      const answer = await ask(`${path}?view=${view}`, { [field]: value });
      expect(answer.status).toBe(200);
      if (view === "full") continue;
      const { unknown_fields: _, ...members } = Object(answer.of("data"));
      for (const member of Object.values(members)) expect([null, "", "[]"]).not.toContain(emptied(member));
    }
  });

  test.each([
    ["/api/bulk/check-ip", "ips", ["9.9.9.9", "x"]],
    ["/api/bulk/domain-reputation", "domains", ["example.com"]],
    ["/api/bulk/url-reputation", "urls", ["http://203.0.113.9/"]],
    ["/api/bulk/email-reputation", "emails", ["jane@example.com"]],
    ["/api/bulk/dns-lookup", "domains", ["example.com"]],
  ])("POST %s has them too, at the same price", async (path, field, items) => {
    const answers = await Promise.all(
      ["full", "standard", "compact", "verdict"].map((view) =>
        ask(`${path}?view=${view}`, { [field]: items }),
      ),
    );
    expect(new Set(answers.map(({ headers }) => headers["x-credits-charged"])).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(at(answers[3]?.of("data", "results"), ["0", "result", "freshness"])).toBeDefined();
  });
});

describe("the choice of a view", () => {
  const fault = (input: unknown) => ({
    loc: ["query", "view"],
    msg: expect.stringContaining("standard, full, compact, verdict"),
    type: "value_error",
    input,
    ctx: { reason: "unknown_view", expected: ["standard", "full", "compact", "verdict"] },
  });

  test.each([
    ["?view=tiny", "tiny"],
    ["?view=", ""],
    ["?view=Compact", "Compact"],
    ["?view=compact&view=full", ["compact", "full"]],
  ])("%s is a 422, not charged, on single and bulk", async (query, input) => {
    const before = await service.balanceOf(account);
    for (const [path, body] of [
      ["/api/check-ip", { ip: "9.9.9.9" }],
      ["/api/bulk/check-ip", { ips: ["9.9.9.9"] }],
      ["/api/whois-lookup", { query: "example.com" }],
    ] as const) {
      const answer = await ask(path + query, body);
      expect([answer.status, answer.of("detail")]).toEqual([422, [fault(input)]]);
    }
    expect(await service.balanceOf(account)).toBe(before);
  });

  test("is judged with the body: all faults are told, the query's first", async () => {
    const answer = await ask("/api/check-ip?view=x", { ip: 7 });
    expect(answer.of("detail")).toMatchObject([fault("x"), { loc: ["body", "ip"], type: "string_type" }]);
  });

  test.each([
    ["return=minimal", true],
    ["Return=minimal", true],
    ['return="minimal"', true],
    ['foo="a,return=representation"; x=1, return=minimal; y', true],
    ["respond-async, wait=10,  return = minimal", true],
    ["return=representation", false],
    ["return=representation, return=minimal", false],
    ["return", false],
    ["return=minimalist", false],
    ['x="return=minimal"', false],
    ["x; return=minimal", false],
    ["handling=lenient", false],
  ])("Prefer: %s asks for compact: %s", async (prefer, isApplied) => {
    const answer = await ask("/api/check-ip", { ip: "9.9.9.9" }, { prefer });
    expect(answer.headers["preference-applied"]).toBe(isApplied ? "return=minimal" : undefined);
    expect(answer.of("data", "blacklists", "clear") !== undefined).toBe(isApplied);
  });

  test("?view= wins over Prefer", async () => {
    const answer = await ask("/api/check-ip?view=full", { ip: "9.9.9.9" }, { prefer: "return=minimal" });
    expect(answer.headers["preference-applied"]).toBeUndefined();
    expect(answer.of("data", "blacklists", "engines_disabled", "engines")).toBeDefined();
  });

  test("free tools have no views", async () => {
    const wish = { path: "/api/free/check-ip?view=x", body: { ip: "9.9.9.9" }, from: "127.0.0.61" };
    expect((await service.call(wish)).status).toBe(200);
  });
});

describe("GET /api/engines", () => {
  const get = (query = "", headers: Readonly<Record<string, string>> = {}, method = "GET") =>
    service.call({ method, path: `/api/engines${query}`, headers });
  const listOf = (answer: Awaited<ReturnType<typeof get>>): readonly Record<string, unknown>[] =>
    Object(answer.of("data", "engines"));

  test("names every engine of the installation, on and off, without a key, for any page", async () => {
    const answer = await get();
    expect([answer.status, answer.headers["access-control-allow-origin"]]).toEqual([200, "*"]);
    const all = listOf(answer);
    expect(all).toHaveLength(Number(answer.of("data", "total")));
    expect(all.length).toBeGreaterThan(300);
    for (const { enabled, disabled_reason: reason, state } of all) {
      expect([reason === null, state === "disabled"]).toEqual([enabled, !enabled]);
    }
    const off = Object(await ask("/api/check-ip?view=full", { ip: "9.9.9.9" })).of("data", "blacklists");
    for (const { key, class: of, reason } of Object(memberOf(memberOf(off, "engines_disabled"), "engines"))) {
      expect(all).toContainEqual(
        expect.objectContaining({ key, enabled: false, disabled_class: of, disabled_reason: reason }),
      );
    }
  });

  test("filters by target and by whether they are on; any other value is a 422", async () => {
    const some = listOf(await get("?target=ip&enabled=false"));
    expect(some.length).toBeGreaterThan(50);
    for (const one of some) expect(one).toMatchObject({ target: "ip", enabled: false });
    const bad = await get("?target=asn&enabled=1");
    expect([bad.status, bad.of("detail")]).toMatchObject([
      422,
      [
        { loc: ["query", "target"], input: "asn" },
        { loc: ["query", "enabled"], input: "1" },
      ],
    ]);
    expect((await get("?target=ip&target=url")).status).toBe(422);
  });

  test("has a strong tag, and is a 304 for a caller who has it", async () => {
    const etag = String((await get()).headers["etag"]);
    expect(etag).toMatch(/^"[^"]+"$/);
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const again = await get("", { "if-none-match": known });
      expect([again.status, again.text, again.headers["etag"]]).toEqual([304, "", etag]);
      expect(again.headers["content-type"]).toBeUndefined();
    }
    for (const other of ['"x"', etag.slice(1, -1), ""]) {
      expect((await get("", { "if-none-match": other })).status).toBe(200);
    }
    expect((await get("?target=ip")).headers["etag"]).not.toBe(etag);
  });

  test("knows HEAD, OPTIONS and no other method", async () => {
    const head = await get("", {}, "HEAD");
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers["etag"]).toBe((await get()).headers["etag"]);
    const options = await get("", {}, "OPTIONS");
    expect([options.status, options.headers["access-control-allow-methods"]]).toEqual([
      204,
      "GET, HEAD, OPTIONS",
    ]);
    expect((await get("", {}, "POST")).status).toBe(405);
  });
});

describe("compression", () => {
  const raw = async (path: string, accept: string, init: RequestInit = {}) => {
    const headers = { ...Object(init.headers), "accept-encoding": accept };
    const { promise, resolve } = Promise.withResolvers<{
      encoding: unknown;
      vary: unknown;
      body: Buffer;
      etag: unknown;
    }>();
    const { request } = await import("node:http");
    const call = request(service.address + path, { headers, agent: false }, async (response) => {
      const body = Buffer.concat(await response.toArray());
      const { "content-encoding": encoding, vary, etag } = response.headers;
      resolve({ encoding, vary, body, etag });
    });
    call.end();
    return promise;
  };

  test.each(["/openapi.json", "/docs", "/docs/url-reputation", "/api/engines"])(
    "%s by Accept-Encoding",
    async (path) => {
      const plain = await raw(path, "identity");
      expect([plain.encoding, plain.vary]).toEqual([undefined, "Accept-Encoding"]);
      const gzip = await raw(path, "gzip, deflate");
      const brotli = await raw(path, "gzip, deflate, br, zstd");
      expect([gzip.encoding, brotli.encoding]).toEqual(["gzip", "br"]);
      expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
      expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
      if (path === "/api/engines") expect(new Set([plain.etag, gzip.etag, brotli.etag]).size).toBe(3);
    },
  );

  test.each([
    ["br;q=0, gzip;q=0.5", "gzip"],
    ["gzip;q=0, br;q=0", undefined],
    ["*", "br"],
    ["*;q=0", undefined],
    ["gzip;q=1, br;q=0.2", "gzip"],
    ["identity;q=1, gzip;q=0.5", undefined],
    ["GZIP", "gzip"],
    ["gzipped", undefined],
  ])("Accept-Encoding: %s is answered with %s", async (accept, encoding) => {
    expect((await raw("/openapi.json", accept)).encoding).toBe(encoding);
  });

  test("metered answers are where the operator and the caller want it, from 8 kB on", async () => {
    const packing = await startTestService({ file: { server: { compress_answers: "on" } } });
    try {
      const { key } = await packing.openAccount({ credits: 10 });
      const send = async (view: string, accept: string) => {
        const answer = await fetch(`${packing.address}/api/check-ip?view=${view}`, {
          method: "POST",
          headers: { "x-api-key": key, "content-type": "application/json", "accept-encoding": accept },
          body: '{"ip":"9.9.9.9"}',
        });
        const { data } = Object(await answer.json());
        expect([answer.headers.get("vary"), data.ip]).toEqual(["accept-encoding", "9.9.9.9"]);
        return answer.headers.get("content-encoding");
      };
      expect(await send("full", "gzip, br")).toBe("gzip");
      expect(await send("full", "br")).toBeNull();
      expect(await send("full", "identity")).toBeNull();
      expect(await send("verdict", "gzip")).toBeNull();
    } finally {
      await packing.close();
    }
  });

  test("metered answers are not compressed unless the operator says so", async () => {
    const answer = await ask("/api/check-ip?view=full", { ip: "9.9.9.9" }, { "accept-encoding": "gzip" });
    expect([answer.headers["content-encoding"], answer.headers["vary"]]).toEqual([undefined, undefined]);
  });
});
