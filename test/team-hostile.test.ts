import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../src/base/clock.ts";
import { openPage, PASSWORD, type Page, personPage } from "./dashboard.ts";
import { forEachDatabase } from "./databases.ts";
import { openSocket, readAnswer } from "./raw-http.ts";
import { startTestService, type TestAccount, type TestService, until } from "./service.ts";

// What people of an account do against its owner, and on their way out.

/** A call of a page whose body is held back once it was admitted: what finishes it gives its status. */
async function heldBack(service: TestService, page: Page, path: string, body: object) {
  const { port, host } = new URL(service.address);
  const socket = await openSocket(Number(port));
  const text = JSON.stringify(body);
  const head = [
    `POST /api/dashboard${path} HTTP/1.1`,
    `Host: ${host}`,
    `Origin: ${service.address}`,
    `Cookie: ${page.cookie()}`,
    `X-CSRF-Token: ${page.csrf()}`,
    "Content-Type: application/json",
    `Content-Length: ${text.length}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${text.slice(0, 1)}`);
  return async (): Promise<number> => {
    const answer = readAnswer(socket);
    socket.write(text.slice(1));
    return (await answer).status;
  };
}

forEachDatabase(
  (dialect, database) => {
    let service: TestService;
    let account: TestAccount;
    let owner: Page;
    let clients = 0;
    const client = () => `127.0.17.${++clients}`;
    beforeAll(async () => {
      const url = dialect === "postgres" ? { databaseUrl: database.url() } : {};
      service = await startTestService(url);
      await until(async () => (await service.call({ method: "GET", path: "/readyz" })).status === 200);
      account = await service.openAccount();
      owner = await personPage(service, account.id, client());
    });
    afterAll(() => service.close());

    const join = async (role: string) => {
      const email = `${role}-${clients}@example.com`;
      const invited = await owner.call("POST", "/people", { email, role });
      const token = String(invited.of("data", "path")).split("token=")[1];
      const page = openPage(service, client());
      const joined = await page.call("POST", "/join", { token, password: PASSWORD });
      return { email, page, id: String(joined.of("data", "account", "person", "id")) };
    };

    test("a call that was admitted changes nothing once its person is removed", async () => {
      const { page, id } = await join("member");
      const looked = await page.call("POST", "/lookup/check-ip", { ip: "8.8.8.8" });
      const resultId = String(looked.headers["x-result-id"]);
      const made = await page.call("POST", "/runs", { name: "list.csv", columns: ["value"] });
      const runId = String(made.of("data", "id"));
      const lines = { first_line: 1, column: 0, rows: [["1.1.1.1"]] };
      const finish: (() => Promise<number>)[] = [];
      for (const [path, body] of [
        [`/results/${resultId}/shares`, { days: 1 }],
        ["/runs", { name: "late.csv", columns: ["value"] }],
        [`/runs/${runId}/lines`, lines],
        ["/alerts", { credits_percent: 10, sign_in: false, sources: false }],
        ["/keys", { name: "late" }],
      ] as const) {
        finish.push(await heldBack(service, page, path, body));
      }
      // They are admitted, and wait for the rest of their bodies.
      await systemClock.sleep(500);
      expect((await owner.call("POST", `/people/${id}/remove`, {})).status).toBe(200);
      for (const one of finish) expect(await one()).toBe(401);
      expect((await owner.call("GET", `/results/${resultId}`)).of("data", "shares")).toEqual([]);
      expect((await owner.call("GET", `/runs/${runId}/items`)).of("data", "items")).toEqual([]);
    });

    test("nor is it told what is there, or led to the provider's pages", async () => {
      const operator = await service.openAccount();
      await service.accounts.setOwner({ accountId: operator.id, isOwner: true });
      const page = await personPage(service, operator.id, client());
      const finish = new Map<string, () => Promise<number>>();
      for (const [path, body] of [
        ["/feeds/no_such_list/switch", { value: true, reason: "late" }],
        ["/billing/checkout", { plan: "Pro" }],
        ["/admin/accounts/no-such-account", { change: "credits", value: 1, reason: "late" }],
      ] as const) {
        finish.set(path, await heldBack(service, page, path, body));
      }
      await systemClock.sleep(500);
      await service.accounts.setDisabled({ accountId: operator.id, isDisabled: true });
      for (const [path, one] of finish) {
        expect([path, await one()]).toEqual([path, 401]);
      }
    });

    test("a viewer who signs in over and over ends none of the owner's sessions", {
      timeout: 120_000,
    }, async () => {
      const { email, page } = await join("viewer");
      for (let times = 0; times < 101; times++) {
        const again = openPage(service, client());
        expect((await again.call("POST", "/sign-in", { email, password: PASSWORD })).status).toBe(200);
      }
      expect((await owner.call("GET", "/overview")).status).toBe(200);
      // Their own first one has made room.
      expect((await page.call("GET", "/overview")).status).toBe(401);
    });

    test("calls that are held back are too many at once, not too many a second", async () => {
      const { page } = await join("viewer");
      const finish: (() => Promise<number>)[] = [];
      const settings = { credits_percent: 10, sign_in: false, sources: false };
      for (let i = 0; i < 10; i++) finish.push(await heldBack(service, page, "/alerts", settings));
      await systemClock.sleep(1500);
      const refused = await service.call({
        method: "GET",
        path: "/api/dashboard/people",
        headers: { cookie: page.cookie() ?? "" },
      });
      expect(refused.status).toBe(429);
      expect(refused.headers).toMatchObject({ "x-ratelimit-scope": "concurrency", "retry-after": "1" });
      for (const one of finish) expect(await one()).toBe(200);
      expect((await page.call("GET", "/people")).status).toBe(200);
    });

    test("a viewer who floods does not keep the owner from removing them", async () => {
      const { page, id } = await join("viewer");
      const flood = () =>
        service.call({
          method: "GET",
          path: "/api/dashboard/people",
          headers: { cookie: page.cookie() ?? "" },
        });
      const statuses = (await Promise.all(Array.from({ length: 60 }, flood))).map(({ status }) => status);
      expect(statuses).toContain(429);
      const headers = {
        ...{ origin: service.address, cookie: owner.cookie() ?? "", "x-csrf-token": owner.csrf() ?? "" },
      };
      const [removal] = await Promise.all([
        service.call({ path: `/api/dashboard/people/${id}/remove`, body: {}, headers }),
        ...Array.from({ length: 30 }, flood),
      ]);
      expect(removal.status).toBe(200);
    });
  },
  { lasting: true },
);
