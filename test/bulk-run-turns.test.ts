import { expect, test } from "vitest";
import { type Page, personPage } from "./dashboard.ts";
import { openSocket, readAnswer } from "./raw-http.ts";
import { startTestService, type TestAccount, type TestService, until } from "./service.ts";

const BULK = "/api/bulk/check-ip";
/** Runs that one process works on at once. */
const PLACES = 4;

type Begun = { readonly account: TestAccount; readonly page: Page; readonly id: string };

async function draft(service: TestService, lines: number, from: string): Promise<Begun> {
  const account = await service.openAccount({ plan: "Free", credits: 1000 });
  const page = await personPage(service, account.id, from);
  const id = String((await page.call("POST", "/runs", { name: "run", columns: ["ip"] })).of("data", "id"));
  const rows = Array.from({ length: lines }, (_, at) => [`192.88.${at >> 8}.${at & 255}`]);
  const added = await page.call("POST", `/runs/${id}/lines`, { first_line: 1, column: 0, rows });
  expect(added.status).toBe(200);
  return { account, page, id };
}

const start = async ({ page, id }: Begun): Promise<void> =>
  expect((await page.call("POST", `/runs/${id}/start`)).status).toBe(200);

const stateOf = async ({ page, id }: Begun): Promise<unknown> =>
  (await page.call("GET", `/runs/${id}`)).of("data", "run", "state");

/** Keeps the one bulk call that Free may have in flight busy with a body that never ends. */
function occupy({ port }: TestService, { key }: TestAccount): { readonly end: () => Promise<void> } {
  const over = new AbortController();
  const half = `POST ${BULK} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Length: 99\r\n\r\n{`;
  const occupying = (async () => {
    while (!over.signal.aborted) {
      const socket = await openSocket(port);
      over.signal.addEventListener("abort", () => socket.destroy());
      socket.write(half);
      await readAnswer(socket);
    }
  })();
  return {
    end: () => {
      over.abort();
      return occupying;
    },
  };
}

const isFull = async ({ call }: TestService, { key }: TestAccount): Promise<boolean> =>
  (await call({ path: BULK, key, body: { ips: ["192.0.2.1"] } })).status === 429;

test("accounts whose own calls keep their limits full hold up no other account's run, and can cancel theirs", {
  timeout: 120_000,
}, async () => {
  const service = await startTestService();
  await until(async () => (await service.call({ method: "GET", path: "/readyz" })).status === 200);
  const waiting = await Promise.all(
    Array.from({ length: PLACES }, (_, at) => draft(service, 500, `127.0.15.${at + 1}`)),
  );
  const other = await draft(service, 30, "127.0.15.9");
  const busy = waiting.map(({ account }) => occupy(service, account));
  for (const { account } of waiting) await until(() => isFull(service, account));
  for (const one of waiting) await start(one);
  await start(other);
  await until(async () => (await stateOf(other)) === "done");
  expect(await Promise.all(waiting.map(stateOf))).toEqual(waiting.map(() => "running"));
  for (const { page, id } of waiting)
    expect((await page.call("POST", `/runs/${id}/cancel`)).status).toBe(200);
  expect(await Promise.all(waiting.map(stateOf))).toEqual(waiting.map(() => "cancelled"));
  await Promise.all(busy.map(({ end }) => end()));
  await service.close();
});
