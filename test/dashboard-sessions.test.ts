import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keyPage, openPage, PASSWORD, type Page, signedUpPage } from "./dashboard.ts";
import { startTestService, type TestService } from "./service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ file: { dashboard: { signup: "open", owners: ["boss@example.com"] } } });
});
afterAll(() => service.close());

// Each test from an address of its own: failures are counted by it.
let hosts = 0;
const freshAddress = (): string => `127.0.7.${++hosts}`;
const ann = (n: number) => `ann-${n}@example.com`;
let people = 0;
const signUp = (): Promise<Page> => signedUpPage(service, ann(++people), freshAddress());

describe("signing in", () => {
  test("a cookie that scripts cannot read, for this site alone, and nothing of it in the answer", async () => {
    const page = openPage(service, freshAddress());
    const email = ann(++people);
    await signedUpPage(service, email, freshAddress());
    const answer = await page.call("POST", "/sign-in", {
      email: ` ${email.toUpperCase()} `,
      password: PASSWORD,
    });
    expect(answer.of("data")).toMatchObject({
      account: { email, plan: "Free", is_owner: false, has_password: true, has_totp: false, is_proved: true },
      signup: "open",
      has_mail: true,
    });
    const [cookie = ""] = [answer.headers["set-cookie"] ?? []].flat();
    expect(cookie).toMatch(
      /^repute_session=[A-Za-z0-9_-]{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(answer.text).not.toContain(page.cookie()?.split("=")[1]);
    const session = await page.call("GET", "/session");
    expect(session.of("data", "csrf_token")).toBe(answer.of("data", "csrf_token"));
    expect(service.logged()).not.toContain(page.cookie()?.split("=")[1]);
    expect(service.logged()).not.toContain(PASSWORD);
  });

  test("by an API key, also on an account without a password", async () => {
    const account = await service.openAccount();
    const page = await keyPage(service, account.key, freshAddress());
    const session = await page.call("GET", "/session");
    expect(session.of("data", "account")).toMatchObject({ email: account.email, has_password: false });
    expect((await page.call("POST", "/sign-in", { api_key: `${account.key}x` })).status).toBe(401);
  });

  test("a session of before ends at sign-in: a planted id opens nothing", async () => {
    const mallory = await signUp();
    const planted = mallory.cookie();
    const victim = openPage(service, freshAddress());
    victim.setCookie(planted);
    const email = ann(++people);
    await signedUpPage(service, email, freshAddress());
    await victim.call("POST", "/sign-in", { email, password: PASSWORD });
    expect(victim.cookie()).not.toBe(planted);
    expect((await mallory.call("GET", "/session")).of("data", "account")).toBeNull();
    const unknown = openPage(service, freshAddress());
    unknown.setCookie(`repute_session=${"A".repeat(43)}`);
    await unknown.call("POST", "/sign-in", { email, password: PASSWORD });
    expect(unknown.cookie()).not.toContain("AAAA");
  });

  test("one answer for a wrong password, an unknown account and an account without a password", async () => {
    const page = await signUp();
    const email = (await page.call("GET", "/session")).of("data", "account", "email");
    const { email: keyOnly } = await service.openAccount();
    const answers = await Promise.all(
      [email, "nobody@example.com", keyOnly, "no e-mail"].map((name) =>
        openPage(service, freshAddress()).call("POST", "/sign-in", {
          email: name,
          password: "wrong password",
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer.of("errors")))).size).toBe(1);
  });

  test.each([
    [{}, ["email", "password"]],
    [{ email: "a@example.com" }, ["password"]],
    [{ password: PASSWORD }, ["email"]],
  ])("422 for %o names %o", async (body, fields) => {
    const answer = await openPage(service, freshAddress()).call("POST", "/sign-in", body);
    expect(answer.status).toBe(422);
    const { detail } = JSON.parse(answer.text);
    expect(detail.map((fault: { loc: string[] }) => fault.loc[1])).toEqual(fields);
  });

  test("sign-out ends the session and takes the cookie away", async () => {
    const page = await signUp();
    const old = page.cookie();
    expect((await page.call("POST", "/sign-out")).status).toBe(200);
    expect(page.cookie()).toBeNull();
    page.setCookie(old);
    expect((await page.call("GET", "/sessions")).status).toBe(401);
  });
});

describe("a password", () => {
  test("of 128 characters counts to its last", async () => {
    const email = ann(++people);
    const page = openPage(service, freshAddress());
    const password = `${"😀".repeat(127)}a`;
    await signedUpPage(service, email, freshAddress(), password);
    const other = `${"😀".repeat(127)}b`;
    expect((await page.call("POST", "/sign-in", { email, password: other })).status).toBe(401);
    expect((await page.call("POST", "/sign-in", { email, password })).status).toBe(200);
  });
});

describe("calls that change something", () => {
  const name = { name: "x" };

  test.each([
    ["no CSRF token", { "x-csrf-token": [] }, 403],
    ["another CSRF token", { "x-csrf-token": "A".repeat(43) }, 403],
    ["another origin", { origin: "https://evil.example" }, 403],
    ["an origin of no site", { origin: "null" }, 403],
    ["another port", { origin: "http://127.0.0.1:1" }, 403],
    ["garbage for an origin", { origin: "http://[" }, 403],
    ["everything right", {}, 200],
  ])("with %s", async (_why, headers, status) => {
    const page = await signUp();
    const answer = await page.call("POST", "/totp", undefined, { headers });
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.of("errors")).toMatchObject([{ code: "CROSS_SITE" }]);
  });

  test("without an origin nothing changes, signed in or not", async () => {
    const page = await signUp();
    const cookie = page.cookie() ?? "";
    const csrf = page.csrf() ?? "";
    const path = "/api/dashboard/totp";
    expect((await service.call({ path, headers: { cookie, "x-csrf-token": csrf } })).status).toBe(403);
    const wish = { email: ann(1), password: PASSWORD };
    expect((await service.call({ path: "/api/dashboard/sign-in", body: wish })).status).toBe(403);
  });

  test("another session's CSRF token is none", async () => {
    const [page, other] = [await signUp(), await signUp()];
    const headers = { "x-csrf-token": other.csrf() ?? "" };
    expect((await page.call("POST", "/totp", undefined, { headers })).status).toBe(403);
  });

  test("not signed in: 401 before the body is judged", async () => {
    const page = openPage(service, freshAddress());
    const answer = await page.call("POST", "/password", "no JSON");
    expect([answer.status, answer.of("errors")]).toMatchObject([401, [{ code: "NOT_SIGNED_IN" }]]);
    expect(name).toBeDefined();
  });

  test("bodies are bounded and judged as everywhere", async () => {
    const page = openPage(service, freshAddress());
    expect((await page.call("POST", "/sign-in", "x".repeat(1_048_577))).status).toBe(413);
    expect((await page.call("POST", "/sign-in", "{")).status).toBe(422);
    const headers = { "content-type": "text/plain" };
    expect((await page.call("POST", "/sign-in", "{}", { headers })).status).toBe(415);
    expect((await page.call("PUT", "/sign-in", {})).status).toBe(405);
    expect((await page.call("GET", "/nothing")).status).toBe(404);
    expect((await page.call("DELETE", "/sessions/a%2fb")).status).toBe(404);
  });
});

describe("sessions", () => {
  test("are listed and ended by their own account alone", async () => {
    const [page, stranger] = [await signUp(), await signUp()];
    const email = (await page.call("GET", "/session")).of("data", "account", "email");
    const second = openPage(service, freshAddress());
    await second.call(
      "POST",
      "/sign-in",
      { email, password: PASSWORD },
      { headers: { "user-agent": "Other/1" } },
    );
    const { sessions } = JSON.parse((await page.call("GET", "/sessions")).text).data;
    expect(sessions).toHaveLength(2);
    const other = sessions.find((one: { is_current: boolean }) => !one.is_current);
    expect(other).toMatchObject({
      user_agent: "Other/1",
      client_address: expect.stringMatching(/^127\.0\.7\./),
    });
    expect((await stranger.call("DELETE", `/sessions/${other.id}`)).status).toBe(404);
    expect((await second.call("GET", "/sessions")).status).toBe(200);
    expect((await page.call("DELETE", `/sessions/${other.id}`)).status).toBe(200);
    expect((await second.call("GET", "/sessions")).status).toBe(401);
  });

  test("a new password ends all others", async () => {
    const page = await signUp();
    const email = (await page.call("GET", "/session")).of("data", "account", "email");
    const second = openPage(service, freshAddress());
    await second.call("POST", "/sign-in", { email, password: PASSWORD });
    const change = (currentPassword: string | undefined) =>
      page.call("POST", "/password", { current_password: currentPassword, new_password: "a new password" });
    expect((await change(undefined)).status).toBe(422);
    expect((await change("wrong password")).text).toContain("password_wrong");
    expect((await change(PASSWORD)).status).toBe(200);
    expect((await page.call("GET", "/sessions")).status).toBe(200);
    expect((await second.call("GET", "/sessions")).status).toBe(401);
    expect((await second.call("POST", "/sign-in", { email, password: PASSWORD })).status).toBe(401);
  });

  test("a disabled account's end at once and are not revived", async () => {
    const page = await signUp();
    const email = String((await page.call("GET", "/session")).of("data", "account", "email"));
    await service.accounts.setDisabled({ email, isDisabled: true });
    expect((await page.call("GET", "/sessions")).status).toBe(401);
    const again = openPage(service, freshAddress());
    expect((await again.call("POST", "/sign-in", { email, password: PASSWORD })).status).toBe(401);
    await service.accounts.setDisabled({ email, isDisabled: false });
    expect((await page.call("GET", "/sessions")).status).toBe(401);
    expect((await again.call("POST", "/sign-in", { email, password: PASSWORD })).status).toBe(200);
  });

  test("open the subscription with its limits, and no product", async () => {
    const page = await signUp();
    const answer = await page.call("GET", "/api/account/subscription");
    expect(answer.of("data")).toMatchObject({ plan: "Free", credits_remaining: 100 });
    for (const name of ["x-ratelimit-limit", "x-ratelimit-remaining", "x-concurrency-limit"]) {
      expect(answer.headers[name]).toBeDefined();
    }
    const check = await page.call("POST", "/api/check-ip", { ip: "8.8.8.8" });
    expect(check.status).toBe(401);
    await page.call("POST", "/sign-out");
    expect((await page.call("GET", "/api/account/subscription")).status).toBe(401);
  });

  test("a wrong key is refused also beside a session, and a key in the URL is none", async () => {
    const page = await signUp();
    const path = "/api/account/subscription";
    const headers = { cookie: page.cookie() ?? "" };
    expect((await service.call({ method: "GET", path, headers, key: "rpt_wrong" })).status).toBe(401);
    const { key } = await service.openAccount();
    expect((await service.call({ method: "GET", path: `${path}?api_key=${key}` })).status).toBe(401);
    const dashboard = `/api/dashboard/sessions?api_key=${key}`;
    expect((await service.call({ method: "GET", path: dashboard, key })).status).toBe(401);
  });
});
