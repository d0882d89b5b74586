import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, expect, test } from "vitest";
import { type Page, personPage } from "./dashboard.ts";
import { forEachDatabase } from "./databases.ts";
import { startTestService, type TestService, until } from "./service.ts";

/* Callers who go on when they are refused: design 13.2, security audit 9 and 15. */

const CALLS = 5000;
const AT_ONCE = 40;

const running: TestService[] = [];
afterEach(async () => {
  for (const service of running.splice(0)) await service.close();
});

/** Calls without end of one account; how many were answered, by status. */
async function storm({ call }: TestService, key: string): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>();
  let begun = 0;
  const callOn = async (): Promise<void> => {
    while (begun++ < CALLS) {
      const { status } = await call({ path: "/api/check-ip", key, body: { ip: "8.8.8.8" } });
      counts.set(status, 1 + (counts.get(status) ?? 0));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, callOn));
  return counts;
}

/** Pages of the file, without what is written before them. */
function pagesOf(dataDir: string): number {
  const file = new DatabaseSync(join(dataDir, "repute.db"), { readOnly: true });
  const pages = Number(file.prepare("pragma page_count").get()?.["page_count"]);
  file.close();
  return pages;
}

const lastCallsOf = async (page: Page): Promise<{ status: number; calls: number }[]> =>
  JSON.parse((await page.call("GET", "/overview")).text).data.last_calls;

forEachDatabase((dialect, database) => {
  test("5,000 calls beyond the limits are a handful of rows, and counted wherever calls are", async () => {
    const service = await startTestService(dialect === "postgres" ? { databaseUrl: database.url() } : {});
    running.push(service);
    const { db } = service;
    const { id, key } = await service.openAccount({ plan: "Free" });
    const page = await personPage(service, id);
    const before = dialect === "sqlite" ? pagesOf(service.dataDir) : 0;
    const counts = await storm(service, key);
    const [answered, refused] = [counts.get(200) ?? 0, counts.get(429) ?? 0];
    expect(answered + refused + (counts.get(402) ?? 0)).toBe(CALLS);
    expect(refused).toBeGreaterThan(CALLS / 2);

    const read = () =>
      db.kysely.selectFrom("refused_calls").selectAll().where("account_id", "=", id).execute();
    const sum = (rows: readonly { calls: number }[]) =>
      rows.reduce((all, { calls }) => all + Number(calls), 0);
    await until(async () => sum(await read()) === refused);
    // The minutes that the storm took.
    expect((await read()).length).toBeLessThanOrEqual(5);
    const rows = await db.kysely.selectFrom("calls").select("status").where("account_id", "=", id).execute();
    expect(rows).toHaveLength(CALLS - refused);
    if (dialect === "sqlite") expect(pagesOf(service.dataDir) - before).toBeLessThan(20 + rows.length / 10);

    const usage: { status: number; calls: number }[] = JSON.parse((await page.call("GET", "/usage")).text)
      .data.rows;
    expect(sum(usage.filter(({ status }) => status === 429))).toBe(refused);
    expect(sum(usage)).toBe(CALLS);
    const csv = [...(await page.call("GET", "/usage.csv")).text.matchAll(/,429,(\d+),/g)];
    expect(sum(csv.map(([, calls]) => ({ calls: Number(calls) })))).toBe(refused);
    const newest = (await read()).sort((a, b) => b.minute - a.minute)[0];
    await until(async () => (await lastCallsOf(page))[0]?.calls === Number(newest?.calls));
    const ofMinute = { endpoint: "check-ip", status: 429, request_id: null, key_prefix: null };
    expect((await lastCallsOf(page))[0]).toMatchObject(ofMinute);
    const exported = JSON.parse((await page.call("GET", "/account/export")).text);
    expect(sum(exported.refused_calls)).toBe(refused);
    expect(exported.calls).toHaveLength(rows.length);
  });

  test("a page makes 20 keys an hour, then learns when it may again", async () => {
    const service = await startTestService(dialect === "postgres" ? { databaseUrl: database.url() } : {});
    running.push(service);
    const { id } = await service.openAccount();
    const page = await personPage(service, id);
    for (let i = 0; i < 19; i++) {
      const { key } = await service.accounts.createKey({ accountId: id });
      await service.accounts.revokeKey(key.id);
    }
    const refused = await page.call("POST", "/keys", { name: "one more" });
    expect(refused.status).toBe(429);
    expect(refused.text).toContain("20 keys within an hour");
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(3000);
  });
});
