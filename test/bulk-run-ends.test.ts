import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccounts } from "../src/accounts/account-store.ts";
import { systemClock, systemRandom } from "../src/base/clock.ts";
import { issueResetToken } from "../src/sessions/reset.ts";
import { openPage, PASSWORD, type Page, personPage } from "./dashboard.ts";
import { forEachDatabase } from "./databases.ts";
import { callService, openTestAccount, until } from "./service.ts";
import { createServicePlace, endServiceProcesses, startServiceProcess } from "./service-process.ts";

// Two processes work on runs; what ends the right of a run's person is done at the one that may not be working on it.

const RUNS = 2;
const LINES = 1000;

forEachDatabase(
  (_, database) => {
    let open: () => Promise<Place>;
    beforeAll(async () => {
      const { env } = await createServicePlace(database);
      const db = await database.open();
      const accounts = createAccounts({ db, clock: systemClock, random: systemRandom });
      const ports = await Promise.all([0, 1].map(() => startServiceProcess(env).listening));
      const services = ports.map((port) => ({
        ...{ address: `http://127.0.0.1:${port}`, call: callService.bind(null, port), db },
      }));
      const [here, there] = services;
      if (here === undefined || there === undefined) throw new Error("A process is missing");
      for (const service of services) {
        await until(async () => (await service.call({ method: "GET", path: "/readyz" })).status === 200);
      }
      let clients = 0;
      const client = () => `127.0.19.${++clients}`;
      open = async () => {
        const account = await openTestAccount(accounts);
        const owner = await personPage(there, account.id, client());
        const email = `member${clients}@example.com`;
        const invited = await owner.call("POST", "/people", { email, role: "member" });
        const token = String(invited.of("data", "path")).split("token=")[1];
        const member = openPage(here, client());
        const joined = await member.call("POST", "/join", { token, password: PASSWORD });
        const personId = String(joined.of("data", "account", "person", "id"));
        const again = openPage(there, client());
        await again.call("POST", "/sign-in", { email, password: PASSWORD });
        const doneOf = async (state: "done" | "waiting") => {
          const items = db.kysely.selectFrom("bulk_run_items").select("line").where("state", "=", state);
          const own = db.kysely.selectFrom("bulk_runs").select("id").where("account_id", "=", account.id);
          return (await items.where("run_id", "in", own).execute()).length;
        };
        const paid = async () =>
          1_500_000 - ((await accounts.findAccount(account.email))?.credits ?? Number.NaN);
        const keyOf = async () =>
          await db.kysely
            .selectFrom("api_keys")
            .select("id")
            .where("account_id", "=", account.id)
            .where("session_id", "is not", null)
            .executeTakeFirstOrThrow();
        const reset = async () =>
          await issueResetToken(
            { personId, endsTotp: true, actor: "test" },
            { db, clock: systemClock, random: systemRandom },
          );
        return { account, accounts, owner, member, again, there, personId, doneOf, paid, keyOf, reset };
      };
    });
    afterAll(endServiceProcesses);

    const ENDS: Readonly<Record<string, (place: Place) => Promise<unknown>>> = {
      "its person signs out": async ({ member, there }) => {
        const elsewhere = openPage(there);
        elsewhere.setCookie(member.cookie());
        await elsewhere.call("GET", "/session");
        return elsewhere.call("POST", "/sign-out");
      },
      "its session is ended from another one": async ({ again }) => {
        const sessions = JSON.parse((await again.call("GET", "/sessions")).text).data.sessions;
        const other = sessions.find((one: { is_current: boolean }) => !one.is_current);
        return again.call("DELETE", `/sessions/${other.id}`);
      },
      "all sessions are ended": ({ again }) => again.call("DELETE", "/sessions"),
      "the password is changed": ({ again }) =>
        again.call("POST", "/password", { current_password: PASSWORD, new_password: `${PASSWORD} 2` }),
      "a link sets a new password": async ({ reset, there }) =>
        openPage(there).call("POST", "/password/reset", {
          token: await reset(),
          new_password: `${PASSWORD} 2`,
        }),
      "its person may only read": ({ owner, personId }) =>
        owner.call("POST", `/people/${personId}`, { role: "viewer" }),
      "its person is removed": ({ owner, personId }) => owner.call("POST", `/people/${personId}/remove`, {}),
      "its person leaves": ({ again }) => again.call("POST", "/account/leave", {}),
      "its account is disabled": ({ accounts, account }) =>
        accounts.setDisabled({ email: account.email, isDisabled: true }),
      "the key of its session is revoked": async ({ accounts, keyOf }) =>
        accounts.revokeKey((await keyOf()).id),
    };

    test.each(Object.entries(ENDS))("no line of a run is charged after %s", async (_name, end) => {
      const place = await open();
      const { member, doneOf, paid } = place;
      for (let run = 0; run < RUNS; run++) await start(member, run);
      await until(async () => (await doneOf("done")) > 50);
      const answer = await end(place);
      if (typeof answer === "object" && answer !== null && "status" in answer)
        expect(answer.status).toBe(200);
      const atEnd = await paid();
      expect(await doneOf("waiting")).toBeGreaterThan(0);
      const { db } = place.there;
      const states = async () =>
        (
          await db.kysely
            .selectFrom("bulk_runs")
            .select(["state", "reason"])
            .where("account_id", "=", place.account.id)
            .execute()
        ).map(({ state, reason }) => `${state} ${reason}`);
      await until(async () => !(await states()).includes("running null"));
      expect([await paid(), await doneOf("done")]).toEqual([atEnd, atEnd]);
    });
  },
  { lasting: true },
);

type Service = Parameters<typeof personPage>[0];
type Place = {
  readonly account: Awaited<ReturnType<typeof openTestAccount>>;
  readonly accounts: ReturnType<typeof createAccounts>;
  readonly owner: Page;
  readonly member: Page;
  /** Another session of the member, at the other process. */
  readonly again: Page;
  readonly there: Service;
  readonly personId: string;
  readonly doneOf: (state: "done" | "waiting") => Promise<number>;
  readonly paid: () => Promise<number>;
  readonly keyOf: () => Promise<{ readonly id: string }>;
  readonly reset: () => Promise<string>;
};

async function start(page: Page, run: number): Promise<void> {
  const made = await page.call("POST", "/runs", { name: `run ${run}`, columns: ["ip"] });
  const path = `/runs/${made.of("data", "id")}`;
  const rows = Array.from({ length: LINES }, (_, at) => [`192.88.${run * 4 + (at >> 8)}.${at & 255}`]);
  await page.call("POST", `${path}/lines`, { first_line: 1, column: 0, rows });
  expect((await page.call("POST", `${path}/start`)).status).toBe(200);
}
