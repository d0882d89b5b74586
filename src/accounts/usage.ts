import { type Selectable, type SelectQueryBuilder, sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";

/** Calls of some days, by how they ended. */
export type DayTotals = {
  readonly calls: number;
  readonly credits: number;
  /** Answered with 4xx. */
  readonly refused: number;
  /** Answered with 5xx. */
  readonly failed: number;
};

/** Days in UTC, YYYY-MM-DD, both ends included. */
export type Days = { readonly from: string; readonly to: string };

/** Calls of one day, endpoint, key and status. */
export type UsageRow = {
  readonly day: string;
  readonly endpoint: string;
  readonly keyId: string;
  readonly keyPrefix: string;
  readonly keyName: string;
  readonly status: number;
  readonly calls: number;
  readonly items: number;
  readonly credits: number;
};

export type CallRow = {
  readonly at: Date;
  readonly requestId: string;
  readonly endpoint: string;
  readonly keyPrefix: string;
  readonly targetKind: string;
  readonly target: string | null;
  readonly items: number;
  readonly status: number;
  readonly credits: number;
  readonly elapsedMs: number;
};

/** What an account's calls come to: the roll-up, and the history as far as it is kept. Source: design 13.2. */
export type Usage = {
  readonly totals: (accountId: string, days: Days) => Promise<DayTotals>;
  /** Oldest day first, at most `limit` rows. */
  readonly rows: (
    accountId: string,
    days: Days,
    page: { readonly limit: number },
  ) => Promise<readonly UsageRow[]>;
  /** Newest first; those by key, for a page of the dashboard is no call. */
  readonly lastCalls: (accountId: string, page: { readonly limit: number }) => Promise<readonly CallRow[]>;
  /** Whether a key of this account ever asked for a lookup. */
  readonly hasLookedUp: (accountId: string) => Promise<boolean>;
  /** Calls of each key; keys without any are left out. */
  readonly callsByKey: (accountId: string, days: Days) => Promise<ReadonlyMap<string, number>>;
};

/** What is written where a session called, and no key. */
const BY_SESSION = { keyId: "", prefix: "session", name: "Dashboard" } as const;

/** Reads the roll-up and the history of an open database. */
export function createUsage({ kysely }: Pick<Database, "kysely">): Usage {
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
    lastCalls: (accountId, page) => lastCalls(kysely, accountId, page),
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

// An index of calls by account would cost every call 10 us (a page of its own for each account of a group), more than a
// tenth of what a call costs. So the end of the history is read, from the account's last day back and not for ever: on a
// busy installation a quiet account may see fewer calls than it made.
const MAX_READ = 20_000;

async function lastCalls(
  kysely: Database["kysely"],
  accountId: string,
  { limit }: { readonly limit: number },
): Promise<readonly CallRow[]> {
  const last = await kysely
    .selectFrom("call_days")
    .select((eb) => eb.fn.max("day").as("day"))
    .where("account_id", "=", accountId)
    .where("key_id", "!=", BY_SESSION.keyId)
    .executeTakeFirst();
  if (last?.day == null) return [];
  const rows = await kysely
    .selectFrom((eb) =>
      eb
        .selectFrom("calls")
        .selectAll()
        .where("at", "<", Date.parse(last.day) + DAY_MS)
        .orderBy("at", "desc")
        .orderBy("id", "desc")
        .limit(MAX_READ)
        .as("recent"),
    )
    .selectAll()
    .where("account_id", "=", accountId)
    .where("key_id", "!=", BY_SESSION.keyId)
    .limit(limit)
    .execute();
  return rows.map(callFromRow);
}

const DAY_MS = 86_400_000;

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
  keyId: row.key_id,
  keyPrefix: row.prefix ?? BY_SESSION.prefix,
  keyName: row.name ?? BY_SESSION.name,
  status: row.status,
  calls: Number(row.calls),
  items: Number(row.items),
  credits: Number(row.credits),
});

const callFromRow = (row: Selectable<Schema["calls"]>): CallRow => ({
  at: new Date(row.at),
  requestId: row.request_id,
  endpoint: row.endpoint,
  keyPrefix: row.key_prefix,
  targetKind: row.target_kind,
  target: row.target,
  items: row.items,
  status: row.status,
  credits: row.credits,
  elapsedMs: row.elapsed_ms,
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
