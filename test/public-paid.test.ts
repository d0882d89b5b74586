import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { keyPage, type Page, personPage } from "./dashboard.ts";
import { forEachDatabase } from "./databases.ts";
import { historyOf } from "./ledger-setting.ts";
import { startTestService, type TestAccount, type TestService, until } from "./service.ts";

// The public tools for who is signed in: the whole report at its price, by a form with the session's CSRF token.
const CREDITS = 1_500_000;

forEachDatabase(
  (dialect, database) => {
    let service: TestService;
    let account: TestAccount;
    let page: Page;
    let people = 0;
    beforeAll(async () => {
      const url = dialect === "postgres" ? { databaseUrl: database.url() } : {};
      service = await startTestService({ ...url, file: { server: { trust_proxy: ["127.0.0.1"] } } });
      await until(async () => (await service.call({ method: "GET", path: "/readyz" })).status === 200);
    });
    afterAll(() => service.close());
    beforeEach(async () => {
      account = await service.openAccount();
      page = await personPage(service, account.id, `127.0.13.${++people}`);
    });

    const get = (path: string, cookie: string | null) =>
      fetch(`${service.address}${path}`, {
        redirect: "manual",
        headers: {
          accept: "text/html",
          "x-forwarded-for": `198.51.100.${people}`,
          ...(cookie === null ? {} : { cookie }),
        },
      });
    const send = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
      fetch(`${service.address}${path}`, {
        method: "POST",
        redirect: "manual",
        body: new URLSearchParams(form),
        headers: {
          accept: "text/html",
          origin: service.address,
          cookie: page.cookie() ?? "",
          "x-forwarded-for": `198.51.100.${people}`,
          ...headers,
        },
      });
    const csrfOf = (html: string): string => /name="csrf" value="([\w-]{43})"/.exec(html)?.[1] ?? "";

    test("the form of the page brings the whole report, charged once with its history row", async () => {
      const empty = await get("/tools/ip", page.cookie());
      expect(empty.headers.get("cache-control")).toBe("no-store");
      const csrf = csrfOf(await empty.text());
      expect(csrf).toBe(page.csrf());
      const answer = await send("/tools/ip", { q: " 8.8.8.8 ", csrf });
      const html = await answer.text();
      expect([answer.status, answer.headers.get("x-credits-charged")]).toEqual([200, "1"]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      // Its length would tell of the token that it holds.
      expect([empty, answer].map(({ headers: of }) => of.get("content-encoding"))).toEqual([null, null]);
      expect(html).toContain("1 credit charged, 1,499,999 left");
      expect(html).toContain("Reverse DNS");
      expect(html).not.toContain("{charge");
      expect(await service.balanceOf(account)).toBe(CREDITS - 1);
      const { rows } = await historyOf(service, account.id);
      expect(rows).toMatchObject([{ endpoint: "check-ip", status: 200, credits: 1 }]);
    });

    test.each([
      ["ip", "8.8.8.8", 1],
      ["domain", "example.com", 1],
      ["url", "https://example.com/", 2],
      ["email", "jane@example.com", 1],
    ])("%s: all of it for %s costs %i", async (tool, q, credits) => {
      const answer = await send(`/tools/${tool}`, { q, csrf: page.csrf() ?? "" });
      expect([answer.status, await answer.text()]).toEqual([
        200,
        expect.stringContaining(`${credits} credit`),
      ]);
      expect(await service.balanceOf(account)).toBe(CREDITS - credits);
    });

    test.each(["dns", "whois"])("%s is asked with what stands in the path as well", async (tool) => {
      const answer = await send(`/tools/${tool}/example.com`, { q: "", csrf: page.csrf() ?? "" });
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain("example.com");
    });

    test("an address alone spends nothing, and offers the whole report at its price", async () => {
      const answer = await get("/tools/ip/8.8.8.8", page.cookie());
      const html = await answer.text();
      expect([answer.status, html]).toEqual([200, expect.stringContaining("Whole report for 1 credit")]);
      expect(csrfOf(html)).toBe(page.csrf());
      for (let i = 0; i < 5; i++) await get("/tools/ip/8.8.8.8", page.cookie());
      const refused = await get("/tools/ip/8.8.8.8", page.cookie());
      expect([refused.status, await refused.text()]).toEqual([
        429,
        expect.stringContaining("Whole report for 1"),
      ]);
      const paid = await send("/tools/ip/8.8.8.8", { csrf: page.csrf() ?? "" });
      expect(paid.status).toBe(200);
      expect(await service.balanceOf(account)).toBe(CREDITS - 1);
    });

    test("nothing is asked without the token, from elsewhere, by a stranger, or by a session of a key", async () => {
      const csrf = page.csrf() ?? "";
      const reader = await keyPage(service, account.key, `127.0.13.${++people}`);
      const tries: readonly (readonly [number, Record<string, string>, Record<string, string>])[] = [
        [403, { q: "8.8.8.8" }, {}],
        [403, { q: "8.8.8.8", csrf: "A".repeat(43) }, {}],
        [403, { q: "8.8.8.8", csrf }, { origin: "http://evil.example" }],
        [403, { q: "8.8.8.8", csrf }, { origin: "null" }],
        [403, { q: "8.8.8.8", csrf: reader.csrf() ?? "" }, { cookie: reader.cookie() ?? "" }],
        [401, { q: "8.8.8.8", csrf }, { cookie: "" }],
      ];
      for (const [status, form, headers] of tries) {
        const answer = await send("/tools/ip", form, headers);
        expect([form, headers, answer.status]).toEqual([form, headers, status]);
        expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
        await answer.text();
      }
      expect(await service.balanceOf(account)).toBe(CREDITS);
      const asReader = await (await get("/tools/ip", reader.cookie())).text();
      expect(asReader).toContain('method="get"');
      expect(csrfOf(asReader)).toBe("");
    });

    test("what cannot be looked up or paid is said on the page, and charged nothing", async () => {
      const csrf = page.csrf() ?? "";
      const wrong = await send("/tools/ip", { q: "nonsense", csrf });
      expect([wrong.status, await wrong.text()]).toEqual([
        422,
        expect.stringContaining("This cannot be looked up"),
      ]);
      await service.accounts.setCredits({ email: account.email, credits: 0 });
      const broke = await send("/tools/ip", { q: "8.8.8.8", csrf });
      expect([broke.status, await broke.text()]).toEqual([
        402,
        expect.stringContaining("Not enough credits"),
      ]);
      const large = await send("/tools/ip", { q: "x".repeat(20_000), csrf });
      expect(large.status).toBe(413);
      const json = await send("/tools/ip", { q: "x", csrf }, { "content-type": "application/json" });
      expect(json.status).toBe(415);
    });

    test("the one field of the home page leads there, with its form", async () => {
      const home = await (await get("/", page.cookie())).text();
      const csrf = csrfOf(home);
      expect(csrf).toBe(page.csrf());
      const answer = await send("/lookup", { q: "8.8.8[.]8", csrf });
      expect([answer.status, answer.headers.get("location")]).toEqual([307, "/tools/ip/8.8.8.8"]);
      expect((await send("/lookup", { q: "what is this", csrf })).status).toBe(422);
      expect((await send("/lookup", { q: " ", csrf })).headers.get("location")).toBe("/");
      // A page that was rendered for a person is for that person alone.
      for (const path of ["/", "/tools/ip", "/tools/ip/8.8.4.4"]) {
        expect(csrfOf(await (await get(path, null)).text())).toBe("");
      }
    });

    test("a session that ended is told so", async () => {
      const csrf = page.csrf() ?? "";
      const cookie = page.cookie() ?? "";
      await page.call("POST", "/sign-out");
      const answer = await send("/tools/ip", { q: "8.8.8.8", csrf }, { cookie });
      expect([answer.status, await answer.text()]).toEqual([401, expect.stringContaining("Sign in first")]);
      expect((await get("/tools/ip/8.8.8.8", cookie)).status).toBe(200);
    });
  },
  { lasting: true },
);
