import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TokenScope } from "../src/accounts/token-scopes.ts";
import { systemClock } from "../src/base/clock.ts";
import { createExportFetches } from "../src/exports/fetches.ts";
import { exportsDirOf } from "../src/exports/state.ts";
import { startTestService, type TestService } from "./service.ts";

let service: TestService;
let folder = "";
let email = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "repute-exports-route-"));
  const list = (name: string, lines: readonly string[]) => {
    writeFileSync(join(folder, name), lines.join("\n"));
    return {
      url: pathToFileURL(join(folder, name)).href,
      format: "plain",
      category: "attack",
      confidence: "high",
    };
  };
  const many = Array.from({ length: 5000 }, (_, i) => `45.${i >> 7}.${(i & 127) * 2}.1`);
  service = await startTestService({
    file: {
      engines: {
        builtin: false,
        feeds: [
          { key: "many", target: "ip", ...list("many.txt", many) },
          { key: "names", target: "domain", ...list("names.txt", ["evil.example.com"]), category: "malware" },
        ],
      },
      exports: [{ name: "edge" }, { name: "names", target: "domain" }, { name: "none", min_score: 100 }],
    },
  });
  email = (await service.openAccount()).email;
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

const tokenFor = async (...scopes: readonly TokenScope[]): Promise<string> =>
  (await service.accounts.createToken({ email, scopes })).text;

const get = (
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = "GET",
): Promise<Response> => fetch(`${service.address}${path}`, { headers, method });

/** The first build follows the index: until then the answer is 503. */
async function whenServed(path: string): Promise<Response> {
  const untilMs = systemClock.monotonicMs() + 120_000;
  const token = await tokenFor("exports:edge", "exports:names");
  while (systemClock.monotonicMs() < untilMs) {
    const answer = await get(path, { "x-api-key": token });
    if (answer.status === 200) return answer;
    // A first request may have ended its wait while the body was made.
    expect([429, 503]).toContain(answer.status);
    expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
    await answer.arrayBuffer();
    await systemClock.sleep(300);
  }
  throw new Error(`${path} is never served`);
}

