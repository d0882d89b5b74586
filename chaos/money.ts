import type { Accounts } from "../src/accounts/account-store.ts";
import { systemClock } from "../src/base/clock.ts";
import type { Database } from "../src/db/database.ts";
import type { OwnAccount } from "./ground.ts";
import type { Findings } from "./scenario.ts";
import type { CallMade } from "./storm.ts";

export type Books = {
  readonly db: Database;
  readonly accounts: Accounts;
  readonly owners: readonly OwnAccount[];
  /** What each account had at first. */
  readonly granted: number;
};

/**
 * Holds what callers saw against the database: every 200 is charged once, nothing else but what was under way when
 * something broke, and balances are what the history says. At most `unanswered` calls may be charged without a 200.
 */
export async function checkMoney(
  { db, accounts, owners, granted }: Books,
  calls: readonly CallMade[],
  findings: Findings,
  unanswered: number,
): Promise<void> {
  await settled(db);
  const rows = await db.kysely
    .selectFrom("calls")
    .select(["request_id", "account_id", "credits", "status"])
    .where("credits", ">", 0)
    .execute();
  const charged = new Set(rows.map(({ request_id }) => request_id));
  const answered = calls.filter(({ status }) => status === 200);
  const answeredIds = new Set(answered.map(({ id }) => id));
  const lost = [...charged].filter((id) => !answeredIds.has(id));
  const statusOf = new Map(calls.map(({ id, status }) => [id, status]));
  findings.figure("answers of 200", answered.length);
  findings.figure(
    "credits charged",
    rows.reduce((sum, { credits }) => sum + credits, 0),
  );
  findings.figure("charged without an answer", lost.length);
  findings.expect(charged.size === rows.length, "no call is charged twice");
  findings.expect(
    answered.every(({ id }) => charged.has(id)),
    "every 200 is charged",
  );
  findings.expect(lost.length <= unanswered, `at most ${unanswered} calls are charged without an answer`);
  findings.expect(
    lost.every((id) => statusOf.get(id) === null || statusOf.get(id) === 503),
    "only calls that were under way when something broke are charged without an answer",
  );
  for (const [i, { id, email }] of owners.entries()) {
    const taken = rows
      .filter(({ account_id }) => account_id === id)
      .reduce((sum, row) => sum + row.credits, 0);
    const balance = (await accounts.findAccount(email))?.credits;
    findings.expect(balance === granted - taken, `account ${i}: ${granted} - ${taken} = ${balance}`);
  }
}

/** Rows of uncharged calls are written a moment after their answers, charges of the dying before they are gone. */
async function settled(db: Database): Promise<void> {
  const count = async () =>
    Number(
      (await db.kysely.selectFrom("calls").select(db.kysely.fn.countAll().as("rows")).executeTakeFirst())
        ?.rows,
    );
  for (let before = -1, now = await count(); before !== now; ) {
    await systemClock.sleep(100);
    before = now;
    now = await count();
  }
}

/** Answers by status, `none` for those that never came. */
function statusesOf(calls: readonly CallMade[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status } of calls) counts[status ?? "none"] = (counts[status ?? "none"] ?? 0) + 1;
  return counts;
}

/** Expects no other statuses than these. */
export function checkStatuses(
  calls: readonly CallMade[],
  allowed: readonly (number | null)[],
  findings: Findings,
): void {
  const counts = statusesOf(calls);
  findings.figure(
    "answers",
    Object.entries(counts)
      .map(([status, number]) => `${number} x ${status}`)
      .join(", "),
  );
  const others = calls.filter(({ status }) => !allowed.includes(status));
  findings.expect(
    others.length === 0,
    `no other answers than ${allowed.map((status) => status ?? "none").join(", ")}: ${JSON.stringify(counts)}`,
  );
}
