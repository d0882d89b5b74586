import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeAudit } from "../src/accounts/audit.ts";
import { systemClock, systemRandom } from "../src/base/clock.ts";
import { ENDPOINTS } from "../src/http/dashboard/endpoints.ts";
import { keyPage, openPage, PASSWORD, type Page, personPage } from "./dashboard.ts";
import { forEachDatabase } from "./databases.ts";
import { startTestService, type TestAccount, type TestService } from "./service.ts";

// What a session that an API key opened may do: read its own account, and nothing else (security P15).
const READS: readonly string[] = [
  "session",
  "signOut",
  "sessions",
  "overview",
  "keys",
  "tokens",
  "usage",
  "usageHours",
  "results",
  "result",
  "runs",
  "run",
  "runItems",
  "feeds",
  "billing",
];
const OPEN: readonly string[] = [
  "viewInvitation",
  "join",
  "signUp",
  "viewSignUp",
  "openAccount",
  "signIn",
  "requestReset",
  "viewReset",
  "reset",
];

forEachDatabase(
  (dialect, database) => {
    let service: TestService;
    let account: TestAccount;
    let person: Page;
    let reader: Page;
    beforeAll(async () => {
      const url = dialect === "postgres" ? { databaseUrl: database.url() } : {};
      service = await startTestService({ ...url, file: { dashboard: { signup: "open" } } });
      account = await service.openAccount();
      await service.accounts.setOwner({ email: account.email, isOwner: true });
      person = await personPage(service, account.id, "127.0.10.1");
      reader = await keyPage(service, account.key, "127.0.10.2");
    });
    afterAll(() => service.close());

    test.each(Object.entries(ENDPOINTS).filter(([name]) => !READS.includes(name) && !OPEN.includes(name)))(
      "%s is refused to a key's session, in words, whatever it sends",
      async (_name, { method, path }) => {
        const body = method === "POST" ? { reason: "x", name: "x", new_password: PASSWORD } : undefined;
        const answer = await reader.call(method, path.replace(":id", account.id), body);
        expect([answer.status, answer.of("errors")]).toMatchObject([
          403,
          [
            {
              code: "FORBIDDEN",
              message: expect.stringMatching(/can only read here\. Sign in with your e-mail/),
            },
          ],
        ]);
        expect(answer.text).toContain(account.key.slice(0, 12));
      },
    );

    test.each([
      "/sessions",
      "/overview",
      "/keys",
      "/tokens",
      "/usage",
      "/usage.csv",
      "/results",
      "/runs",
      "/feeds",
      "/billing",
    ])("%s is read by a key's session", async (path) => {
      expect((await reader.call("GET", path)).status).toBe(200);
    });

    test("the subscription is read by it too, and the session says what it is", async () => {
      expect((await reader.call("GET", "/api/account/subscription")).status).toBe(200);
      expect((await reader.call("GET", "/session")).of("data", "account", "is_reader")).toBe(true);
      expect((await person.call("GET", "/session")).of("data", "account", "is_reader")).toBe(false);
    });

    test("a key sets no first password: the account's person does that by a link", async () => {
      const bare = await service.openAccount();
      const page = await keyPage(service, bare.key, "127.0.10.3");
      expect((await page.call("POST", "/password", { new_password: PASSWORD })).status).toBe(403);
      expect((await page.call("POST", "/totp")).status).toBe(403);
      const stranger = openPage(service, "127.0.10.3");
      const wish = { email: bare.email, password: PASSWORD };
      expect((await stranger.call("POST", "/sign-in", wish)).status).toBe(401);
    });

    describe("a revoked key", () => {
      test("ends the sessions that it opened, and says what they did", async () => {
        const made = await person.call("POST", "/keys", { name: "lost" });
        const [id, key] = [String(made.of("data", "id")), String(made.of("data", "key"))];
        const thieves = [
          await keyPage(service, key, "127.0.10.4"),
          await keyPage(service, key, "127.0.10.5"),
        ];
        // As a version before this one let its sessions do.
        const deps = { clock: systemClock, random: systemRandom };
        const detail = { prefix: "rpt_xxxxxxxx" };
        const old = {
          actor: account.email,
          action: "key.create" as const,
          accountId: account.id,
          keyId: id,
          detail,
        };
        await writeAudit(service.db.kysely, old, deps);
        const revoked = await person.call("DELETE", `/keys/${id}`);
        expect(revoked.of("data", "ended_sessions")).toBe(2);
        const rows = JSON.parse(revoked.text).data.made;
        expect(rows.map(({ action }: { action: string }) => action).toSorted()).toEqual([
          "key.create",
          "session.sign_in",
          "session.sign_in",
        ]);
        expect(rows).toContainEqual(
          expect.objectContaining({
            action: "session.sign_in",
            detail: { by: "key", prefix: key.slice(0, 12), client: "127.0.10.4", times: 1 },
          }),
        );
        for (const thief of thieves) expect((await thief.call("GET", "/sessions")).status).toBe(401);
        expect((await person.call("GET", "/sessions")).status).toBe(200);
        const again = await person.call("DELETE", `/keys/${id}`);
        expect([again.status, again.of("data", "ended_sessions")]).toEqual([200, 0]);
      });
    });

    test("with dashboard.key_sign_in off no key opens the pages, and those that were opened end", async () => {
      const url = dialect === "postgres" ? { databaseUrl: database.url() } : {};
      const off = await startTestService({
        ...url,
        ...(dialect === "sqlite" ? { dataDir: service.dataDir } : {}),
        file: { dashboard: { key_sign_in: "off" } },
      });
      try {
        const page = openPage(off, "127.0.10.6");
        const answer = await page.call("POST", "/sign-in", { api_key: account.key });
        expect([answer.status, answer.text]).toEqual([403, expect.stringContaining("turned off")]);
        expect((await page.call("GET", "/session")).of("data", "key_sign_in")).toBe("off");
        page.setCookie(reader.cookie());
        expect((await page.call("GET", "/sessions")).status).toBe(401);
        page.setCookie(person.cookie());
        expect((await page.call("GET", "/sessions")).status).toBe(200);
      } finally {
        await off.close();
      }
    });
  },
  { lasting: true },
);
