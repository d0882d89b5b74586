import { afterEach, expect, test } from "vitest";
import { createAccounts } from "../src/accounts/account-store.ts";
import { systemClock, systemRandom } from "../src/base/clock.ts";
import { forEachDatabase } from "./databases.ts";
import { callPatiently, callService, openTestAccount } from "./service.ts";
import { createServicePlace, endServiceProcesses, startServiceProcess } from "./service-process.ts";

afterEach(endServiceProcesses);

const CALLERS = 24;

/** Calls without a pause until the service dies: ids of the calls answered, and of those that got no answer. */
async function callUntilItDies(
  { port, key, round }: { port: number; key: string; round: number },
  onAnswer: (count: number) => void,
) {
  const answered: string[] = [];
  const lost: string[] = [];
  const callOn = async (caller: number): Promise<void> => {
    for (let n = 0; ; n++) {
      const id = `${round}-${caller}-${n}`;
      const isBulk = caller % 3 === 0;
      const wish = {
        path: isBulk ? "/api/bulk/check-ip" : "/api/check-ip",
        body: isBulk ? { ips: ["8.8.8.8", "1.1.1.1"] } : { ip: `8.8.4.${n % 256}` },
      };
      const headers = { "x-request-id": id };
      const call = callPatiently(
        { call: (one) => callService(port, one) },
        { ...wish, key, headers },
        [429, 503],
      );
      const answer = await call.catch((error: NodeJS.ErrnoException) => {
        // Only the end of the connection is expected here.
        if (!["ECONNRESET", "ECONNREFUSED", "EPIPE"].includes(error.code ?? "")) throw error;
        return null;
      });
      if (answer === null) {
        lost.push(id);
        return;
      }
      expect(answer.status).toBe(200);
      answered.push(id);
      onAnswer(answered.length);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => callOn(caller)));
  return { answered, lost };
}

forEachDatabase((_dialect, database) => {
  test("ten times killed under load: what was answered is charged, once, and starting again needs no hand", {
    timeout: 300_000,
  }, async () => {
    const { env } = await createServicePlace(database);
    const db = await database.open();
    const accounts = createAccounts({ db, clock: systemClock, random: systemRandom });
    const account = await openTestAccount(accounts);
    const charges = () =>
      db.kysely
        .selectFrom("calls")
        .select(["request_id", "credits", "items"])
        .where("account_id", "=", account.id)
        .where("credits", ">", 0)
        .execute();
    const answered = new Set<string>();
    for (let round = 0; round < 10; round++) {
      const service = startServiceProcess(env);
      const port = await service.listening;
      const outcome = await callUntilItDies({ port, key: account.key, round }, (count) => {
        if (count > 7 * round) service.kill();
      });
      await service.ended;
      for (const id of outcome.answered) answered.add(id);
      const rows = await charges();
      const known = new Set(rows.map(({ request_id }) => request_id));
      expect(known.size).toBe(rows.length);
      expect([...answered].filter((id) => !known.has(id))).toEqual([]);
      // Charged without an answer: at most what was in flight when it died.
      const unanswered = [...known].filter((id) => !answered.has(id));
      expect(unanswered.filter((id) => id.startsWith(`${round}-`) && !outcome.lost.includes(id))).toEqual([]);
      expect(rows.every(({ credits, items }) => credits === items)).toBe(true);
      const taken = rows.reduce((sum, { credits }) => sum + credits, 0);
      expect((await accounts.findAccount(account.email))?.credits).toBe(1_500_000 - taken);
    }
    expect(answered.size).toBeGreaterThan(300);
  });
});
