import { type ClientRequest, request } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, expect, test } from "vitest";
import { MAX_HANG_UPS } from "../src/metering/limits/hang-ups.ts";
import { forEachDatabase, type TestDatabase } from "./databases.ts";
import { historyOf } from "./ledger-setting.ts";
import { encodeReply } from "./servers/dns-server.ts";
import {
  callPatiently,
  keepsSilent,
  knowsNobody,
  NXDOMAIN,
  startTestService,
  type TestAccount,
  type TestService,
  until,
} from "./service.ts";

const CREDITS = 1_500_000;

const SINGLE = { path: "/api/check-ip", body: { ip: "8.8.8.8" } };
const BULK = { path: "/api/bulk/check-ip", body: { ips: ["8.8.8.8", "1.1.1.1", "nonsense"] } };

let running: TestService | null = null;
afterEach(async () => {
  await running?.close();
  running = null;
});

/** A service whose resolver says nothing until it is told to: calls stay in flight, each for at most 4 s. */
async function startHeld(database: TestDatabase, engines: Readonly<Record<string, unknown>> = {}) {
  const url = database.url();
  const file = { dns: { timeout_ms: 4000 }, engines };
  const service = await startTestService(url.startsWith("postgres") ? { file, databaseUrl: url } : { file });
  running = service;
  const { dns } = service;
  dns.use(keepsSilent);
  await until(async () => (await service.call({ method: "GET", path: "/readyz" })).status === 200);
  const account = await service.openAccount();
  const probe = (path: string) => service.call({ path, key: account.key, body: {} });
  return {
    service,
    account,
    /** Resolves when so many calls of an endpoint are at work, with the row of the call that saw it. */
    atWork: async (path: string, count: number) => {
      let seen = await probe(path);
      await until(async () => {
        seen = await probe(path);
        const { "x-concurrency-limit": limit, "x-concurrency-remaining": left } = seen.headers;
        return Number(limit) - Number(left) === count + 1;
      });
      return seen;
    },
    /** Resolves when a lookup waits for the resolver. */
    inFlight: () => until(() => dns.questions.some(({ type }) => type === "PTR")),
    answerAll: () => {
      dns.use(knowsNobody);
      for (const question of dns.questions) dns.send(encodeReply(question, NXDOMAIN), question.clientPort);
    },
  };
}

/** The statuses and prices in the history once it has as many rows. */
async function historyRows(service: TestService, { id }: TestAccount, count: number) {
  await until(async () => (await historyOf(service, id)).rows.length >= count);
  const { rows, credits, dayCredits, dayCalls } = await historyOf(service, id);
  expect([dayCredits, dayCalls]).toEqual([credits, rows.length]);
  return rows.map((row) => [row.status, row.credits]);
}

type Change = (service: TestService, account: TestAccount) => Promise<unknown>;
const CHANGES: [string, number, Change, number][] = [
  ["a key revoked", 401, ({ accounts }, { key }) => accounts.revokeKey(key.slice(0, 12)), CREDITS],
  [
    "an account disabled",
    401,
    ({ accounts }, { email }) => accounts.setDisabled({ email, isDisabled: true }),
    CREDITS,
  ],
  ["a balance emptied", 402, ({ accounts }, { email }) => accounts.setCredits({ email, credits: 0 }), 0],
];

