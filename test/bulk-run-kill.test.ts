import { afterEach, expect, test } from "vitest";
import { createAccounts } from "../src/accounts/account-store.ts";
import { systemClock, systemRandom } from "../src/base/clock.ts";
import { personPage } from "./dashboard.ts";
import { forEachDatabase } from "./databases.ts";
import { callService, openTestAccount, until } from "./service.ts";
import { createServicePlace, endServiceProcesses, startServiceProcess } from "./service-process.ts";

afterEach(endServiceProcesses);

const LINES = 600;

forEachDatabase((dialect, database) => {
  test("a run that is killed again and again is finished, each line charged once", {
    timeout: 300_000,
  }, async () => {
    const { env } = await createServicePlace(database);
    const db = await database.open();
    const accounts = createAccounts({ db, clock: systemClock, random: systemRandom });
    const account = await openTestAccount(accounts);
    const itemsOf = (state: string) =>
      db.kysely.selectFrom("bulk_run_items").selectAll().where("state", "=", state).execute();
    const first = startServiceProcess(env);
    const port = await first.listening;
    const call = { address: `http://127.0.0.1:${port}`, call: callService.bind(null, port), db };
    await until(async () => (await callService(port, { method: "GET", path: "/readyz" })).status === 200);
    const page = await personPage(call, account.id);
    const made = await page.call("POST", "/runs", { name: "killed", columns: ["ip"] });
    const id = String(made.of("data", "id"));
    const rows = Array.from({ length: LINES }, (_, at) => [`192.88.${at >> 8}.${at & 255}`]);
    await page.call("POST", `/runs/${id}/lines`, { first_line: 1, column: 0, rows });
    expect((await page.call("POST", `/runs/${id}/start`)).status).toBe(200);
    let service = first;
    for (const share of [0.1, 0.4, 0.7]) {
      await until(async () => (await itemsOf("done")).length > share * LINES);
      service.kill();
      await service.ended;
      const done = await itemsOf("done");
      const { credits } = (await accounts.findAccount(account.email)) ?? { credits: Number.NaN };
      expect([share, 1_500_000 - credits]).toEqual([share, done.length]);
      service = startServiceProcess(env);
      await service.listening;
    }
    const isDone = async () =>
      (await db.kysely.selectFrom("bulk_runs").select("state").executeTakeFirstOrThrow()).state === "done";
    await until(isDone);
    expect(await itemsOf("done")).toHaveLength(LINES);
    const results = await db.kysely.selectFrom("results").select("target").execute();
    expect(new Set(results.map(({ target }) => target)).size).toBe(LINES);
    expect(results).toHaveLength(LINES);
    const calls = await db.kysely.selectFrom("calls").select(["credits", "request_id"]).execute();
    const paid = calls.reduce((sum, { credits }) => sum + Number(credits), 0);
    expect([dialect, paid, (await accounts.findAccount(account.email))?.credits]).toEqual([
      dialect,
      LINES,
      1_500_000 - LINES,
    ]);
    expect(new Set(calls.map((one) => one.request_id)).size).toBe(calls.length);
  });

  test("a run goes on after a restart without waiting for a lease to end", async () => {
    const { env } = await createServicePlace(database);
    const db = await database.open();
    const account = await openTestAccount(createAccounts({ db, clock: systemClock, random: systemRandom }));
    const first = startServiceProcess(env);
    const port = await first.listening;
    const call = { address: `http://127.0.0.1:${port}`, call: callService.bind(null, port), db };
    await until(async () => (await callService(port, { method: "GET", path: "/readyz" })).status === 200);
    const page = await personPage(call, account.id);
    const made = await page.call("POST", "/runs", { name: "restarted", columns: ["ip"] });
    const path = `/runs/${made.of("data", "id")}`;
    const rows = Array.from({ length: LINES }, (_, at) => [`192.88.${at >> 8}.${at & 255}`]);
    await page.call("POST", `${path}/lines`, { first_line: 1, column: 0, rows });
    await page.call("POST", `${path}/start`);
    const read = async () => {
      const run = await db.kysely
        .selectFrom("bulk_runs")
        .select(["state", "lease_owner", "lease_until"])
        .executeTakeFirstOrThrow();
      const done = db.kysely.selectFrom("bulk_run_items").select("line").where("state", "=", "done");
      return { ...run, done: (await done.execute()).length };
    };
    await until(async () => (await read()).done > 50);
    first.signal("SIGTERM");
    await first.ended;
    const stopped = await read();
    expect([stopped.state, stopped.lease_owner, Number(stopped.lease_until)]).toEqual(["running", null, 0]);
    expect(stopped.done).toBeLessThan(LINES);
    await startServiceProcess(env).listening;
    await until(async () => (await read()).state === "done");
    expect((await read()).done).toBe(LINES);
    const calls = await db.kysely.selectFrom("calls").select("credits").execute();
    expect(calls.reduce((sum, { credits }) => sum + Number(credits), 0)).toBe(LINES);
  });

  test("two processes on one database share the runs, and no line is charged twice", {
    timeout: 300_000,
  }, async () => {
    const place = await createServicePlace(database);
    const db = await database.open();
    const accounts = createAccounts({ db, clock: systemClock, random: systemRandom });
    const account = await openTestAccount(accounts);
    const services = [startServiceProcess(place.env), startServiceProcess(place.env)];
    const [port = 0] = await Promise.all(services.map((one) => one.listening));
    await until(async () => (await callService(port, { method: "GET", path: "/readyz" })).status === 200);
    const page = await personPage(
      { address: `http://127.0.0.1:${port}`, call: callService.bind(null, port), db },
      account.id,
    );
    for (let run = 0; run < 4; run++) {
      const made = await page.call("POST", "/runs", { name: `run ${run}`, columns: ["ip"] });
      const id = String(made.of("data", "id"));
      const rows = Array.from({ length: 200 }, (_, at) => [`192.88.${run}.${at}`]);
      await page.call("POST", `/runs/${id}/lines`, { first_line: 1, column: 0, rows });
      expect((await page.call("POST", `/runs/${id}/start`)).status).toBe(200);
    }
    const left = async () =>
      (await db.kysely.selectFrom("bulk_runs").select("id").where("state", "!=", "done").execute()).length;
    await until(async () => (await left()) === 0);
    expect((await accounts.findAccount(account.email))?.credits).toBe(1_500_000 - 800);
    const results = await db.kysely.selectFrom("results").select("id").execute();
    expect(results).toHaveLength(800);
  });
});
