import { type Accounts, createAccounts } from "../src/accounts/account-store.ts";
import type { Caller, CallRecord } from "../src/accounts/accounts.ts";
import { createLedger, type LedgerWithUpkeep } from "../src/accounts/ledger/ledger.ts";
import { systemRandom } from "../src/base/clock.ts";
import type { Database } from "../src/db/database.ts";
import type { TestDatabase } from "./databases.ts";
import { createMovableClock, type MovableClock } from "./movable-clock.ts";

const silent = { error: () => undefined };

export type Setting = {
  readonly db: Database;
  readonly clock: MovableClock;
  readonly accounts: Accounts;
  readonly ledger: LedgerWithUpkeep;
};

export async function startLedger(
  database: TestDatabase,
  usage = { store_targets: false, keep_days: 90 },
): Promise<Setting> {
  const clock = createMovableClock();
  const db = await database.open(clock);
  const accounts = createAccounts({ db, clock, random: systemRandom });
  return { db, clock, accounts, ledger: createLedger({ db, clock, log: silent, usage }) };
}

let made = 0;

export async function createCaller({ accounts, ledger }: Setting, credits = 100, plan = "Free") {
  made += 1;
  const email = `caller${made}@example.com`;
  const account = await accounts.createAccount({ email, plan });
  await accounts.setCredits({ email, credits });
  const { text, key } = await accounts.createKey({ email });
  const caller = await ledger.findCaller(text);
  if (caller === null) throw new Error("The new key is not known");
  return { email, account, text, key, caller };
}

export const callOf = (caller: Caller, part: Partial<CallRecord> = {}): CallRecord => ({
  requestId: "request",
  accountId: caller.accountId,
  keyId: caller.keyId,
  keyPrefix: caller.keyPrefix,
  endpoint: "/api/check-ip",
  targetKind: "ip",
  target: "192.0.2.1",
  items: 1,
  status: 200,
  elapsedMs: 12.4,
  clientAddress: "198.51.100.7",
  ...part,
});

export async function historyOf({ db }: Pick<Setting, "db">, accountId: string) {
  const rows = await db.kysely.selectFrom("calls").selectAll().where("account_id", "=", accountId).execute();
  const grouped = await db.kysely
    .selectFrom("call_days")
    .select(["account_id", "day", "endpoint", "key_id", "status"])
    .select((eb) => (["calls", "items", "credits"] as const).map((name) => eb.fn.sum(name).as(name)))
    .where("account_id", "=", accountId)
    .groupBy(["account_id", "day", "endpoint", "key_id", "status"])
    .orderBy("day")
    .orderBy("status")
    .execute();
  const days = grouped.map((day) => ({
    ...day,
    ...{ calls: Number(day.calls), items: Number(day.items), credits: Number(day.credits) },
  }));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    rows,
    days,
    credits: sum(rows.map((row) => row.credits)),
    dayCredits: sum(days.map((day) => day.credits)),
    dayCalls: sum(days.map((day) => day.calls)),
  };
}

export const balanceOf = async ({ accounts }: Setting, email: string) =>
  (await accounts.findAccount(email))?.credits;
