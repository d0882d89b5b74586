import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage, PASSWORD, signedUpPage } from "./dashboard.ts";
import { forEachDatabase } from "./databases.ts";
import { mailsTo, tokenIn } from "./mailbox.ts";
import { startTestService, type TestService } from "./service.ts";
import { unprove } from "./sign-in-setting.ts";

forEachDatabase(
  (dialect, database) => {
    let service: TestService;
    beforeAll(async () => {
      const url = dialect === "postgres" ? { databaseUrl: database.url() } : {};
      service = await startTestService({
        ...url,
        file: { dashboard: { signup: "open", owners: ["boss@example.com"] } },
      });
    });
    afterAll(() => service.close());

    let hosts = 0;
    const newPage = () => openPage(service, `127.0.11.${++hosts}`);

    test("a sign-up answers alike for a new address and a taken one, and no password of it opens anything", async () => {
      const taken = "taken@example.com";
      await signedUpPage(service, taken, "127.0.12.1");
      const mine = { password: "the stranger's own password" };
      const [old, fresh] = await Promise.all(
        [taken, "fresh@example.com"].map((email) => newPage().call("POST", "/sign-up", { email, ...mine })),
      );
      const parts = [old, fresh].map((answer) => [
        answer?.status,
        answer?.of("data"),
        Object.keys(answer?.headers ?? {}).toSorted(),
      ]);
      expect(parts[0]).toEqual(parts[1]);
      expect(parts[0]?.slice(0, 2)).toEqual([200, { done: true }]);
      for (const email of [taken, "fresh@example.com", "nobody@example.com"]) {
        const answer = await newPage().call("POST", "/sign-in", { email, ...mine });
        expect([email, answer.status, answer.of("errors", "0", "code")]).toEqual([
          email,
          401,
          "SIGN_IN_FAILED",
        ]);
      }
      expect(await service.accounts.findAccount("fresh@example.com")).toBeNull();
      const told = (await mailsTo(service, taken, 2)).at(-1);
      expect(told).toContain("this address already has an account");
      expect(told).toContain(`${service.address}/app/sign-in`);
      expect(tokenIn(told, "open") + tokenIn(told, "reset")).toBe("");
      const link = tokenIn((await mailsTo(service, "fresh@example.com"))[0], "open");
      const page = newPage();
      expect((await page.call("POST", "/sign-up/view", { token: link })).of("data")).toEqual({
        email: "fresh@example.com",
      });
      const opened = await page.call("POST", "/sign-up/open", { token: link, password: PASSWORD });
      expect(opened.of("data", "account")).toMatchObject({ email: "fresh@example.com", is_proved: true });
      expect((await page.call("POST", "/keys", { name: "x" })).status).toBe(200);
      expect(service.logged()).not.toContain(link);
    });

    test("an owner's e-mail is no way to become one", async () => {
      const before = service.mails.length;
      expect((await newPage().call("POST", "/sign-up", { email: "Boss@Example.com" })).status).toBe(200);
      await signedUpPage(service, "after@example.com", "127.0.12.2");
      expect(service.mails.slice(before).flatMap(({ to }) => to)).toEqual(["after@example.com"]);
      expect(await service.accounts.findAccount("boss@example.com")).toBeNull();
    });

    test("each refusal names its member and repeats nothing secret", async () => {
      const page = newPage();
      await page.call("POST", "/sign-up", { email: "faults@example.com" });
      const token = tokenIn((await mailsTo(service, "faults@example.com"))[0], "open");
      const tries = [
        ["/sign-up", { email: "no e-mail" }, "email", "email_malformed"],
        ["/sign-up/view", { token: "x".repeat(43) }, "token", "token_invalid"],
        ["/sign-up/open", { token: "x".repeat(43), password: PASSWORD }, "token", "token_invalid"],
        ["/sign-up/open", { token, password: "seven77" }, "password", "password_short"],
        ["/sign-up/open", { token, password: "x".repeat(129) }, "password", "password_long"],
        ["/sign-up/open", { token, password: "😀".repeat(129) }, "password", "password_long"],
        ["/sign-up/open", { token, password: "Sunshine1" }, "password", "password_common"],
        ["/sign-up/open", { token, password: "faults-2026" }, "password", "password_common"],
        ["/password/reset/view", { token }, "token", "token_invalid"],
        ["/password/reset", { token, new_password: PASSWORD }, "token", "token_invalid"],
      ] as const;
      for (const [path, body, field, reason] of tries) {
        const answer = await page.call("POST", path, body);
        expect([path, answer.status]).toEqual([path, 422]);
        expect(JSON.parse(answer.text).detail).toMatchObject([{ loc: ["body", field], ctx: { reason } }]);
        expect(answer.text).not.toContain(token);
      }
      expect((await page.call("POST", "/sign-up/open", { token, password: PASSWORD })).status).toBe(200);
    });

    test("an account of before, in another person's name: its key and session go with the first link", async () => {
      const email = "victim@example.com";
      const hijacker = await signedUpPage(service, email, "127.0.12.3");
      const key = String((await hijacker.call("POST", "/keys", { name: "x" })).of("data", "key"));
      await unprove(service.db, email);
      const check = { path: "/api/check-ip", key, body: { ip: "8.8.8.8" } };
      expect((await service.call(check)).status).toBe(401);
      expect((await hijacker.call("GET", "/session")).of("data", "account")).toMatchObject({
        is_proved: false,
      });
      expect((await hijacker.call("GET", "/api/account/subscription")).of("data", "credits_remaining")).toBe(
        0,
      );
      for (const [path, body] of [
        ["/keys", { name: "y" }],
        ["/totp", { current_password: PASSWORD }],
        ["/billing/checkout", { plan: "Pro" }],
      ] as const) {
        const answer = await hijacker.call("POST", path, body);
        expect([path, answer.status, answer.of("errors", "0", "code")]).toEqual([
          path,
          403,
          "ADDRESS_NOT_PROVED",
        ]);
      }
      const victim = newPage();
      expect((await victim.call("POST", "/password/reset-request", { email })).status).toBe(200);
      const token = tokenIn((await mailsTo(service, email, 2)).at(-1), "reset");
      const view = await victim.call("POST", "/password/reset/view", { token });
      expect(view.of("data")).toMatchObject({
        email,
        is_proved: false,
        needs_totp: false,
        keys: [{ prefix: key.slice(0, 12) }],
      });
      expect(view.text).not.toContain(key);
      const mine = { token, new_password: "what the victim chose" };
      expect((await victim.call("POST", "/password/reset", mine)).of("data", "account")).toMatchObject({
        email,
      });
      expect((await service.call(check)).status).toBe(401);
      expect((await hijacker.call("GET", "/keys")).status).toBe(401);
      expect((await newPage().call("POST", "/sign-in", { email, password: PASSWORD })).status).toBe(401);
      expect((await newPage().call("POST", "/sign-in", { api_key: key })).status).toBe(401);
      const own = String((await victim.call("POST", "/keys", { name: "z" })).of("data", "key"));
      expect((await service.call({ ...check, key: own })).status).toBe(200);
    });

    test("a reset revokes the keys that were chosen", async () => {
      const email = "keys@example.com";
      const page = await signedUpPage(service, email, "127.0.12.4");
      const [kept, lost] = [
        await page.call("POST", "/keys", { name: "kept" }),
        await page.call("POST", "/keys", { name: "lost" }),
      ].map((answer) => ({ id: String(answer.of("data", "id")), key: String(answer.of("data", "key")) }));
      await page.call("POST", "/password/reset-request", { email });
      const token = tokenIn((await mailsTo(service, email, 2)).at(-1), "reset");
      const view = await newPage().call("POST", "/password/reset/view", { token });
      expect(view.of("data", "keys")).toHaveLength(2);
      const wish = { token, new_password: "a new password of mine", revoke_keys: [lost?.id] };
      expect((await newPage().call("POST", "/password/reset", wish)).status).toBe(200);
      const statusOf = async (key = "") =>
        (await service.call({ path: "/api/check-ip", key, body: { ip: "8.8.8.8" } })).status;
      expect([await statusOf(kept?.key), await statusOf(lost?.key)]).toEqual([200, 401]);
    });
  },
  { lasting: true },
);
