import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Role } from "../src/accounts/people.ts";
import { type Audience, ENDPOINTS } from "../src/http/dashboard/endpoints.ts";
import { openPage, PASSWORD, type Page, personPage } from "./dashboard.ts";
import { forEachDatabase } from "./databases.ts";
import { startTestService, type TestAccount, type TestService } from "./service.ts";

// Several people on one account: what each role may do, how they come and how they go.

/** What each audience lets in, said anew here: a wrong word in `endpoints.ts` shows. */
const MAY: Readonly<Record<Audience, readonly Role[]>> = {
  everybody: ["owner", "member", "viewer"],
  leaving: ["owner", "member", "viewer"],
  reader: ["owner", "member", "viewer"],
  person: ["owner", "member", "viewer"],
  member: ["owner", "member"],
  accountOwner: ["owner"],
  owner: [],
};

/** Endpoints that a person who is no owner of the account may use, written out: a new one must be thought about. */
const OF_MEMBERS =
  "createKey updateKey rollKey revokeKey removeResult shareResult revokeShare createRun addRunLines startRun cancelRun removeRun";
const OF_ALL =
  "session signUp viewSignUp openAccount signIn signOut requestReset viewReset reset setPassword sessions endSession endSessions startTotp " +
  "confirmTotp renewCodes removeTotp alerts changeAlerts people leave viewInvitation join overview keys tokens results result " +
  "runs run runItems usage usageHours feeds billing";