describe("a file:", () => {
  test("is sent whole, with its length, its tag and what it is", async () => {
    const answer = await whenServed("/api/exports/edge.txt");
    const text = await answer.text();
    expect(answer.status).toBe(200);
    const lines = text
      .trim()
      .split("\n")
      .filter((line) => !line.startsWith("#"));
    expect(lines).toHaveLength(5000);
    const { headers } = answer;
    expect(
      Object.fromEntries(
        ["x-export-entries", "x-export-truncated", "content-type", "cache-control"].map((name) => [
          name,
          headers.get(name),
        ]),
      ),
    ).toEqual({
      "x-export-entries": "5000",
      "x-export-truncated": "0",
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "private, no-cache",
    });
    const generation = headers.get("x-export-generation");
    expect(headers.get("etag")).toMatch(new RegExp(`^"${generation}-txt-[0-9a-f]{16}(-gzip)?"$`));
    expect(Date.parse(headers.get("last-modified") ?? "")).toBe(
      Date.parse(headers.get("x-export-made-at") ?? ""),
    );
  });

  test("comes by every way to carry a token, packed or not, and not at all where nothing changed", async () => {
    const ways = [
      (token: string) => ["/api/exports/edge.txt", { "x-api-key": token }] as const,
      (token: string) => ["/api/exports/edge.txt", { authorization: `Bearer ${token}` }] as const,
      (token: string) =>
        [
          "/api/exports/edge.txt",
          { authorization: `Basic ${Buffer.from(`any:${token}`).toString("base64")}` },
        ] as const,
      (token: string) => [`/x/${token}/edge.txt`, {}] as const,
    ];
    const bodies = new Set<string>();
    for (const way of ways) {
      const [path, headers] = way(await tokenFor("exports:edge"));
      const answer = await get(path, headers);
      expect([path.slice(0, 12), answer.status]).toEqual([path.slice(0, 12), 200]);
      bodies.add(
        createHash("sha256")
          .update(await answer.text())
          .digest("hex"),
      );
      const again = await get(path, { ...headers, "if-none-match": answer.headers.get("etag") ?? "" });
      expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([
        304,
        "",
        answer.headers.get("etag"),
      ]);
    }
    expect(bodies.size).toBe(1);
    const listed = await get("/api/exports", { "x-api-key": await tokenFor("exports:edge") });
    const text = await listed.text();
    expect(text).toContain([...bodies][0]);
    expect(text).not.toContain('"names"');
  });

  test("HEAD tells all of it and sends nothing; gzip is the same list", async () => {
    const token = await tokenFor("exports:edge");
    const head = await fetch(`${service.address}/api/exports/edge.txt`, {
      method: "HEAD",
      headers: { "x-api-key": token, "accept-encoding": "identity" },
    });
    const whole = await get("/api/exports/edge.txt", { "x-api-key": token, "accept-encoding": "identity" });
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect([head.status, await head.text(), head.headers.get("content-length")]).toEqual([
      200,
      "",
      String(bytes.byteLength),
    ]);
    expect(whole.headers.get("etag")).toBe(head.headers.get("etag"));
    const same = await fetch(`${service.address}/api/exports/edge.txt`, {
      method: "HEAD",
      headers: { "x-api-key": token, "if-none-match": "*" },
    });
    // Nor the length of nothing, which is not that of what did not change.
    expect([same.status, same.headers.get("content-length")]).toEqual([304, null]);
    const path = `/x/${await tokenFor("exports:edge")}/edge.txt`;
    const packed = await get(path, { "accept-encoding": "gzip" });
    expect(Buffer.from(await packed.arrayBuffer()).equals(bytes)).toBe(true);
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(Number(packed.headers.get("content-length"))).toBeLessThan(bytes.byteLength / 2);
  });

  test.each<[string, Readonly<Record<string, string>>, boolean]>([
    ["/api/exports/edge.nft", {}, false],
    ["/api/exports/edge.nft", { "if-none-match": "*" }, true],
    ["/api/exports/edge.nft", { "if-none-match": "*", "accept-encoding": "identity" }, true],
    ["/x/TOKEN/edge.nft", {}, false],
    ["/x/TOKEN/edge.nft", { "if-none-match": "*" }, true],
  ])(
    "%s with %o is noted with the generation that its consumer has since then",
    async (path, more, unchanged) => {
      const { headers } = await whenServed("/api/exports/edge.nft");
      const token = await tokenFor("exports:edge");
      const sent = path.startsWith("/x/") ? more : { "x-api-key": token, ...more };
      const answer = await get(path.replace("TOKEN", token), { "user-agent": "firewall/1", ...sent });
      await answer.arrayBuffer();
      expect(answer.status).toBe(unchanged ? 304 : 200);
      const fetches = createExportFetches(exportsDirOf(service.dataDir), systemClock);
      await expect
        .poll(() => fetches.of("edge").find((one) => token.startsWith(one.token)), { timeout: 20_000 })
        .toMatchObject({
          format: "nft",
          generation: Number(headers.get("x-export-generation")),
          unchanged,
          user_agent: "firewall/1",
        });
    },
  );

  test.each(["", "?v=4"])(
    "what an answer says of it, it says where nothing changed too (%s)",
    async (query) => {
      await (await whenServed(`/api/exports/edge.txt${query}`)).arrayBuffer();
      const token = await tokenFor("exports:edge");
      const sent = { "x-api-key": token, "accept-encoding": "identity", "x-request-id": "wanted-by-me" };
      const whole = await get(`/api/exports/edge.txt${query}`, sent);
      await whole.arrayBuffer();
      const etag = whole.headers.get("etag") ?? "";
      const same = await get(`/api/exports/edge.txt${query}`, {
        ...sent,
        "if-none-match": `"old", W/${etag}`,
      });
      expect([whole.status, same.status]).toEqual([200, 304]);
      const told = ({ headers }: Response) =>
        [...headers].filter(([name]) => !["date", "content-length", "content-type"].includes(name));
      expect(told(same)).toEqual(told(whole));
      expect(same.headers.get("x-request-id")).toBe("wanted-by-me");
      // Of one file; of another with the same name nothing is known.
      const other = await get("/api/exports/edge.txt?v=6", { ...sent, "if-none-match": etag });
      expect(other.status).toBe(503);
    },
  );

  test("by a date alone it is told whether anything changed", async () => {
    const { headers } = await whenServed("/api/exports/edge.csv");
    const modified = headers.get("last-modified") ?? "";
    const token = await tokenFor("exports:edge");
    const status = async (more: Readonly<Record<string, string>>) =>
      (
        await fetch(`${service.address}/api/exports/edge.csv`, {
          method: "HEAD",
          headers: { "x-api-key": token, ...more },
        })
      ).status;
    expect(await status({ "if-modified-since": modified })).toBe(304);
    // Of another time, of none, and where a tag says more than the date.
    expect(await status({ "if-modified-since": new Date(Date.parse(modified) + 1000).toUTCString() })).toBe(
      200,
    );
    expect(await status({ "if-modified-since": "yesterday" })).toBe(200);
    expect(await status({ "if-modified-since": modified, "if-none-match": '"other"' })).toBe(200);
  });

  test("who sends the password of Basic only when asked for it is asked", async () => {
    const challenges = async (path: string) => (await get(path)).headers.get("www-authenticate");
    expect(await challenges("/api/exports/edge.txt")).toBe('ApiKey, Basic realm="Repute", charset="UTF-8"');
    expect(await challenges("/api/exports")).toBe('ApiKey, Basic realm="Repute", charset="UTF-8"');
    expect(await challenges(`/x/${"a".repeat(47)}/edge.txt`)).toBe("ApiKey");
    expect(await challenges("/api/gate")).toBe("ApiKey");
    expect(await challenges("/api/account/subscription")).toBe("ApiKey");
  });

  test("that was not made yet is told as any other to who asks for a newer one", async () => {
    await (await whenServed("/api/exports/edge.csv")).arrayBuffer();
    const token = await tokenFor("exports:edge");
    const path = "/api/exports/edge.postfix";
    const ask = async (query: string, more: Readonly<Record<string, string>>) => {
      const answer = await get(path + query, { "x-api-key": token, ...more });
      await answer.arrayBuffer();
      return [answer.status, answer.headers.get("etag")] as const;
    };
    // As often as it likes, as long as it has the file.
    const [status, etag] = await ask("", { "if-none-match": "*" });
    expect([status, etag]).toEqual([304, expect.stringMatching(/^"\d+-postfix-[0-9a-f]{16}-gzip"$/)]);
    expect(await ask("", { "if-none-match": etag ?? "" })).toEqual([304, etag]);
    expect(await ask("?v=4", { "if-none-match": etag ?? "" })).toEqual([200, expect.any(String)]);
    expect(await ask("", { "if-none-match": '"other"' })).toEqual([429, null]);
    expect(await ask("", { "if-none-match": etag ?? "" })).toEqual([304, etag]);
  });

  test.each([
    ["GET", { "if-none-match": '"other"' }],
    ["HEAD", {}],
  ])("is not made for one token again and again, by %s with %j", async (method, headers) => {
    await (await whenServed("/api/exports/edge.csv")).arrayBuffer();
    const token = await tokenFor("exports:edge");
    const files = () => readdirSync(join(exportsDirOf(service.dataDir), "edge")).length;
    const before = files();
    const statuses: number[] = [];
    const beganMs = systemClock.monotonicMs();
    for (let i = 0; i < 20; i++) {
      const path = `/api/exports/edge.nft?set=${method.toLowerCase()}${i}`;
      const answer = await get(path, { "x-api-key": token, ...headers }, method);
      await answer.arrayBuffer();
      statuses.push(answer.status);
    }
    // Ten at once, and then one in ten seconds.
    const made = statuses.filter((status) => status !== 429).length;
    expect(made).toBeLessThanOrEqual(11 + (systemClock.monotonicMs() - beganMs) / 10_000);
    // A body, its gzip and what is told of it; a body refused after it was made is of those.
    expect(files() - before).toBeLessThanOrEqual(3 * (12 + (systemClock.monotonicMs() - beganMs) / 10_000));
    expect((await get("/api/exports/edge.csv", { "x-api-key": token, "if-none-match": "*" })).status).toBe(
      304,
    );
  });

  test("goes to one token once in ten seconds", async () => {
    // Its body is made at the first request, which may take longer than that.
    await (await whenServed("/api/exports/edge.csv")).arrayBuffer();
    const token = await tokenFor("exports:edge");
    const first = await get("/api/exports/edge.csv", { "x-api-key": token });
    await first.arrayBuffer();
    const second = await get("/api/exports/edge.csv", { "x-api-key": token });
    expect([first.status, second.status]).toEqual([200, 429]);
    expect(Number(second.headers.get("retry-after"))).toBeLessThanOrEqual(10);
    expect(await second.text()).toContain("If-None-Match");
  });
});

