import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPage, signedUpPage } from "./dashboard.ts";
import { startTestService, type TestService } from "./service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ file: { dashboard: { signup: "open" } } });
});
afterAll(() => service.close());

describe("an origin", () => {
  test.each([
    ["is that of a page", (host: string) => `http://${host}`, 200],
    ["may be https where TLS ends before us", (host: string) => `https://${host}`, 200],
    ["has no other scheme", (host: string) => `ftp://${host}`, 403],
    ["has no scheme of sockets", (host: string) => `ws://${host}`, 403],
    ["has no name", (host: string) => `http://evil@${host}`, 403],
    ["has no path", (host: string) => `http://${host}/evil`, 403],
    ["is one", (host: string) => `http://${host}, http://evil.example`, 403],
    ["has no spaces", (host: string) => ` http://${host}\t`, 200],
  ])("%s", async (_what, originOf, status) => {
    const page = openPage(service, "127.0.8.9");
    const headers = { origin: originOf(`127.0.0.1:${service.port}`) };
    const wish = { email: "nobody@example.com" };
    const answer = await page.call("POST", "/password/reset-request", wish, { headers });
    expect(answer.status).toBe(status);
  });
});

describe("the cookie", () => {
  test("under https is Secure, of this host and every path alone, and of the name that the interface says", async () => {
    const secure = await startTestService({
      file: { server: { public_url: "https://repute.example" } },
    });
    try {
      const { key } = await secure.openAccount();
      const page = openPage(secure);
      const headers = { origin: "https://repute.example" };
      const entered = await page.call("POST", "/sign-in", { api_key: key }, { headers });
      expect(entered.status).toBe(200);
      const cookie = String(entered.headers["set-cookie"]);
      expect(cookie).toMatch(/^repute_session=[\w-]{43}; .*Path=\/; HttpOnly; SameSite=Lax; Secure$/);
      expect(cookie).not.toContain("Domain");
      expect((await page.call("GET", "/sessions")).status).toBe(200);
      expect((await page.call("GET", "/api/account/subscription")).status).toBe(200);
    } finally {
      await secure.close();
    }
  });

  test.each([
    ["https", /; SameSite=Lax; Secure$/],
    ["http", /; SameSite=Lax$/],
  ])("of a page that came by %s, where the service is not told of TLS before it", async (scheme, rules) => {
    const { key } = await service.openAccount();
    const page = openPage(service, "127.0.8.7");
    const headers = { origin: `${scheme}://127.0.0.1:${service.port}` };
    const entered = await page.call("POST", "/sign-in", { api_key: key }, { headers });
    expect(entered.status).toBe(200);
    expect(String(entered.headers["set-cookie"])).toMatch(rules);
  });
});

describe("signing out", () => {
  test("is done also where the session has ended, and takes the cookie away", async () => {
    const page = await signedUpPage(service, "out@example.com", "127.0.8.3");
    const old = page.cookie();
    const both = await Promise.all([page.call("POST", "/sign-out"), page.call("POST", "/sign-out")]);
    page.setCookie(old);
    both.push(await page.call("POST", "/sign-out"));
    for (const { status, headers } of both) {
      expect([status, String(headers["set-cookie"])]).toEqual([200, expect.stringContaining("Max-Age=0")]);
    }
    expect(page.cookie()).toBeNull();
  });

  test("wants the CSRF token of a session that is alive, and a page of ours in any case", async () => {
    const page = await signedUpPage(service, "stay@example.com", "127.0.8.4");
    const wrong = { headers: { "x-csrf-token": "A".repeat(43) } };
    expect((await page.call("POST", "/sign-out", undefined, wrong)).status).toBe(403);
    expect((await page.call("GET", "/sessions")).status).toBe(200);
    const elsewhere = { headers: { origin: "https://evil.example" } };
    expect((await openPage(service).call("POST", "/sign-out", undefined, elsewhere)).status).toBe(403);
  });
});
