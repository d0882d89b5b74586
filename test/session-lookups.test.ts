import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { PRODUCTS } from "../src/products/all.ts";
import { keyPage, openPage, PASSWORD, type Page, personPage } from "./dashboard.ts";
import { forEachDatabase } from "./databases.ts";
import { historyOf } from "./ledger-setting.ts";
import { encodeReply } from "./servers/dns-server.ts";
import {
  keepsSilent,
  knowsNobody,
  NXDOMAIN,
  startTestService,
  type TestAccount,
  type TestService,
  until,
} from "./service.ts";

// A lookup of the pages is paid by a key that the session keeps to itself (security P15).
const CHECK = "/lookup/check-ip";
const BODY = { ip: "8.8.8.8" };
const CREDITS = 1_500_000;

forEachDatabase(
  (dialect, database) => {
    let service: TestService;
    let account: TestAccount;
    let page: Page;
    let people = 0;
    beforeAll(async () => {
      const url = dialect === "postgres" ? { databaseUrl: database.url() } : {};
      service = await startTestService({ ...url, file: { dns: { timeout_ms: 4000 } } });
      await until(async () => (await service.call({ method: "GET", path: "/readyz" })).status === 200);
    });
    afterAll(() => service.close());
    beforeEach(async () => {
      account = await service.openAccount();
      page = await personPage(service, account.id, `127.0.12.${++people}`);
    });

    /** The history once it has as many rows: those of refused calls are written a little later. */
    const rowsOf = async (count: number) => {
      await until(async () => (await historyOf(service, account.id)).rows.length >= count);
      return (await historyOf(service, account.id)).rows;
    };

    test("is answered as one with a key, charged once, and listed as Dashboard", async () => {
      const byKey = await service.call({ path: "/api/check-ip", key: account.key, body: BODY });
      const answer = await page.call("POST", CHECK, BODY);
      expect(answer.status).toBe(200);
      expect(Object.keys(Object(answer.of("data")))).toEqual(Object.keys(Object(byKey.of("data"))));
      expect(answer.headers).toMatchObject({
        "x-credits-charged": "1",
        "x-credits-remaining": String(CREDITS - 2),
        "x-ratelimit-limit": "100",
        "x-concurrency-limit": byKey.headers["x-concurrency-limit"],
      });
      const bulk = await page.call("POST", "/lookup/bulk/check-ip", { ips: ["8.8.8.8", "1.1.1.1"] });
      expect([bulk.status, bulk.headers["x-credits-charged"]]).toEqual([200, "2"]);
      expect(await service.balanceOf(account)).toBe(CREDITS - 4);
      const { keys, active } = JSON.parse((await page.call("GET", "/keys")).text).data;
      expect(active).toBe(1);
      const own = keys.filter(({ kind }: { kind: string }) => kind === "dashboard");
      expect(own).toMatchObject([{ name: "Dashboard", revoked_at: null, calls_30_days: 2 }]);
      const { rows } = await historyOf(service, account.id);
      expect(rows.map(({ key_id: id }) => id === own[0].id)).toEqual([false, true, true]);
    });

    test.each(PRODUCTS.map((product) => product.name))(
      "reaches %s, which judges the body itself",
      async (name) => {
        const answer = await page.call("POST", `/lookup/${name}`, {});
        expect(answer.status).toBe(422);
        expect(JSON.parse(answer.text).detail[0].type).toBe("missing");
      },
    );

    test("needs what everything needs that costs something, and charges nothing otherwise", async () => {
      const { csrf, cookie } = { csrf: page.csrf() ?? "", cookie: page.cookie() ?? "" };
      const path = `/api/dashboard${CHECK}`;
      const own = { origin: service.address, cookie, "x-csrf-token": csrf };
      const tries: readonly (readonly [number, Record<string, string>])[] = [
        [403, { ...own, origin: "http://evil.example" }],
        [403, { origin: service.address, cookie }],
        [403, { cookie, "x-csrf-token": csrf }],
        [403, { ...own, "x-csrf-token": "A".repeat(43) }],
        [401, { origin: service.address, "x-csrf-token": csrf }],
        [401, { origin: service.address, "x-api-key": account.key }],
      ];
      for (const [status, headers] of tries) {
        expect([headers, (await service.call({ path, headers, body: BODY })).status]).toEqual([
          headers,
          status,
        ]);
      }
      const reader = await keyPage(service, account.key, `127.0.12.${++people}`);
      const refused = await reader.call("POST", CHECK, BODY);
      expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("can only read")]);
      expect((await page.call("GET", CHECK)).status).toBe(405);
      expect(await service.balanceOf(account)).toBe(CREDITS);
    });

    test("nothing that a caller sends is the session's key", async () => {
      await page.call("POST", CHECK, BODY);
      const rows = await service.db.kysely
        .selectFrom("api_keys")
        .select(["id", "hash", "prefix", "session_id"])
        .where("account_id", "=", account.id)
        .where("session_id", "is not", null)
        .execute();
      expect(rows).toHaveLength(1);
      const [{ id = "", hash = "", prefix = "", session_id: session = "" } = {}] = rows;
      for (const key of [id, hash, prefix, session ?? ""]) {
        expect((await service.call({ path: "/api/check-ip", key, body: BODY })).status).toBe(401);
        const signIn = openPage(service, `127.0.12.${++people}`).call("POST", "/sign-in", { api_key: key });
        expect((await signIn).status).toBe(401);
      }
    });

    test("402, 413 and 422 are those of any call", async () => {
      await service.accounts.setCredits({ email: account.email, credits: 0 });
      expect((await page.call("POST", CHECK, BODY)).status).toBe(402);
      expect((await page.call("POST", CHECK, { ip: "nonsense" })).status).toBe(422);
      expect((await page.call("POST", CHECK, " ".repeat(1_048_577))).status).toBe(413);
      expect((await page.call("POST", CHECK, " ".repeat(900_000))).status).toBe(422);
      expect((await rowsOf(4)).map(({ status }) => status)).toEqual([402, 422, 413, 422]);
    });

    test("is not charged to the plan's number of keys", async () => {
      const free = await service.openAccount({ plan: "Free" });
      const mine = await personPage(service, free.id, `127.0.12.${++people}`);
      expect((await mine.call("POST", CHECK, BODY)).status).toBe(200);
      expect((await mine.call("POST", "/keys", { name: "second" })).status).toBe(200);
      expect((await mine.call("POST", "/keys", { name: "third" })).status).toBe(422);
    });

    describe("in flight", () => {
      /** What `ask` brings for a new address, whose reverse name is waited for during `work`. */
      const held = async <T>(work: () => Promise<unknown>, ask: (ip: string) => Promise<T>): Promise<T> => {
        const { dns } = service;
        const before = dns.questions.length;
        dns.use(keepsSilent);
        const running = ask(`198.51.100.${++people}`);
        await until(() => dns.questions.slice(before).some(({ type }) => type === "PTR"));
        await work();
        dns.use(knowsNobody);
        for (const question of dns.questions.slice(before)) {
          dns.send(encodeReply(question, NXDOMAIN), question.clientPort);
        }
        return running;
      };
      const lookUp = (ip: string) => page.call("POST", CHECK, { ip });
      const beside = () => {
        const other = openPage(service, `127.0.12.${++people}`);
        other.setCookie(page.cookie());
        return other;
      };

      test.each([
        ["signing out", async (other: Page) => other.call("POST", "/sign-out")],
        [
          "the end from elsewhere",
          async (other: Page) => {
            const { sessions } = JSON.parse((await other.call("GET", "/sessions")).text).data;
            return other.call("DELETE", `/sessions/${sessions[0].id}`);
          },
        ],
        [
          "a disabled account",
          async () => service.accounts.setDisabled({ email: account.email, isDisabled: true }),
        ],
        ["another password by a link", async () => personPage(service, account.id, `127.0.12.${++people}`)],
      ])("%s ends it with 401, and nothing is charged", async (_what, end) => {
        const other = beside();
        await other.call("GET", "/session");
        const answer = await held(() => end(other), lookUp);
        expect([answer.status, answer.of("errors")]).toMatchObject([401, [{ code: "NOT_SIGNED_IN" }]]);
        expect((await rowsOf(1)).map(({ status, credits }) => [status, credits])).toEqual([[401, 0]]);
      });

      test("the same again is refused and only the first is charged; another goes beside it", async () => {
        const other = beside();
        await other.call("GET", "/session");
        let again = await other.call("GET", "/session");
        const first = await held(async () => {
          again = await other.call("POST", CHECK, { ip: `198.51.100.${people}` });
        }, lookUp);
        expect([again.status, again.of("errors")]).toMatchObject([409, [{ code: "CONFLICT" }]]);
        expect([first.status, first.headers["x-credits-charged"]]).toEqual([200, "1"]);
        expect(await service.balanceOf(account)).toBe(CREDITS - 1);
        expect((await other.call("POST", CHECK, { ip: `198.51.100.${people}` })).status).toBe(200);
      });

      test("so is the same form of a public page, and another value goes beside it", async () => {
        await page.call("GET", "/session");
        const send = async (ip: string) => {
          const answer = await fetch(`${service.address}/tools/ip/${ip}`, {
            method: "POST",
            body: new URLSearchParams({ csrf: page.csrf() ?? "" }),
            headers: { accept: "text/html", origin: service.address, cookie: page.cookie() ?? "" },
          });
          return [answer.status, (await answer.text()).includes("This lookup is running already")];
        };
        const others: unknown[] = [];
        const first = await held(async () => {
          others.push(await send(`198.51.100.${people}`), await send("192.0.2.1"));
        }, send);
        expect([first, ...others]).toEqual([
          [200, false],
          [409, true],
          [200, false],
        ]);
        expect(await service.balanceOf(account)).toBe(CREDITS - 2);
      });
    });

    test("ends with the session: another of the account goes on with a key of its own", async () => {
      await page.call("POST", CHECK, BODY);
      const other = openPage(service, `127.0.12.${++people}`);
      await other.call("POST", "/sign-in", { email: account.email, password: PASSWORD });
      await other.call("POST", CHECK, BODY);
      const listed = async () => {
        const { keys } = JSON.parse((await other.call("GET", "/keys")).text).data;
        return keys.filter(({ kind }: { kind: string }) => kind === "dashboard").length;
      };
      expect(await listed()).toBe(2);
      await page.call("POST", "/sign-out");
      expect(await listed()).toBe(1);
      expect((await other.call("POST", CHECK, BODY)).status).toBe(200);
    });
  },
  { lasting: true },
);