forEachDatabase((_dialect, database) => {
  for (const wish of [SINGLE, BULK]) {
    test.each(CHANGES)(`${wish.path}, %s in flight: %i, not charged`, async (_what, status, change, left) => {
      const { service, account, inFlight, answerAll } = await startHeld(database);
      const call = service.call({ ...wish, key: account.key });
      await inFlight();
      await change(service, account);
      answerAll();
      const answer = await call;
      expect(answer.status).toBe(status);
      expect(answer.headers["x-credits-charged"]).toBeUndefined();
      expect(answer.headers["x-ratelimit-limit"]).toBeDefined();
      expect(await service.balanceOf(account)).toBe(left);
      expect(await historyRows(service, account, 1)).toEqual([[status, 0]]);
    });
  }

  test("an answer that costs nothing does not leave for a key revoked in flight", async () => {
    const url = pathToFileURL(join("/nonexistent", "list.txt")).href;
    const feeds = [{ key: "gone", target: "ip", format: "plain", url }];
    const { service, account, inFlight, answerAll } = await startHeld(database, { builtin: false, feeds });
    const [first, second] = [service.call({ ...SINGLE, key: account.key }), service.openAccount()];
    await inFlight();
    await service.accounts.revokeKey(account.key.slice(0, 12));
    answerAll();
    expect((await first).status).toBe(401);
    const free = await service.call({ ...SINGLE, key: (await second).key });
    expect([free.status, free.headers["x-credits-charged"]]).toEqual([200, "0"]);
    expect(await historyRows(service, await second, 1)).toEqual([[200, 0]]);
  });

  test.each([SINGLE, BULK])("$path, hung up before settlement: not charged, one row of 499", async (wish) => {
    const { service, account, inFlight, atWork, answerAll } = await startHeld(database);
    const call = send(service, { ...wish, key: account.key, id: "hung-up" });
    await inFlight();
    call.destroy();
    await atWork(wish.path, 0);
    answerAll();
    const rowsNow = async () => (await historyOf(service, account.id)).rows;
    await until(async () => (await rowsNow()).some(({ request_id }) => request_id === "hung-up"));
    // A caller that looked for the slot all the time has used up the second.
    const after = await callPatiently(service, { ...wish, key: account.key });
    expect(after.status).toBe(200);
    const rows = (await rowsNow()).filter(({ status }) => status !== 422 && status !== 429);
    expect(rows.map(({ status, items, credits }) => [status, items, credits])).toEqual([
      [499, wish === BULK ? 3 : 1, 0],
      [200, wish === BULK ? 3 : 1, wish === BULK ? 3 : 1],
    ]);
    expect(await service.balanceOf(account)).toBe(CREDITS - (wish === BULK ? 3 : 1));
  });

  test("hung up inside the body: not charged, one row of 499, the slot free", async () => {
    const { service, account, atWork } = await startHeld(database);
    const call = send(service, { ...SINGLE, key: account.key, id: "half", length: 1000 });
    await atWork(SINGLE.path, 1);
    call.destroy();
    await atWork(SINGLE.path, 0);
    const ofHalf = async () =>
      (await historyOf(service, account.id)).rows.filter(({ request_id }) => request_id === "half");
    await until(async () => (await ofHalf()).length > 0);
    expect((await ofHalf()).map(({ status, credits }) => [status, credits])).toEqual([[499, 0]]);
    expect(await service.balanceOf(account)).toBe(CREDITS);
  });

  test("hung up at any moment: one row for each call, charged or 499, never both", async () => {
    const { service, account, atWork, answerAll } = await startHeld(database);
    answerAll();
    await Promise.all(
      // With more of them in a minute the account would be refused.
      Array.from({ length: MAX_HANG_UPS }, async (_, i) => {
        const call = send(service, { ...SINGLE, key: account.key, id: `call-${i}` });
        await new Promise((resolve) => call.once("finish", resolve));
        // The service runs in this very loop: one turn later is one step further.
        for (let turn = 0; turn < 1.5 * i; turn++) await new Promise(setImmediate);
        call.destroy();
      }),
    );
    // Rows are written in their order: with the last one there, all are.
    const last = (await atWork(SINGLE.path, 0)).headers["x-request-id"];
    const rowsNow = async () => (await historyOf(service, account.id)).rows;
    await until(async () => (await rowsNow()).some(({ request_id }) => request_id === last));
    const rows = (await rowsNow()).filter(({ request_id }) => request_id.startsWith("call-"));
    expect(new Set(rows.map(({ request_id }) => request_id)).size).toBe(rows.length);
    const kinds = new Set(rows.map(({ status, credits }) => `${status} ${credits}`));
    expect([...kinds].filter((kind) => kind !== "200 1" && kind !== "499 0")).toEqual([]);
    const charged = rows.filter(({ credits }) => credits > 0).length;
    expect(await service.balanceOf(account)).toBe(CREDITS - charged);
  });
});

type RawWish = {
  readonly path: string;
  readonly body: object;
  readonly key: string;
  readonly id: string;
  /** Announced length, when it is not the body's. */
  readonly length?: number;
};

/** A call whose answer is not awaited. */
function send({ port }: TestService, { path, body, key, id, length }: RawWish): ClientRequest {
  const text = JSON.stringify(body);
  const call = request({
    port,
    host: "127.0.0.1",
    method: "POST",
    path,
    agent: false,
    headers: {
      "x-api-key": key,
      "x-request-id": id,
      "content-type": "application/json",
      "content-length": length ?? text.length,
    },
  });
  call.on("error", () => undefined);
  call.on("response", (response) => response.resume());
  if (length === undefined) call.end(text);
  else call.write(text);
  return call;
}
