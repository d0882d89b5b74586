import type { Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createAccounts } from "../src/accounts/account-store.ts";
import { systemClock, systemRandom } from "../src/base/clock.ts";
import { createRuns } from "../src/runs/runs.ts";
import { type Page, personPage } from "./dashboard.ts";
import { forEachDatabase } from "./databases.ts";
import { openSocket } from "./raw-http.ts";
import { callService, openTestAccount, until } from "./service.ts";
import { createServicePlace, endServiceProcesses, startServiceProcess } from "./service-process.ts";

/* Callers that neither read nor write must not take the time in which a service that stops hands on its work (security P25). */

afterEach(endServiceProcesses);

const LINES = 1900;
const CELL = "x".repeat(4000);

const STALLED: Readonly<Record<string, (page: Page, runId: string) => string>> = {
  "a reader of a file": (page, runId) =>
    `GET /api/dashboard/runs/${runId}/csv HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nCookie: ${page.cookie()}\r\n\r\n`,
  "half a body": () =>
    "POST /api/free/check-ip HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{",
  "half a head": () => "GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nX-Late: ",
};

/** A connection on which something was sent, and nothing is read. */
async function stalled(port: number, text: string): Promise<Socket> {
  const socket = await openSocket(port);
  socket.pause();
  socket.write(text.replaceAll("PORT", String(port)));
  return socket;
}

forEachDatabase((_dialect, database) => {
  test.each(Object.entries(STALLED))(
    "%s: a process that stops hands its run on in time",
    async (_what, textOf) => {
      const dns = () => "silence" as const;
      const { env } = await createServicePlace(database, { dns, file: { dns: { timeout_ms: 20_000 } } });
      const db = await database.open();
      const deps = { db, clock: systemClock, random: systemRandom };
      const account = await openTestAccount(createAccounts(deps));
      const service = startServiceProcess(env);
      const port = await service.listening;
      await until(async () => (await callService(port, { method: "GET", path: "/readyz" })).status === 200);
      const page = await personPage(
        { address: `http://127.0.0.1:${port}`, call: callService.bind(null, port), db },
        account.id,
      );
      const runs = createRuns(deps);
      const by = { accountId: account.id, guard: async () => undefined };
      const wish = { ...by, columns: ["value", "note"], clientAddress: "127.0.0.1" };
      const { id: file } = await runs.create({ ...wish, name: "file" });
      const judged = { product: null, target: "none", note: "Nothing to look up" };
      const lines = Array.from({ length: LINES }, (_, at) => ({
        line: at + 1,
        cells: ["none", CELL],
        judged,
      }));
      await runs.addLines({ ...by, id: file, lines });
      const { id } = await runs.create({ ...wish, name: "run" });
      const slow = Array.from({ length: 500 }, (_, at) => {
        const target = `192.88.${at >> 8}.${at & 255}`;
        return { line: at + 1, cells: [target, ""], judged: { product: "check-ip", target } };
      });
      await runs.addLines({ ...by, id, lines: slow });
      expect((await page.call("POST", `/runs/${id}/start`)).status).toBe(200);
      const lease = async () => {
        const row = db.kysely.selectFrom("bulk_runs").selectAll().where("id", "=", id);
        const { state, lease_owner: owner } = await row.executeTakeFirstOrThrow();
        return { state, isLeased: owner !== null };
      };
      await until(async () => (await lease()).isLeased);
      const socket = await stalled(port, textOf(page, file));
      await systemClock.sleep(500);
      service.signal("SIGTERM");
      const { status, out } = await service.ended;
      socket.destroy();
      expect(await lease()).toEqual({ state: "running", isLeased: false });
      expect([status, out.includes("Calls were still running")]).toEqual([0, false]);
    },
  );
});
