import { sql } from "kysely";
import { countOf, expectSoon } from "../looks.ts";
import type { Scenario } from "../scenario.ts";

/** Two processes meet at an empty database. */
export const firstStarts: Scenario = {
  name: "first-starts",
  what: "two first starts at once on one empty PostgreSQL: one owner, one schema",
  needs: ["linux", "postgres"],
  run: async (ground, findings) => {
    const postgres = await ground.postgres();
    const env = { DATABASE_URL: postgres.url, REPUTE_BOOTSTRAP: "on" };
    const services = [await ground.service({ env }), await ground.service({ env })];
    await Promise.all(services.map(({ start }) => start()));
    const printed = () => services.map((one) => countOf(one.written(), "Its API key, shown this once"));
    // Who listens may still be about to make its owner.
    await expectSoon(findings, "one of them prints a key", () => printed().some((count) => count > 0));
    // A process that has ended prints nothing more.
    await Promise.all(services.map(({ stop }) => stop()));
    const keys = printed();
    findings.figure("keys printed", keys.join(" and "));
    findings.expect(keys.reduce((a, b) => a + b, 0) === 1, "only one of them");
    const { db, accounts } = await ground.open(postgres.url);
    const all = await accounts.listAccounts();
    findings.figure("accounts", all.map(({ email }) => email).join(", "));
    findings.expect(all.length === 1, `one owner: ${all.length}`);
    const { rows } = await sql<{ schemas: number; steps: number }>`
      select (select count(distinct schemaname) from pg_tables where tablename = 'accounts') as schemas,
        (select count(*) - count(distinct name) from schema_steps) as steps`.execute(db.kysely);
    findings.expect(Number(rows[0]?.schemas) === 1, "one schema");
    findings.expect(Number(rows[0]?.steps) === 0, "every step once");
  },
};
