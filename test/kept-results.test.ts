import { afterAll, beforeAll, expect, test } from "vitest";
import { keyPage, type Page, personPage } from "./dashboard.ts";
import { forEachDatabase } from "./databases.ts";
import { startTestService, type TestAccount, type TestService, until } from "./service.ts";

type Kept = {
  readonly id: string;
  readonly target: string;
  readonly product: string;
  readonly verdict: string;
};

const listOf = async (page: Page, query = ""): Promise<readonly Kept[]> =>
  JSON.parse((await page.call("GET", `/results${query}`)).text).data.results;

forEachDatabase(
  (dialect, database) => {
    let service: TestService;
    let account: TestAccount;
    let page: Page;
    let other: Page;
    beforeAll(async () => {
      const url = dialect === "postgres" ? { databaseUrl: database.url() } : {};
      service = await startTestService(url);
      await until(async () => (await service.call({ method: "GET", path: "/readyz" })).status === 200);
      account = await service.openAccount();
      page = await personPage(service, account.id, "127.0.13.1");
      other = await personPage(service, (await service.openAccount()).id, "127.0.13.2");
    });
    afterAll(() => service.close());

    test("a lookup on the pages is kept as it was answered; one by a key is not", async () => {
      const byKey = { path: "/api/check-ip", key: account.key, body: { ip: "9.9.9.9" } };
      expect((await service.call(byKey)).headers["x-result-id"]).toBeUndefined();
      const answer = await page.call("POST", "/lookup/check-ip", { ip: "8.8.8.8", more: "x".repeat(1000) });
      const id = String(answer.headers["x-result-id"]);
      const kept = await page.call("GET", `/results/${id}`);
      expect(kept.of("data", "result")).toMatchObject({
        ...{ id, product: "check-ip", target: "8.8.8.8", question: { ip: "8.8.8.8" } },
        report: answer.of("data"),
        request_id: answer.of("request_id"),
      });
      expect(await listOf(page)).toMatchObject([{ id, target: "8.8.8.8" }]);
      const { last_calls: calls } = JSON.parse((await page.call("GET", "/overview")).text).data;
      expect(calls.map((call: { result_id: string | null }) => call.result_id)).toEqual([id, null]);
    });

    test("opening it costs nothing, and other accounts do not find it", async () => {
      const [{ id = "" } = {}] = await listOf(page);
      const before = await service.balanceOf(account);
      for (let times = 0; times < 3; times++) await page.call("GET", `/results/${id}`);
      expect(await service.balanceOf(account)).toBe(before);
      expect(await listOf(other)).toEqual([]);
      for (const [method, path, body] of [
        ["GET", `/results/${id}`, undefined],
        ["DELETE", `/results/${id}`, undefined],
        ["POST", `/results/${id}/shares`, { days: 1 }],
      ] as const) {
        expect([method, (await other.call(method, path, body)).status]).toEqual([method, 404]);
      }
    });

    test("a refused, an uncharged and a shorter answer are not kept", async () => {
      const before = (await listOf(page)).length;
      expect((await page.call("POST", "/lookup/check-ip", { ip: "nonsense" })).status).toBe(422);
      const short = await page.call("POST", "/lookup/check-ip?view=compact", { ip: "8.8.4.4" });
      expect([short.status, short.headers["x-result-id"]]).toEqual([200, undefined]);
      expect(await listOf(page)).toHaveLength(before);
    });

    test("the list is narrowed by the query, which is judged", async () => {
      await page.call("POST", "/lookup/dns-lookup", { domain: "example.com", record_type: "MX" });
      expect(await listOf(page, "?q=EXAMPLE")).toMatchObject([{ product: "dns-lookup", verdict: null }]);
      expect(await listOf(page, "?product=check-ip&limit=1")).toMatchObject([{ target: "8.8.8.8" }]);
      expect(await listOf(page, "?verdict=critical")).toEqual([]);
      for (const query of ["?verdict=evil", "?product=__proto__", "?limit=0", "?offset=x"]) {
        expect([query, (await page.call("GET", `/results${query}`)).status]).toEqual([query, 422]);
      }
    });

    test("a key's session reads them and changes nothing", async () => {
      const [{ id = "" } = {}] = await listOf(page);
      const reader = await keyPage(service, account.key, "127.0.13.3");
      expect((await reader.call("GET", `/results/${id}`)).status).toBe(200);
      expect((await reader.call("DELETE", `/results/${id}`)).status).toBe(403);
      expect((await reader.call("POST", `/results/${id}/shares`, { days: 1 })).status).toBe(403);
    });

    test.each([[{}], [{ days: 0 }], [{ days: 91 }], [{ days: 1.5 }], [{ days: "1" }]])(
      "a link of %o is 422",
      async (body) => {
        const [{ id = "" } = {}] = await listOf(page);
        expect((await page.call("POST", `/results/${id}/shares`, body)).status).toBe(422);
      },
    );

    test("a link that was never made, or was revoked, is a 404; of other paths there are none", async () => {
      const [{ id = "" } = {}] = await listOf(page);
      const made = await page.call("POST", `/results/${id}/shares`, { days: 7 });
      const path = String(made.of("data", "path"));
      expect(path).toMatch(/^\/shared\/[\w-]{43}$/);
      expect((await page.call("GET", `/results/${id}`)).of("data", "shares")).toMatchObject([
        { id: made.of("data", "id"), expires_at: made.of("data", "expires_at") },
      ]);
      const opened = await fetch(service.address + path);
      const text = await opened.text();
      expect([
        opened.status,
        opened.headers.get("x-robots-tag"),
        opened.headers.get("cache-control"),
      ]).toEqual([200, "noindex, nofollow", "no-store"]);
      expect(text).toContain("A shared report");
      expect(text).toContain('name="robots" content="noindex"');
      for (const secret of [account.email, account.id, "csrf"]) expect(text).not.toContain(secret);
      expect((await other.call("DELETE", `/shares/${made.of("data", "id")}`)).status).toBe(404);
      expect((await page.call("DELETE", `/shares/${made.of("data", "id")}`)).status).toBe(200);
      for (const one of [path, "/shared/x", `/shared/${"A".repeat(43)}`, `/shared/${"%00".repeat(20)}`]) {
        expect([one, (await fetch(service.address + one)).status]).toEqual([one, 404]);
      }
      expect(service.logged()).not.toContain(path.slice("/shared/".length));
    });
  },
  { lasting: true },
);

test.each([
  ["keep_results_days: 0", { keep_results_days: 0 }],
  ["store_targets: false", { store_targets: false }],
])("with %s nothing is kept, and the page says so", async (_what, usage) => {
  const service = await startTestService({ file: { usage } });
  await until(async () => (await service.call({ method: "GET", path: "/readyz" })).status === 200);
  const page = await personPage(service, (await service.openAccount()).id);
  const answer = await page.call("POST", "/lookup/check-ip", { ip: "8.8.8.8" });
  expect([answer.status, answer.headers["x-result-id"]]).toEqual([200, undefined]);
  const listed = await page.call("GET", "/results");
  expect(listed.of("data")).toEqual({ results: [], total: 0, kept_days: 0 });
  expect((await page.call("GET", "/session")).of("data", "kept_result_days")).toBe(0);
  expect(await service.db.kysely.selectFrom("results").select("id").execute()).toEqual([]);
  await service.close();
});
