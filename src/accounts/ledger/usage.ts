import { type SelectQueryBuilder, sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import type { DayTotals, UsageRow } from "../shapes.ts";
import { type LastCall, readLastCalls } from "./recent-calls.ts";

/** Days in UTC, YYYY-MM-DD, both ends included. */
export type Days = { readonly from: string; readonly to: string };

/** What an account's calls come to: the roll-up, and the history as far as it is kept. Source: design 13.2. */
export type UsageReader = {
  readonly totals: (accountId: string, days: Days) => Promise<DayTotals>;
  /** Oldest day first, at most `limit` rows. */
  readonly rows: (
    accountId: string,
    days: Days,
    page: { readonly limit: number },
  ) => Promise<readonly UsageRow[]>;
  /** As `readLastCalls`. */
  readonly lastCalls: (accountId: string, page: { readonly limit: number }) => Promise<readonly LastCall[]>;
  /** Whether a key of this account ever asked for a lookup. */
  readonly hasLookedUp: (accountId: string) => Promise<boolean>;
  /** Calls of each key; keys without any are left out. */
  readonly callsByKey: (accountId: string, days: Days) => Promise<ReadonlyMap<string, number>>;
};

/** What is written where a session called, and no key. */
const BY_SESSION = { keyId: "", prefix: "session", name: "Dashboard" } as const;

/** Reads the roll-up and the history of an open database. */
export function createUsage(db: Pick<Database, "kysely" | "dialect">): UsageReader {
  const { kysely } = db;
  const ofDays = (accountId: string, { from, to }: Days) =>
    kysely
      .selectFrom("call_days")
      .where("call_days.account_id", "=", accountId)
      .where("day", ">=", from)
      .where("day", "<=", to);
  return {
    totals: (accountId, days) => sumUp(ofDays(accountId, days)),
    rows: async (accountId, days, { limit }) => {
      const rows = await ofDays(accountId, days)
        .leftJoin("api_keys", "api_keys.id", "call_days.key_id")
        .select(["day", "endpoint", "key_id", "call_days.status", "api_keys.prefix", "api_keys.name"])
        .select([sumOf("calls").as("calls"), sumOf("items").as("items"), sumOf("credits").as("credits")])
        .groupBy(["day", "endpoint", "key_id", "call_days.status", "api_keys.prefix", "api_keys.name"])
        .orderBy("day")
        .orderBy("endpoint")
        .orderBy("key_id")
        .orderBy("call_days.status")
        .limit(limit)
        .execute();
      return rows.map(usageFromRow);
    },
    lastCalls: (accountId, page) => readLastCalls(db, accountId, page),
    hasLookedUp: (accountId) => hasLookedUp(kysely, accountId),
    callsByKey: async (accountId, days) => {
      const rows = await ofDays(accountId, days)
        .select(["key_id", sumOf("calls").as("calls")])
        .groupBy("key_id")
        .execute();
      return new Map(rows.map((row) => [row.key_id, Number(row.calls)]));
    },
  };
}

async function hasLookedUp(kysely: Database["kysely"], accountId: string): Promise<boolean> {
  const row = await kysely
    .selectFrom("call_days")
    .select("day")
    .where("account_id", "=", accountId)
    .where("endpoint", "!=", "account/subscription")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

type DayRow = Pick<Schema["call_days"], "day" | "endpoint" | "key_id" | "status"> & {
  readonly calls: number | string;
  readonly items: number | string;
  readonly credits: number | string;
  readonly prefix: string | null;
  readonly name: string | null;
};

const usageFromRow = (row: DayRow): UsageRow => ({
  day: row.day,
  endpoint: row.endpoint,
  key_id: row.key_id,
  key_prefix: row.prefix ?? BY_SESSION.prefix,
  key_name: row.name ?? BY_SESSION.name,
  status: row.status,
  calls: Number(row.calls),
  items: Number(row.items),
  credits: Number(row.credits),
});

// Without a row the sum is null; PostgreSQL's is a numeric, which comes as text.
const sumOf = (column: "calls" | "items" | "credits", where = sql`true`) =>
  sql<number | string>`coalesce(sum(case when ${where} then ${sql.ref(column)} else 0 end), 0)`;

async function sumUp(query: SelectQueryBuilder<Schema, "call_days", object>): Promise<DayTotals> {
  const row = await query
    .select([
      sumOf("calls").as("calls"),
      sumOf("credits").as("credits"),
      sumOf("calls", sql`status between 400 and 499`).as("refused"),
      sumOf("calls", sql`status >= 500`).as("failed"),
    ])
    .executeTakeFirstOrThrow();
  return {
    calls: Number(row.calls),
    credits: Number(row.credits),
    refused: Number(row.refused),
    failed: Number(row.failed),
  };
}
