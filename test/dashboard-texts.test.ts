import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage, PASSWORD, type Page, personPage } from "./dashboard.ts";
import { forEachDatabase } from "./databases.ts";
import { startTestService, type TestService } from "./service.ts";

// PostgreSQL cannot keep U+0000 in a text: nowhere may that become a fault of ours.
forEachDatabase(
  (dialect, database) => {
    let service: TestService;
    let owner: Page;
    beforeAll(async () => {
      service = await startTestService({
        ...(dialect === "postgres" ? { databaseUrl: database.url() } : {}),
        file: { dashboard: { signup: "open" }, usage: { store_targets: true } },
      });
      const account = await service.openAccount();
      await service.accounts.setOwner({ email: account.email, isOwner: true });
      owner = await personPage(service, account.id);
    });
    afterAll(() => service.close());

    test.each([
      ["/sign-in", { email: "x\0@y.lab", password: PASSWORD }, 401],
      ["/sign-in", { email: "x\ud800@y.lab", password: PASSWORD }, 401],
      ["/sign-in", { email: "x@y.lab", password: `${PASSWORD}\0` }, 401],
      ["/sign-in", { api_key: "rpt_\0" }, 401],
      ["/sign-up", { email: "x\0@y.lab", password: PASSWORD }, 422],
      ["/sign-up", { email: "x\ud800@y.lab", password: PASSWORD }, 422],
      ["/sign-up", { email: "x\ufffd@y.lab", password: PASSWORD }, 422],
      ["/password/reset-request", { email: "x\0@y.lab" }, 422],
      ["/password/reset", { token: "\0".repeat(43), new_password: PASSWORD }, 422],
    ])("POST %s %o of a stranger", async (path, body, status) => {
      expect((await openPage(service, "127.0.8.1").call("POST", path, body)).status).toBe(status);
    });

    test.each([
      ["GET", "/admin/accounts?q=%00", undefined, 200],
      ["GET", "/admin/accounts?q=a%00b%ff", undefined, 200],
      ["GET", "/admin/accounts?q=x&limit=%00", undefined, 422],
      ["GET", "/admin/accounts/%00", undefined, 404],
      ["POST", "/admin/accounts/%00", { change: "credits", value: 5, reason: "x" }, 404],
      ["DELETE", "/keys/a%00b", undefined, 404],
      ["DELETE", "/sessions/a%00b", undefined, 404],
      ["GET", "/usage?from=%00&to=%00", undefined, 422],
      ["POST", "/keys", { name: "a\0b\ud800" }, 200],
      ["POST", "/totp/confirm", { totp_code: "\0" }, 409],
      ["POST", "/billing/checkout", { plan: "\0" }, 422],
    ])("%s %s %o of a signed-in account", async (method, path, body, status) => {
      const answer = await owner.call(method, path, body);
      expect([path, answer.status]).toEqual([path, status]);
    });

    test("a reason is kept without it", async () => {
      const { id } = await service.openAccount();
      const wish = { change: "plan", value: "Pro", reason: "be\0cause\ud800" };
      expect((await owner.call("POST", `/admin/accounts/${id}`, wish)).status).toBe(200);
      const nothing = { change: "plan", value: "\0", reason: "because" };
      expect((await owner.call("POST", `/admin/accounts/${id}`, nothing)).status).toBe(422);
    });

    test("products take it as any other text that is no target", async () => {
      const { key } = await service.openAccount();
      for (const [path, body] of [
        ["/api/check-ip", { ip: "8.8.8.8\0" }],
        ["/api/lookup-dns", { domain: "a\0.example" }],
        ["/api/check-url", { url: "http://a.example/\0" }],
      ] as const) {
        const answer = await service.call({ path, body, key });
        expect([path, answer.status < 500]).toEqual([path, true]);
      }
      expect(service.logged()).not.toContain("Call failed");
    });
  },
  { lasting: true },
);