test("a file that is shorter than was said breaks off, and is never taken for the whole", async () => {
  const path = "/api/exports/edge.edl";
  const key = await tokenFor("exports:edge");
  await (await whenServed(path)).arrayBuffer();
  const folder = join(exportsDirOf(service.dataDir), "edge");
  const [file = ""] = readdirSync(folder).filter((name) => /~edl[^.]*$/.test(name));
  truncateSync(join(folder, file), 300);
  const answer = await get(path, { "x-api-key": key, "accept-encoding": "identity" });
  await expect(answer.text()).rejects.toThrow();
});

test("of a generation that the disk damaged decisions are not told, and none is taken for missing", async () => {
  await (await whenServed("/api/exports/edge.csv")).arrayBuffer();
  const folder = join(exportsDirOf(service.dataDir), "edge");
  const [file = ""] = readdirSync(folder).filter((name) => /^\d+\.bin$/.test(name));
  truncateSync(join(folder, file), 300);
  const token = await tokenFor("decisions");
  const answer = await get("/lapi/v1/decisions?ip=45.0.0.1", { "x-api-key": token });
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "30"]);
  expect(await answer.json()).toEqual({
    message: 'The entries of the export "edge" cannot be read; the next build makes them anew',
  });
});

/** What is refused is refused to who has an older file too. */
const CONDITIONS = [{}, { "if-none-match": "*" }];

