import { afterEach, expect, test } from "vitest";
import { createAccounts } from "../src/accounts/account-store.ts";
import { systemClock, systemRandom } from "../src/base/clock.ts";
import { forEachDatabase, type TestDatabase } from "./databases.ts";
import { historyOf } from "./ledger-setting.ts";
import {
  callPatiently,
  callService,
  openTestAccount,
  type TestAnswer,
  type TestRequest,
  until,
} from "./service.ts";
import { createServicePlace, endServiceProcesses, startServiceProcess } from "./service-process.ts";

afterEach(endServiceProcesses);

/** So many service processes on one database, whose starts a second add up, and an account as they all see it. */
async function startServices(database: TestDatabase, count: number, credits: number) {
  const { env } = await createServicePlace(database);
  const ports: number[] = [];
  for (let i = 0; i < count; i++) ports.push(await startServiceProcess(env).listening);
  const db = await database.open();
  const accounts = createAccounts({ db, clock: systemClock, random: systemRandom });
  const account = await openTestAccount(accounts, { credits });
  const call = (wish: TestRequest, i: number): Promise<TestAnswer> =>
    // On a machine that is busy otherwise, the database may keep a call waiting for too long: 503, not charged.
    callPatiently(
      { call: (one) => callService(ports[i % count] ?? 0, one) },
      { ...wish, key: account.key },
      [429, 503],
    );
  return {
    call,
    balance: async () => (await accounts.findAccount(account.email))?.credits,
    history: () => historyOf({ db }, account.id),
  };
}

const idOf = ({ headers }: TestAnswer): unknown => headers["x-request-id"];

forEachDatabase((_dialect, database) => {
  test("1,000 calls at once on 500 credits, over two service processes, are 500 answers", {
    timeout: 300_000,
  }, async () => {
    const { call, balance, history } = await startServices(database, 2, 500);
    const wishes = Array.from({ length: 1000 }, (_, i) => ({
      path: "/api/check-ip",
      body: { ip: `8.8.${i >> 8}.${i & 255}` },
    }));
    const answers = await Promise.all(wishes.map(call));
    const answered = answers.filter(({ status }) => status === 200);
    expect(
      Object.groupBy(
        answers.map(({ status }) => status),
        String,
      ),
    ).toEqual({
      200: Array(500).fill(200),
      402: Array(500).fill(402),
    });
    // Each of them was told another balance: no charge was lost, none was made twice.
    const left = answered.map(({ headers }) => Number(headers["x-credits-remaining"]));
    expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 500 }, (_, i) => i));
    expect(new Set(answered.map(({ headers }) => headers["x-credits-charged"]))).toEqual(new Set(["1"]));
    expect(await balance()).toBe(0);
    // Rows of calls that cost nothing may be written a moment after their answers.
    await until(async () => (await history()).rows.filter(({ status }) => status === 402).length === 500);
    const { rows, days, credits, dayCredits } = await history();
    expect([credits, dayCredits]).toEqual([500, 500]);
    // A call that the limits refuse has no row of its own.
    const counted = days.filter(({ status }) => status !== 429).reduce((sum, { calls }) => sum + calls, 0);
    expect(counted).toBe(rows.length);
    const charged = rows.filter(({ credits: cost }) => cost !== 0);
    expect(new Set(charged.map(({ status, credits: cost }) => `${status} ${cost}`))).toEqual(
      new Set(["200 1"]),
    );
    expect(charged.map(({ request_id }) => request_id).toSorted()).toEqual(answered.map(idOf).toSorted());
  });

  test("batches at once share a balance whole: one that does not fit takes nothing", async () => {
    const { call, balance, history } = await startServices(database, 1, 100);
    const ips = Array.from({ length: 30 }, (_, i) => `1.1.1.${i}`);
    const wishes = Array.from({ length: 12 }, () => ({ path: "/api/bulk/check-ip", body: { ips } }));
    const answers = await Promise.all(wishes.map(call));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, ...Array(9).fill(402)]);
    for (const answer of answers.filter(({ status }) => status === 402)) {
      expect(answer.of("errors", "0", "details", "cost")).toBe(30);
    }
    expect(await balance()).toBe(10);
    const { rows, credits, dayCredits } = await history();
    expect([credits, dayCredits]).toEqual([90, 90]);
    expect(rows.filter(({ status }) => status === 200).map((row) => [row.items, row.credits])).toEqual([
      [30, 30],
      [30, 30],
      [30, 30],
    ]);
  });
});
