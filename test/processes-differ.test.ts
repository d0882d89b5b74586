import { afterEach, expect, test } from "vitest";
import { createAccounts } from "../src/accounts/account-store.ts";
import { systemRandom } from "../src/base/clock.ts";
import { createRunner } from "./cli-runner.ts";
import { personPage } from "./dashboard.ts";
import { forEachDatabase } from "./databases.ts";
import { callService, until } from "./service.ts";
import { createServicePlace, endServiceProcesses, startServiceProcess } from "./service-process.ts";

afterEach(endServiceProcesses);

forEachDatabase(
  (_dialect, database) => {
    test("a process that keeps no results deletes none that another one keeps, and each is told that they differ", async () => {
      const first = await createServicePlace(database);
      const second = await createServicePlace(database, { file: { usage: { keep_results_days: 0 } } });
      const db = await database.open();
      const accounts = createAccounts({ db, clock: db.clock, random: systemRandom });
      const { id } = await accounts.createAccount({ email: "ann@example.com", plan: "Enterprise" });
      const keeping = startServiceProcess(first.env);
      const port = await keeping.listening;
      const service = {
        address: `http://127.0.0.1:${port}`,
        call: (wish: Parameters<typeof callService>[1]) => callService(port, wish),
      };
      const page = await personPage({ ...service, db }, id);
      expect((await page.call("POST", "/lookup/check-ip", { ip: "8.8.8.8" })).status).toBe(200);
      expect((await page.call("POST", "/runs", { name: "mine", columns: ["ip"] })).status).toBe(200);
      const rows = async () => [
        (await db.kysely.selectFrom("results").select("id").execute()).length,
        (await db.kysely.selectFrom("bulk_runs").select("id").execute()).length,
      ];
      await expect.poll(rows).toEqual([1, 1]);

      const { env } = second;
      const upkeep = async () => {
        // A link whose time is over is taken away by the same upkeep, before results are.
        const link = { token_hash: "ended", person_id: id, created_at: 0, expires_at: 1, ends_totp: 0 };
        await db.kysely.insertInto("reset_tokens").values(link).execute();
        const off = startServiceProcess(env);
        await off.listening;
        const links = () => db.kysely.selectFrom("reset_tokens").select("token_hash").execute();
        await expect.poll(links, { timeout: 90_000 }).toEqual([]);
        return off;
      };
      const off = await upkeep();
      await until(() => /Processes on this database differ: [^"]*usage\.keep_results_days/.test(off.out()));
      const { repute } = createRunner(second.dataDir, env);
      const { out } = await repute(["doctor", "--json"]);
      const found = JSON.parse(out).find(({ check }: { check: string }) => check === "Processes");
      expect([found.state, found.detail]).toEqual([
        "trouble",
        expect.stringMatching(/^2 run, and differ: settings .*usage\.keep_results_days/),
      ]);
      off.signal("SIGTERM");
      await off.ended;
      expect(await rows()).toEqual([1, 1]);

      keeping.signal("SIGTERM");
      await keeping.ended;
      await upkeep();
      await expect.poll(rows).toEqual([0, 0]);
    }, 300_000);
  },
  { hasSqlite: false },
);
