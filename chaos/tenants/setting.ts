import { sql } from "kysely";
import { systemClock } from "../../src/base/clock.ts";
import type { Database } from "../../src/db/database.ts";
import { readMetrics } from "../../test/metrics-page.ts";
import { type Ground, type OwnAccount, openAccounts } from "../ground.ts";
import { freePort } from "../linux.ts";
import { ask, type OwnService } from "../services.ts";
import { type Hostile, startHostile, startWorld, type World } from "./others.ts";
import { type Payer, startPayer } from "./payer.ts";
import type { Hostility, Tally } from "./words.ts";

/** A service with a paying account, hostile ones beside it, and the world that they ask about. */
export type Setting = {
  readonly ground: Ground;
  readonly service: OwnService;
  readonly db: Database;
  readonly world: World;
  readonly payer: Payer;
  /** Begins with new accounts; what ends it resolves when nothing of it is left. */
  readonly beginHostility: (hostility: Hostility, options?: HostileOptions) => Promise<EndHostility>;
};

type HostileOptions = { readonly accounts?: number; readonly perSecond?: number };
type EndHostility = () => Promise<{ readonly tally: Tally; readonly isCalm: boolean }>;

const HOSTILE_ACCOUNTS = 3;
/** No limit on calls, but one on what is charged: enough never to end a hostility. */
const HOSTILE_CREDITS = 1_000_000;
const CALM_PATIENCE_MS = 90_000;

/** On the database and limits of `env`, without them on SQLite; its history holds so many calls of another account. */
export async function openSetting(
  ground: Ground,
  env: Readonly<Record<string, string>>,
  oldCalls: number,
): Promise<Setting> {
  const world = await startWorld(ground);
  const metricsPort = await freePort();
  const file = {
    dns: { servers: [world.dns] },
    fetch: { allow_networks: ["127.0.0.0/8"] },
    metrics: { listen: `127.0.0.1:${metricsPort}` },
  };
  const service = await ground.service({ env, file });
  await service.start();
  const url = env["DATABASE_URL"] ?? `${service.dataDir}/repute.db`;
  const { db, accounts } = await ground.open(url);
  const [paying, other] = await openAccounts(accounts, 2);
  if (paying === undefined || other === undefined) throw new Error("There are no accounts");
  await fillHistory(db, other, oldCalls);
  const hostile = startHostile(ground);
  const beginHostility: Setting["beginHostility"] = async (hostility, options = {}) => {
    const { accounts: count = HOSTILE_ACCOUNTS, perSecond = 1000 } = options;
    const opened = await openAccounts(accounts, count, { plan: "Free", credits: HOSTILE_CREDITS });
    const keys = opened.map(({ key }) => key);
    hostile.begin({ hostility, port: service.port, web: world.web, keys, perSecond });
    return () => endHostility(hostile, metricsPort);
  };
  const payer = startPayer(ground, service.port, paying.key);
  return { ground, service, db, world, payer, beginHostility };
}

async function endHostility(hostile: Hostile, metricsPort: number): ReturnType<EndHostility> {
  const tally = await hostile.end();
  const untilMs = performance.now() + CALM_PATIENCE_MS;
  while (performance.now() < untilMs) {
    if (await isCalm(metricsPort)) return { tally, isCalm: true };
    await systemClock.sleep(200);
  }
  return { tally, isCalm: false };
}

const BUDGETS = ["dns", "connections", "page_starts", "pages"] as const;

/** No call is under way, and nothing of a budget is held. */
async function isCalm(metricsPort: number): Promise<boolean> {
  const { text } = await ask(metricsPort, { path: "/metrics" });
  const value = readMetrics(text);
  const held = BUDGETS.map((name) => value(`repute_budget_held{budget="${name}"}`));
  return value("repute_calls_in_flight") === 0 && held.every((one) => one === 0);
}

/** The newest calls are all another account's. */
async function fillHistory({ kysely }: Database, { id }: OwnAccount, count: number): Promise<void> {
  const nowMs = Date.now();
  const row = {
    ...{ account_id: id, key_id: "k", key_prefix: "p", endpoint: "check-ip", target_kind: "ip" },
    ...{ target: null, items: 1, status: 200, credits: 0, elapsed_ms: 1, client_address: "127.0.0.1" },
  };
  for (let from = 0; from < count; from += 1000) {
    const rows = Array.from({ length: 1000 }, (_, i) => ({
      ...row,
      request_id: `old-${from + i}`,
      at: nowMs - count + from + i,
    }));
    await kysely.insertInto("calls").values(rows).execute();
  }
}

/** What the database takes, its log left out: that is used again. */
export async function databaseBytes({ kysely, dialect }: Database): Promise<number> {
  const text =
    dialect === "sqlite"
      ? sql<{
          bytes: number;
        }>`select page_count * page_size as bytes from pragma_page_count, pragma_page_size`
      : sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`;
  return Number((await text.execute(kysely)).rows[0]?.bytes);
}