describe("what is refused:", () => {
  test.each([
    ["/api/exports/other.txt", 404, 'There is no export "other"'],
    ["/api/exports/edge.doc", 404, 'There is no format "doc"'],
    ["/api/exports/edge", 404, 'A path ends with a format; of "edge" there are txt, edl, nft'],
    ["/api/exports/names?below=1", 404, 'A path ends with a format; of "names" there are txt, '],
    ["/api/exports/other", 404, 'There is no export "other"'],
    ["/api/exports/edge.hosts", 422, "The format hosts cannot hold ip entries"],
    ["/api/exports/edge.txt?v=5", 422, "Expected of v: 4 or 6"],
    ["/api/exports/edge.txt?w=5", 422, 'no option "w"'],
    ["/api/exports/names.txt?v=4", 422, 'no option "v"'],
    ["/api/exports/edge.txt?v=6", 503, 'The export "edge" has no IPv6 entries'],
    ["/api/exports/edge.edl?v=6", 503, 'The export "edge" has no IPv6 entries'],
    ["/api/exports/edge.nginx?v=6&as=geo", 503, 'The export "edge" has no IPv6 entries'],
    ["/api/exports/names.rpz?action=cname:a%20b", 422, "Expected of action"],
  ])("%s is %d and named", async (path, status, message) => {
    const token = await tokenFor("exports:edge", "exports:names");
    for (const more of CONDITIONS) {
      const answer = await get(path, { "x-api-key": token, ...more });
      expect(answer.status).toBe(status);
      expect((await answer.text()).replaceAll('\\"', '"')).toContain(message);
    }
  });

  test.each(CONDITIONS)("no token, another scope, an API key, and a path that is none (%o)", async (more) => {
    const account = await service.openAccount();
    const status = async (path: string, headers: Readonly<Record<string, string>>) =>
      (await get(path, { ...headers, ...more })).status;
    expect(await status("/api/exports/edge.txt", {})).toBe(401);
    expect(await status("/api/exports/edge", {})).toBe(401);
    expect(await status("/api/exports/other.txt", {})).toBe(401);
    expect(await status("/api/exports/edge.txt", { "x-api-key": account.key })).toBe(401);
    expect(await status("/api/exports/edge.txt", { "x-api-key": await tokenFor("exports:names") })).toBe(403);
    expect(await status("/api/exports", { "x-api-key": await tokenFor("gate") })).toBe(403);
    expect(await status(`/x/${"a".repeat(47)}/edge.txt`, {})).toBe(401);
    expect(await status("/api/exports/edge.txt/..", {})).toBe(404);
  });

  test("an export without entries is 503 with a time to come back, never an empty list", async () => {
    for (const more of CONDITIONS) {
      const token = await tokenFor("exports:none");
      const answer = await get("/api/exports/none.txt", { "x-api-key": token, ...more });
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "30"]);
      expect(await answer.text()).toContain("has 0 entries, fewer than 1");
    }
  });

  test("tokens in paths are in no log", async () => {
    const token = await tokenFor("exports:edge");
    await (await get(`/x/${token}/edge.nft`)).arrayBuffer();
    expect(service.logged()).not.toContain(token.slice(12));
  });
});
