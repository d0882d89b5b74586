import { mkdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { createAccounts } from "../../src/accounts/account-store.ts";
import type { CallRecord } from "../../src/accounts/accounts.ts";
import { toCallRow } from "../../src/accounts/ledger/call-rows.ts";
import { createLedger } from "../../src/accounts/ledger/ledger.ts";
import { createPostgresLedgerStore } from "../../src/accounts/ledger/ledger-postgres.ts";
import { createSqliteLedgerStore } from "../../src/accounts/ledger/ledger-sqlite.ts";
import type { LedgerStore } from "../../src/accounts/ledger/write-batch.ts";
import { systemClock, systemRandom } from "../../src/base/clock.ts";
import { createLog } from "../../src/base/log.ts";
import { type Database, openDatabase } from "../../src/db/database.ts";
import type { Measurements, Row } from "../row.ts";
import { interleave, median, medianRatio } from "../statistics.ts";

const CALLERS = 64;
const ACCOUNTS = 256;

type Payer = Pick<CallRecord, "accountId" | "keyId" | "keyPrefix">;
type Charge = (payer: Payer) => Promise<{ readonly state: string }>;

/** 64 callers who each wait for their charge: settled in groups as the service does it, and one commit for each. */
export const chargesRow: Row = {
  name: "charges",
  measure: async ({ dir, quick, say }) => {
    say("Charging in groups and one by one");
    const folder = join(dir, "charges");
    mkdirSync(folder);
    const embedded = await measureDatabase(join(folder, "charges.db"), quick);
    const figures = {
      group_over_each: embedded.over,
      group_over_each_hot: embedded.overHot,
      charges_per_s: embedded.perS,
    };
    const postgres = await measurePostgres(quick);
    if (postgres === null) say("PostgreSQL is not reachable; TEST_DATABASE_URL names one");
    return { ...figures, ...postgres };
  },
};

type Figures = { readonly over: number; readonly overHot: number; readonly perS: number };

async function measureDatabase(url: string, quick: boolean): Promise<Figures> {
  const db = await openDatabase({ url, clock: systemClock });
  try {
    const payers = await createPayers(db);
    const { inGroups, oneByOne } = chargersOf(db);
    const hot = payers.slice(0, 1);
    const ms = quick ? 300 : 1500;
    const rounds = await interleave(quick ? 5 : 7, {
      groups: () => rateOf(inGroups, payers, ms),
      each: () => rateOf(oneByOne, payers, ms),
      groupsHot: () => rateOf(inGroups, hot, ms),
      eachHot: () => rateOf(oneByOne, hot, ms),
    });
    const { groups = [], each = [], groupsHot = [], eachHot = [] } = rounds;
    return {
      over: medianRatio(groups, each),
      overHot: medianRatio(groupsHot, eachHot),
      perS: median(groups),
    };
  } finally {
    await db.close();
  }
}

/** In a schema of its own; null where there is no PostgreSQL. */
async function measurePostgres(quick: boolean): Promise<Measurements | null> {
  const base = process.env.TEST_DATABASE_URL ?? "postgres://root@127.0.0.1:5432/test";
  const schema = `bench_${systemRandom.uuid().replaceAll("-", "")}`;
  try {
    await runOnce(base, `create schema ${schema}`);
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
  try {
    const url = new URL(base);
    url.searchParams.set("options", `-c search_path=${schema}`);
    const { over, perS } = await measureDatabase(url.href.replaceAll("+", "%20"), quick);
    return { postgres_group_over_each: over, postgres_charges_per_s: perS };
  } finally {
    await runOnce(base, `drop schema ${schema} cascade`);
  }
}

async function runOnce(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function createPayers(db: Database): Promise<Payer[]> {
  const accounts = createAccounts({ db, clock: systemClock, random: systemRandom });
  const payers: Payer[] = [];
  for (let i = 0; i < ACCOUNTS; i++) {
    const account = await accounts.createAccount({ email: `payer-${i}@example.org`, plan: "Enterprise" });
    const { key } = await accounts.createKey({ accountId: account.id });
    payers.push({ accountId: account.id, keyId: key.id, keyPrefix: key.prefix });
  }
  return payers;
}

function chargersOf(db: Database): { inGroups: Charge; oneByOne: Charge } {
  const log = createLog({ level: "error" });
  const usage = { store_targets: false, keep_days: 90 };
  const ledger = createLedger({ db, clock: systemClock, log, usage });
  const store = storeOf(db);
  return {
    inGroups: (payer) => ledger.settle(recordOf(payer), 1),
    oneByOne: async (payer) => {
      const at = systemClock.now();
      const row = toCallRow(recordOf(payer), { at, credits: 1, storeTargets: false });
      const [outcome] = await store.write({ charges: [row], notes: [], refused: [] }, at.getTime());
      return outcome ?? { state: "none" };
    },
  };
}

const storeOf = (db: Database): LedgerStore =>
  db.dialect === "sqlite" ? createSqliteLedgerStore(db.sqlite) : createPostgresLedgerStore(db.postgres);

const recordOf = (payer: Payer): CallRecord => ({
  ...payer,
  requestId: systemRandom.uuid(),
  endpoint: "check-ip",
  targetKind: "ip",
  target: null,
  items: 1,
  status: 200,
  elapsedMs: 3,
  clientAddress: "127.0.0.1",
});

/** Charges per second of 64 callers that begin again as soon as theirs is on disk. */
async function rateOf(charge: Charge, payers: readonly Payer[], ms: number): Promise<number> {
  const startedMs = performance.now();
  let next = 0;
  let charged = 0;
  const call = async () => {
    while (performance.now() - startedMs < ms) {
      const payer = payers[next++ % payers.length];
      if (payer === undefined || (await charge(payer)).state !== "charged") throw new Error("Not charged");
      charged++;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  return charged / ((performance.now() - startedMs) / 1000);
}
