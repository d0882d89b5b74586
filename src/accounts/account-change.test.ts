import fc from "fast-check";
import { type Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import { forEachDatabase } from "../../test/databases.ts";
import { createMovableClock } from "../../test/movable-clock.ts";
import { systemRandom } from "../base/clock.ts";
import { migrate, STEPS_TABLE } from "../db/migrate.ts";
import { ALL_MIGRATIONS } from "../db/migrations/all.ts";
import type { Schema } from "../db/schema.ts";
import { createAccounts } from "./account-store.ts";
import { planOf } from "./plans.ts";

const email = "ann@example.com";

/** Takes the newest step back. */
async function undo(kysely: Kysely<Schema>): Promise<void> {
  await kysely.schema.dropTable("billing_invoices").execute();
  await kysely.schema.dropIndex("accounts_grace_ends_at").execute();
  for (const column of ["credits_granted", "trial_grant", "grace_ends_at"])
    await kysely.schema.alterTable("accounts").dropColumn(column).execute();
  for (const column of ["period_start", "plan_before"])
    await kysely.schema.alterTable("billing_customers").dropColumn(column).execute();
  await kysely.schema
    .createIndex("accounts_billing_status")
    .on("accounts")
    .column("billing_status")
    .execute();
  await sql`delete from ${sql.table(STEPS_TABLE)} where name >= '0006'`.execute(kysely);
}

forEachDatabase((dialect, database) => {
  const start = async () => {
    const clock = createMovableClock();
    const db = await database.open(clock);
    return { clock, accounts: createAccounts({ db, clock, random: systemRandom }) };
  };

  test.each([
    [
      ["Starter", "Enterprise", "Starter", "Enterprise"],
      80_000,
      "up, down, up: what the lower plan left, and nothing again",
    ],
    [["Enterprise", "Free", "Enterprise"], 100, "down to nothing and up: what was left of it"],
    [["Pro", "Starter", "Pro", "Free", "Pro", "Enterprise"], 1_200_100, "what Enterprise is above Pro"],
    [["Starter", "Pro", "Starter", "Pro", "Starter"], 80_000, "ends low: at most its grant"],
  ])("through %j in one cycle leaves %i: %s", async (plans, left) => {
    const { accounts, clock } = await start();
    const made = await accounts.createAccount({ email });
    let account = made;
    for (const plan of plans) {
      clock.advance(1000);
      account = await accounts.setPlan({ email, plan });
    }
    expect(account).toMatchObject({ credits: left, creditsResetAt: made.creditsResetAt });
  });

  test("any order of changes and refills grants each cycle at most the highest of its plans", async () => {
    const { accounts, clock } = await start();
    const planNames = fc.constantFrom("Free", "Starter", "Pro", "Enterprise");
    const step = fc.oneof(
      planNames,
      fc.constantFrom(1, 15, 30, 65).map((days) => days * 86_400_000),
    );
    let people = 0;
    const oneAccount = async (steps: readonly (string | number)[]) => {
      people += 1;
      const made = await accounts.createAccount({ email: `order${people}@example.com` });
      let before = made;
      let granted = before.credits;
      let highest = before.credits;
      for (const one of steps) {
        if (typeof one === "number") clock.advance(one);
        const after =
          typeof one === "number"
            ? await accounts.findAccount(made.email)
            : await accounts.setPlan({ email: made.email, plan: one });
        if (after === null) throw new Error("The account is gone");
        const grant = planOf(after.plan).creditsPerMonth;
        if (after.cycleEndsAt.getTime() !== before.cycleEndsAt.getTime()) {
          expect(after.credits).toBe(grant);
          granted = grant;
          highest = grant;
        } else {
          granted += Math.max(0, after.credits - before.credits);
          highest = Math.max(highest, grant);
        }
        expect(granted).toBeLessThanOrEqual(highest);
        expect(after.creditsGranted).toBe(highest);
        before = after;
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 12 }), oneAccount), {
      seed: 7,
      numRuns: 60,
    });
  });

  test("setCredits() is a correction and no grant: an upgrade adds what it adds otherwise", async () => {
    const { accounts } = await start();
    await accounts.createAccount({ email });
    await accounts.setCredits({ email, credits: 1_000_000 });
    expect(await accounts.findAccount(email)).toMatchObject({ creditsGranted: 100 });
    expect(await accounts.setPlan({ email, plan: "Starter" })).toMatchObject({ credits: 1_079_900 });
  });

  test("accounts of before have granted the grant of their plan, and trials and late payments their terms", async () => {
    const db = await database.open();
    const older = ALL_MIGRATIONS.filter(({ name }) => name < "0006");
    const upToIt = ALL_MIGRATIONS.filter(({ name }) => name < "0007");
    const { kysely } = db;
    const end = Date.UTC(2026, 1, 1);
    await undo(kysely);
    const insert = (id: string, plan: string, status: string | null) =>
      sql`insert into accounts (id, email, plan, credits, credits_reset_at, is_owner, created_at, billing_status,
        current_period_end) values (${id}, ${id}, ${plan}, 7, 1, 0, 0, ${status}, ${end})`.execute(kysely);
    expect(await migrate(kysely, { dialect, migrations: older })).toEqual([]);
    await insert("a", "Free", null);
    await insert("b", "Pro", "active");
    await insert("c", "Pro", "trialing");
    await insert("d", "Starter", "past_due");
    await insert("e", "Free", "past_due");
    expect(await migrate(kysely, { dialect, migrations: upToIt })).toEqual(["0006-credits-per-cycle"]);
    const columns = ["id", "credits", "credits_granted", "trial_grant", "grace_ends_at"] as const;
    expect(await kysely.selectFrom("accounts").select(columns).orderBy("id").execute()).toEqual([
      { id: "a", credits: 7, credits_granted: 100, trial_grant: null, grace_ends_at: null },
      { id: "b", credits: 7, credits_granted: 300_000, trial_grant: null, grace_ends_at: null },
      { id: "c", credits: 7, credits_granted: 300_000, trial_grant: 100, grace_ends_at: null },
      {
        id: "d",
        credits: 7,
        credits_granted: 80_000,
        trial_grant: null,
        grace_ends_at: end - 24 * 86_400_000,
      },
      { id: "e", credits: 7, credits_granted: 100, trial_grant: null, grace_ends_at: null },
    ]);
  });
});