forEachDatabase(
  (dialect, database) => {
    let service: TestService;
    let account: TestAccount;
    let owner: Page;
    let clients = 0;
    const client = () => `127.0.11.${++clients}`;
    beforeAll(async () => {
      const url = dialect === "postgres" ? { databaseUrl: database.url() } : {};
      service = await startTestService(url);
      account = await service.openAccount();
      owner = await personPage(service, account.id, client());
    });
    afterAll(() => service.close());

    let invited = 0;
    const join = async (role: Role, by = owner) => {
      const email = `${role}${++invited}@example.com`;
      // Twenty a day: a test's owner has more.
      await service.db.kysely.deleteFrom("sign_in_attempts").execute();
      const answer = await by.call("POST", "/people", { email, role });
      const path = String(answer.of("data", "path"));
      const page = openPage(service, client());
      const token = path.split("token=")[1] ?? "";
      const joined = await page.call("POST", "/join", { token, password: PASSWORD });
      expect([joined.status, joined.of("data", "account", "person", "role")]).toEqual([200, role]);
      return { page, email, token, id: String(joined.of("data", "account", "person", "id")) };
    };
    const codeOf = (text: string): unknown => JSON.parse(text).errors?.[0]?.code;

    describe("roles", () => {
      const pages = new Map<Role, Page>();
      beforeAll(async () => {
        pages.set("owner", (await join("owner")).page);
        pages.set("member", (await join("member")).page);
        pages.set("viewer", (await join("viewer")).page);
      });
      const ending = ["signOut", "endSessions", "leave", "deleteAccount"];
      const walked = Object.entries(ENDPOINTS).filter(([name]) => !ending.includes(name));
      const allowed = new Set([...OF_ALL.split(" "), ...OF_MEMBERS.split(" ")]);

      test.each(walked)("%s is open to the roles of its audience and to no other", async (name, endpoint) => {
        const { method, path, audience } = endpoint;
        for (const [role, page] of pages) {
          // A body that no endpoint takes: a role that is let in is told so, and changes nothing.
          const body = method === "POST" ? [] : undefined;
          const answer = await page.call(method, path.replace(":id", "none").replace(":key", "none"), body);
          const isLetIn = answer.status !== 403;
          expect([name, role, isLetIn, answer.status < 500]).toEqual([
            name,
            role,
            MAY[audience].includes(role),
            true,
          ]);
          if (role !== "owner" && isLetIn) expect(allowed).toContain(name);
          if (role === "viewer" && isLetIn) expect(OF_ALL.split(" ")).toContain(name);
        }
      });

      test.each([
        ["GET", "/account/export", ["owner"]],
        ["GET", "/usage.csv", ["owner", "member", "viewer"]],
        ["POST", "/lookup/check-ip", ["owner", "member"]],
        ["POST", "/lookup/bulk/check-ip", ["owner", "member"]],
      ] as const)("%s %s is open to its roles", async (method, path, roles) => {
        for (const [role, page] of pages) {
          const answer = await page.call(method, path, method === "POST" ? { ip: 8 } : undefined);
          expect([role, answer.status !== 403 && answer.status < 500]).toEqual([
            role,
            roles.some((one) => one === role),
          ]);
        }
      });

      test("a viewer's session makes no key to pay by, and the public tools stay a stranger's", async () => {
        const viewer = pages.get("viewer");
        const answer = await viewer?.call("POST", "/lookup/check-ip", { ip: "9.9.9.9" });
        expect([answer?.status, answer?.text]).toEqual([403, expect.stringContaining("You are a viewer")]);
        expect((await viewer?.call("GET", "/session"))?.of("data", "account", "is_reader")).toBe(true);
      });

      test("a member changes keys of their own alone, an owner all", async () => {
        const member = await join("member");
        const mine = String((await member.page.call("POST", "/keys", { name: "mine" })).of("data", "id"));
        const other = String((await owner.call("POST", "/keys", { name: "owner's" })).of("data", "id"));
        for (const [path, body] of [
          [`/keys/${other}`, { name: "x" }],
          [`/keys/${other}/roll`, {}],
        ] as const) {
          expect((await member.page.call("POST", path, body)).status).toBe(403);
        }
        expect((await member.page.call("DELETE", `/keys/${other}`)).status).toBe(403);
        const listed = JSON.parse((await member.page.call("GET", "/keys")).text).data.keys;
        expect(listed).toContainEqual(
          expect.objectContaining({ id: mine, made_by: member.email, may_change: true }),
        );
        expect(listed).toContainEqual(
          expect.objectContaining({ id: other, made_by: account.email, may_change: false }),
        );
        const rolled = await member.page.call("POST", `/keys/${mine}/roll`, { overlap_s: 0 });
        expect(rolled.status).toBe(200);
        expect(
          (await owner.call("POST", `/keys/${rolled.of("data", "id")}`, { name: "renamed" })).status,
        ).toBe(200);
        expect((await member.page.call("DELETE", `/keys/${rolled.of("data", "id")}`)).status).toBe(200);
        await owner.call("DELETE", `/keys/${other}`);
      });
    });

    describe("invitations", () => {
      test("a link opens once, for its own address, and is nowhere in the database", async () => {
        const { token, email, page } = await join("member");
        const again = await openPage(service, client()).call("POST", "/join", { token, password: PASSWORD });
        expect([again.status, again.text]).toEqual([
          422,
          expect.stringContaining("used, withdrawn or is too old"),
        ]);
        const stored = await service.db.kysely.selectFrom("invitations").selectAll().execute();
        expect(JSON.stringify(stored)).not.toContain(token);
        expect((await page.call("GET", "/people")).of("data", "invitations")).toEqual([]);
        const wish = { email, password: PASSWORD };
        expect((await openPage(service, client()).call("POST", "/sign-in", wish)).status).toBe(200);
        const taken = await owner.call("POST", "/people", { email, role: "viewer" });
        expect([taken.status, taken.text]).toEqual([
          422,
          expect.stringContaining("one of your people already"),
        ]);
      });

      test("a withdrawn one opens nothing; one to another account's person says so when it is opened", async () => {
        const email = "late@example.com";
        const token = String(
          (await owner.call("POST", "/people", { email, role: "owner" })).of("data", "path"),
        ).split("=")[1];
        const { invitations } = JSON.parse((await owner.call("GET", "/people")).text).data;
        expect(invitations).toMatchObject([{ email, role: "owner", invited_by: account.email }]);
        expect((await owner.call("DELETE", `/invitations/${invitations[0].id}`)).status).toBe(200);
        expect((await owner.call("DELETE", `/invitations/${invitations[0].id}`)).status).toBe(404);
        expect((await openPage(service, client()).call("POST", "/join/view", { token })).status).toBe(422);
        const other = await service.openAccount();
        const made = await owner.call("POST", "/people", { email: other.email, role: "member" });
        const link = String(made.of("data", "path")).split("=")[1];
        const answer = await openPage(service, client()).call("POST", "/join", {
          token: link,
          password: PASSWORD,
        });
        expect([answer.status, answer.text]).toEqual([
          422,
          expect.stringContaining("another account already"),
        ]);
      });

      test("each person has a second factor, sessions and mails of their own", async () => {
        const [a, b] = [await join("member"), await join("viewer")];
        expect((await a.page.call("POST", "/totp")).status).toBe(200);
        expect(
          (await b.page.call("POST", "/alerts", { credits_percent: 50, sign_in: false, sources: false }))
            .status,
        ).toBe(200);
        expect((await a.page.call("GET", "/alerts")).of("data", "sign_in")).toBe(true);
        const sessions = JSON.parse((await a.page.call("GET", "/sessions")).text).data.sessions;
        expect(sessions).toHaveLength(1);
        const others = JSON.parse((await b.page.call("GET", "/sessions")).text).data.sessions;
        expect((await a.page.call("DELETE", `/sessions/${others[0].id}`)).status).toBe(404);
        const wish = { current_password: PASSWORD, new_password: "another long password" };
        expect((await a.page.call("POST", "/password", wish)).status).toBe(200);
        expect((await b.page.call("GET", "/sessions")).status).toBe(200);
      });
    });

    describe("the end", () => {
      test("a removed person's sessions, session key and keys end at once; kept ones go on", async () => {
        const member = await join("member");
        const [gone, kept] = [await join("member"), await join("member")];
        const key = async (page: Page) =>
          String((await page.call("POST", "/keys", { name: "k" })).of("data", "key"));
        const [lost, stays] = [await key(gone.page), await key(kept.page)];
        const look = { ip: "192.0.2.7" };
        await gone.page.call("POST", "/lookup/check-ip", look);
        const paying = () =>
          service.db.kysely
            .selectFrom("api_keys")
            .select("revoked_at")
            .where("person_id", "=", gone.id)
            .where("session_id", "is not", null)
            .execute();
        expect(await paying()).toEqual([{ revoked_at: null }]);
        expect((await member.page.call("POST", `/people/${gone.id}/remove`)).status).toBe(403);
        expect((await owner.call("POST", `/people/${gone.id}/remove`)).status).toBe(200);
        expect((await owner.call("POST", `/people/${kept.id}/remove`, { keep_keys: true })).status).toBe(200);
        expect((await gone.page.call("GET", "/overview")).status).toBe(401);
        expect((await gone.page.call("POST", "/lookup/check-ip", look)).status).toBe(401);
        expect(await paying()).toEqual([{ revoked_at: expect.anything() }]);
        const call = (text: string) =>
          service.call({ method: "GET", path: "/api/account/subscription", headers: { "x-api-key": text } });
        expect([(await call(lost)).status, (await call(stays)).status]).toEqual([401, 200]);
        const wish = { email: gone.email, password: PASSWORD };
        expect((await openPage(service, client()).call("POST", "/sign-in", wish)).status).toBe(401);
        expect((await owner.call("POST", `/people/${gone.id}/remove`)).status).toBe(404);
        for (const made of [member, kept]) await owner.call("POST", `/people/${made.id}/remove`);
      });

      test("another role ends the sessions; a viewer keeps no key unless it is wished", async () => {
        const member = await join("member");
        const text = String((await member.page.call("POST", "/keys", { name: "k" })).of("data", "key"));
        expect((await owner.call("POST", `/people/${member.id}`, { role: "viewer" })).status).toBe(200);
        expect((await member.page.call("GET", "/overview")).status).toBe(401);
        const call = await service.call({
          method: "GET",
          path: "/api/account/subscription",
          headers: { "x-api-key": text },
        });
        expect(call.status).toBe(401);
        const page = openPage(service, client());
        const signedIn = await page.call("POST", "/sign-in", { email: member.email, password: PASSWORD });
        expect(signedIn.of("data", "account", "person", "role")).toBe("viewer");
      });

      test("the last owner cannot leave, be removed or demoted; the account's e-mail passes on", async () => {
        const alone = await service.openAccount();
        const first = await personPage(service, alone.id, client());
        for (const [path, body] of [
          ["/account/leave", undefined],
          [`/people/${alone.id}/remove`, undefined],
          [`/people/${alone.id}`, { role: "member" }],
        ] as const) {
          const answer = await first.call("POST", path, body);
          expect([path, answer.status, codeOf(answer.text)]).toEqual([path, 409, "CONFLICT"]);
        }
        const second = await join("owner", first);
        const third = await join("member", first);
        expect((await first.call("POST", "/account/leave")).status).toBe(200);
        expect((await first.call("GET", "/overview")).status).toBe(401);
        const found = await service.accounts.findAccount(second.email);
        expect(found?.id).toBe(alone.id);
        expect(await service.accounts.findAccount(alone.email)).toBeNull();
        expect((await second.page.call("POST", "/account/leave")).status).toBe(409);
        const rows = await service.db.kysely
          .selectFrom("audit")
          .select(["actor", "action"])
          .where("account_id", "=", alone.id)
          .execute();
        expect(rows).toEqual(
          expect.arrayContaining([
            { actor: alone.email, action: "person.invite" },
            { actor: second.email, action: "person.join" },
            { actor: alone.email, action: "person.leave" },
            { actor: alone.email, action: "account.set_email" },
          ]),
        );
        const text = (await second.page.call("GET", "/account/export")).text;
        expect(JSON.parse(text).people).toMatchObject([
          { email: second.email, role: "owner", is_invited: true },
          { email: third.email, role: "member" },
        ]);
        const wish = { email: second.email, password: PASSWORD };
        expect((await second.page.call("POST", "/account/delete", wish)).status).toBe(200);
        expect((await third.page.call("GET", "/overview")).status).toBe(401);
        const left = await service.db.kysely
          .selectFrom("people")
          .selectAll()
          .where("account_id", "=", alone.id)
          .execute();
        expect(left).toEqual([]);
      });

      test("an invited owner of an account that the configuration names is no owner of the installation", async () => {
        const named = await startTestService({
          file: { dashboard: { owners: ["boss@example.com", "chief@example.com"] } },
        });
        try {
          const boss = await named.accounts.createAccount({ email: "boss@example.com" });
          const page = await personPage(named, boss.id, client());
          expect((await page.call("GET", "/session")).of("data", "account", "is_owner")).toBe(true);
          const made = await page.call("POST", "/people", { email: "chief@example.com", role: "owner" });
          const token = String(made.of("data", "path")).split("=")[1];
          const chief = openPage(named, client());
          await chief.call("POST", "/join", { token, password: PASSWORD });
          expect((await page.call("POST", "/account/leave")).status).toBe(200);
          const session = await chief.call("GET", "/session");
          expect([session.of("data", "account", "email"), session.of("data", "account", "is_owner")]).toEqual(
            ["chief@example.com", false],
          );
          expect((await chief.call("GET", "/admin/accounts")).status).toBe(403);
        } finally {
          await named.close();
        }
      });
    });
  },
  { lasting: true },
);
