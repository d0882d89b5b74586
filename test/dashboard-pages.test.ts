import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { csvLine } from "../src/base/csv.ts";
import { openPage, type Page, personPage, signedUpPage } from "./dashboard.ts";
import { forEachDatabase } from "./databases.ts";
import { startTestService, type TestAccount, type TestService } from "./service.ts";

const today = () => new Date().toISOString().slice(0, 10);

forEachDatabase(
  (dialect, database) => {
    let service: TestService;
    let account: TestAccount;
    let page: Page;
    let stranger: Page;
    let owner: Page;
    beforeAll(async () => {
      const url = dialect === "postgres" ? { databaseUrl: database.url() } : {};
      service = await startTestService({
        ...url,
        file: { dashboard: { signup: "open", owners: ["boss@example.com"] }, usage: { store_targets: true } },
      });
      account = await service.openAccount({ plan: "Starter" });
      page = await personPage(service, account.id);
      stranger = await signedUpPage(service, "stranger@example.com");
      const boss = await service.accounts.createAccount({ email: "boss@example.com" });
      owner = await personPage(service, boss.id);
    });
    afterAll(() => service.close());

    test("overview, keys and usage after calls", async () => {
      await service.call({ path: "/api/check-ip", key: account.key, body: { ip: "8.8.8.8" } });
      await service.call({ path: "/api/check-ip", key: account.key, body: { ip: "nonsense" } });
      const overview = await page.call("GET", "/overview");
      expect(overview.of("data")).toMatchObject({
        subscription: { plan: "Starter", credits_remaining: 79_999 },
        today: { calls: 2, credits: 1, refused: 1, failed: 0 },
        yesterday: { calls: 0, credits: 0, refused: 0, failed: 0 },
        steps: { has_key: true, has_call: true },
      });
      const calls = JSON.parse(overview.text).data.last_calls;
      expect(calls.map(({ status }: { status: number }) => status)).toEqual([422, 200]);
      expect(calls[1]).toMatchObject({
        endpoint: "check-ip",
        target: "8.8.8.8",
        key_prefix: account.key.slice(0, 12),
      });
      expect((await page.call("GET", "/keys")).of("data")).toMatchObject({
        keys: [{ calls_30_days: 2, revoked_at: null }],
        active: 1,
        max: 5,
      });
      const usage = await page.call("GET", `/usage?from=${today()}&to=${today()}`);
      expect(JSON.parse(usage.text).data.rows).toMatchObject([
        {
          day: today(),
          endpoint: "check-ip",
          key_name: "default",
          status: 200,
          calls: 1,
          items: 1,
          credits: 1,
        },
        { status: 422, calls: 1, credits: 0 },
      ]);
      expect((await stranger.call("GET", "/usage")).of("data", "rows")).toEqual([]);
      expect((await stranger.call("GET", "/overview")).of("data", "steps")).toEqual({
        has_key: false,
        has_call: false,
      });
    });

    test("a key is shown once, works, and is refused as soon as it is revoked", async () => {
      const made = await page.call("POST", "/keys", { name: "=cmd()" });
      const key = String(made.of("data", "key"));
      expect(key).toMatch(/^rpt_\w{43}$/);
      expect((await page.call("GET", "/keys")).text).not.toContain(key);
      const check = { path: "/api/dns-lookup", key, body: { domain: "example.com" } };
      expect((await service.call(check)).status).toBe(200);
      const csv = await page.call("GET", "/usage.csv");
      expect(csv.headers["content-type"]).toBe("text/csv; charset=utf-8");
      expect(csv.headers["content-disposition"]).toMatch(/^attachment; filename="repute-usage-[\d-]+\.csv"$/);
      expect(csv.text).toContain(`,dns-lookup,${key.slice(0, 12)},'=cmd(),200,1,1,1\r\n`);
      const id = String(made.of("data", "id"));
      expect((await stranger.call("DELETE", `/keys/${id}`)).status).toBe(404);
      expect((await page.call("DELETE", `/keys/${id}`)).status).toBe(200);
      expect((await service.call(check)).status).toBe(401);
    });

    test("of many keys at once only as many are made as the plan allows", async () => {
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, i) => stranger.call("POST", "/keys", { name: `k${i}` })),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 422, 422, 422, 422]);
      const refused = answers.find(({ status }) => status === 422);
      expect(refused?.text).toContain("All 2 keys of plan Free are in use");
      for (const answer of answers) {
        const key = answer.status === 200 ? String(answer.of("data", "key")) : "none";
        expect(service.logged()).not.toContain(key);
      }
    });

    test.each([
      "?from=2026-02-30",
      "?from=yesterday",
      "?from=2020-01-01&to=2026-01-01",
      "?from=2026-02-02&to=2026-01-01",
    ])("usage%s is 422", async (query) => {
      expect((await page.call("GET", `/usage${query}`)).status).toBe(422);
      expect((await page.call("GET", `/usage.csv${query}`)).status).toBe(422);
    });

    test("every engine and table with its state", async () => {
      const feeds = JSON.parse((await page.call("GET", "/feeds")).text).data.feeds;
      expect(feeds.length).toBeGreaterThan(40);
      const feed = feeds.find(({ kind }: { kind: string }) => kind === "feed");
      expect(feed).toMatchObject({ refresh_minutes: expect.any(Number), tries: expect.any(Array) });
      const tables = feeds.filter(({ kind }: { kind: string }) => kind === "table");
      expect(tables).toMatchObject([
        { key: "table-city", refresh_minutes: 1440, seed: true, tries: expect.any(Array) },
        { key: "table-routes-ipv4", refresh_minutes: 480 },
        { key: "table-routes-ipv6" },
        { key: "table-as-names", entries: null },
      ]);
      for (const table of tables) expect(table).not.toHaveProperty("own");
    });

    describe("owners", () => {
      test.each([
        ["GET", "/admin/accounts"],
        ["GET", "/admin/audit"],
        ["GET", "/admin/accounts/{id}"],
        ["POST", "/admin/accounts/{id}"],
      ])("%s %s is for owners alone", async (method, path) => {
        const own = String((await page.call("GET", "/session")).of("data", "account", "id"));
        const body = method === "POST" ? { change: "plan", value: "Enterprise", reason: "mine" } : undefined;
        const where = path.replace("{id}", own);
        const answer = await page.call(method, where, body);
        expect([answer.status, answer.of("errors")]).toMatchObject([403, [{ code: "FORBIDDEN" }]]);
        expect((await openPage(service).call(method, where, body)).status).toBe(401);
      });

      test("look for accounts and page through them", async () => {
        const found = await owner.call("GET", "/admin/accounts?q=STRANGER&limit=1");
        expect(found.of("data")).toMatchObject({
          total: 1,
          accounts: [{ email: "stranger@example.com", plan: "Free" }],
        });
        expect((await owner.call("GET", "/admin/accounts?q=%25")).of("data", "total")).toBe(0);
        expect(
          (await owner.call("GET", `/admin/accounts?q=${account.key.slice(0, 12)}`)).of("data", "total"),
        ).toBe(1);
        const second = JSON.parse((await owner.call("GET", "/admin/accounts?limit=1&offset=1")).text).data;
        expect([second.total, second.accounts.length]).toEqual([3, 1]);
        expect((await owner.call("GET", "/admin/accounts?limit=0")).status).toBe(422);
      });

      test("show no date of a refill that waits for a late payment", async () => {
        const late = await service.openAccount({ plan: "Pro" });
        const held = { credits_reset_at: Date.UTC(2026, 0, 1), grace_ends_at: Date.UTC(2100, 0, 1) };
        await service.db.kysely.updateTable("accounts").set(held).where("id", "=", late.id).execute();
        const one = await owner.call("GET", `/admin/accounts/${late.id}`);
        expect(one.of("data", "account", "credits_reset_at")).toBeNull();
        const listed = await owner.call("GET", `/admin/accounts?q=${late.id}`);
        expect(listed.of("data", "accounts", "0", "credits_reset_at")).toBeNull();
      });

      test("change with a reason that the audit log keeps", async () => {
        const path = `/admin/accounts/${account.id}`;
        const change = (body: object) => owner.call("POST", path, body);
        const pro = await change({ change: "plan", value: "pro", reason: "paid by invoice" });
        // The two credits that the cycle's calls cost stay charged.
        expect(pro.of("data", "account")).toMatchObject({ plan: "Pro", credits_remaining: 299_998 });
        expect(
          (await change({ change: "credits", value: 5, reason: "x" })).of("data", "account"),
        ).toMatchObject({
          credits_remaining: 5,
        });
        for (const body of [
          { change: "plan", value: "Gold", reason: "x" },
          { change: "plan", value: 5, reason: "x" },
          { change: "credits", value: -1, reason: "x" },
          { change: "credits", value: 1.5, reason: "x" },
          { change: "disabled", value: "yes", reason: "x" },
          { change: "plan", value: "Free", reason: "  " },
          { change: "nothing", value: "Free", reason: "x" },
        ]) {
          expect([body, (await change(body)).status]).toEqual([body, 422]);
        }
        const { audit } = JSON.parse((await owner.call("GET", "/admin/audit?limit=2")).text).data;
        expect(audit).toMatchObject([
          {
            action: "account.set_credits",
            actor: "boss@example.com",
            account_email: account.email,
            reason: "x",
          },
          {
            action: "account.set_plan",
            reason: "paid by invoice",
            detail: { plan_before: "Starter", plan: "Pro" },
          },
        ]);
        expect((await owner.call("GET", "/admin/accounts/unknown")).status).toBe(404);
      });

      test("disable others, not themselves", async () => {
        const id = String((await owner.call("GET", "/session")).of("data", "account", "id"));
        const wish = { change: "disabled", value: true, reason: "x" };
        expect((await owner.call("POST", `/admin/accounts/${id}`, wish)).status).toBe(409);
        expect((await owner.call("POST", `/admin/accounts/${account.id}`, wish)).status).toBe(200);
        expect((await page.call("GET", "/overview")).status).toBe(401);
      });
    });
  },
  { lasting: true },
);

describe("cells that a spreadsheet would run are text", () => {
  test.each([
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", '"\'\t=1"'],
    ["x\t=1", '"x\t=1"'],
    ["\r=1", '"\'\r=1"'],
    [" =1", "' =1"],
    ["＝1+1", "'＝1+1"],
    ["x;=1", '"x;=1"'],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
    ["plain, text", '"plain, text"'],
    ["plain", "plain"],
    [-5, "-5"],
  ])("%j becomes %j", (value, cell) => {
    expect(csvLine([value])).toBe(cell);
  });
});
