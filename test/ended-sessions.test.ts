import type { Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { deleteAccount } from "../src/accounts/delete-account.ts";
import { systemClock, systemRandom } from "../src/base/clock.ts";
import { createRuns } from "../src/runs/runs.ts";
import { openPage, PASSWORD, type Page, personPage } from "./dashboard.ts";
import { forEachDatabase } from "./databases.ts";
import { openSocket } from "./raw-http.ts";
import { startTestService, type TestAccount, type TestService, until } from "./service.ts";

// What one process serves for a session that ends in another.

/** More than the buffers between two sockets hold. */
const LINES = 1900;
const CELL = "x".repeat(4000);

/** A connection on which a page has asked for a file and reads nothing of it yet. */
async function asked(service: TestService, page: Page, path: string): Promise<Socket> {
  const socket = await openSocket(service.port);
  socket.pause();
  const head = [
    `GET /api/dashboard${path} HTTP/1.1`,
    `Host: 127.0.0.1:${service.port}`,
    `Cookie: ${page.cookie()}`,
    "Connection: close",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  return socket;
}

/** All that comes on a connection. */
async function readToEnd(socket: Socket): Promise<string> {
  const pieces: Buffer[] = [];
  socket.on("data", (piece: Buffer) => pieces.push(piece));
  const ended = new Promise((resolve) => socket.once("close", resolve));
  socket.resume();
  if (!socket.closed) await ended;
  return Buffer.concat(pieces).toString("latin1");
}

/** Whether a chunked answer came to its end. */
const isWhole = (text: string): boolean => text.endsWith("\r\n0\r\n\r\n");

forEachDatabase(
  (dialect, database) => {
    let here: TestService;
    let there: TestService;
    let account: TestAccount;
    let owner: Page;
    let runId: string;
    let clients = 0;
    const client = () => `127.0.19.${++clients}`;

    beforeAll(async () => {
      const url = dialect === "postgres" ? { databaseUrl: database.url() } : {};
      here = await startTestService(url);
      there = await startTestService(dialect === "postgres" ? url : { dataDir: here.dataDir });
      for (const service of [here, there]) {
        await until(async () => (await service.call({ method: "GET", path: "/readyz" })).status === 200);
      }
    });
    afterAll(async () => {
      await there.close();
      await here.close();
    });
    beforeEach(async () => {
      account = await here.openAccount();
      owner = await personPage(here, account.id, client());
      const runs = createRuns({ db: here.db, clock: systemClock, random: systemRandom });
      const by = { accountId: account.id, guard: async () => undefined };
      const wish = { ...by, name: "large", columns: ["value", "note"], clientAddress: "127.0.0.1" };
      runId = (await runs.create(wish)).id;
      const lines = Array.from({ length: LINES }, (_, at) => ({
        line: at + 1,
        cells: ["none", `${at + 1} ${CELL}`],
        judged: { product: null, target: "none", note: "Nothing to look up" },
      }));
      await runs.addLines({ ...by, id: runId, lines });
    });

    const join = async (role: string) => {
      const email = `${role}-${++clients}@example.com`;
      const invited = await owner.call("POST", "/people", { email, role });
      const token = String(invited.of("data", "path")).split("token=")[1];
      const page = openPage(there, client());
      const joined = await page.call("POST", "/join", { token, password: PASSWORD });
      return { page, email, id: String(joined.of("data", "account", "person", "id")) };
    };

    const files = () => [`/runs/${runId}/csv`, `/runs/${runId}/json`, "/account/export"];

    test("a file that is read slowly is whole while its session lives", async () => {
      const { page } = await join("owner");
      for (const path of files()) {
        const socket = await asked(there, page, path);
        await systemClock.sleep(400);
        expect([path, isWhole(await readToEnd(socket))]).toEqual([path, true]);
      }
    });

    const ends = {
      "is removed": async (id: string) => {
        expect((await owner.call("POST", `/people/${id}/remove`, {})).status).toBe(200);
      },
      "has another role": async (id: string) => {
        expect((await owner.call("POST", `/people/${id}`, { role: "viewer" })).status).toBe(200);
      },
      "has another password": async (id: string) => {
        await personPage(here, id, client());
      },
      "has an account that was disabled": async () => {
        await here.accounts.setDisabled({ accountId: account.id, isDisabled: true });
      },
    };
    test.each(Object.keys(ends) as (keyof typeof ends)[])(
      "it breaks off in the other process once its person %s",
      async (what) => {
        const { page, id } = await join("owner");
        const sockets = new Map<string, Socket>();
        for (const path of files()) sockets.set(path, await asked(there, page, path));
        await systemClock.sleep(400);
        await ends[what](id);
        for (const [path, socket] of sockets) {
          const text = await readToEnd(socket);
          expect([path, text.slice(0, 15), isWhole(text)]).toEqual([path, "HTTP/1.1 200 OK", false]);
          expect([path, text.includes(`${LINES} ${CELL}`)]).toEqual([path, false]);
        }
        expect(there.logged()).not.toMatch(/"level":"(error|fatal)"/);
      },
    );

    test("a run or an account that is deleted while it is read is no shorter one", async () => {
      const csv = await asked(there, owner, `/runs/${runId}/csv`);
      const json = await asked(there, owner, `/runs/${runId}/json`);
      await systemClock.sleep(400);
      expect((await owner.call("DELETE", `/runs/${runId}`)).status).toBe(200);
      expect([isWhole(await readToEnd(csv)), isWhole(await readToEnd(json))]).toEqual([false, false]);
      const whole = await asked(there, owner, "/account/export");
      await systemClock.sleep(400);
      const rules = { mayCollect: () => false, owners: [] };
      const deps = { db: here.db, clock: systemClock, random: systemRandom };
      await deleteAccount({ accountId: account.id, actor: "cli" }, rules, deps);
      expect((await readToEnd(whole)).endsWith("}")).toBe(false);
    });
  },
  { lasting: true },
);
