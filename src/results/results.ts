import { type SelectQueryBuilder, sql } from "kysely";
import type { Clock, Random } from "../base/clock.ts";
import { DAY_MS } from "../base/durations.ts";
import { Refusal } from "../base/failure.ts";
import type { Log } from "../base/log.ts";
import { nextTurn } from "../base/next-turn.ts";
import type { Database } from "../db/database.ts";
import type { Guard } from "../db/guard.ts";
import type { Schema } from "../db/schema.ts";
import { createKeeper } from "./keeper.ts";
import type { KeptResult, NewResult, OpenedResult, ResultFacts, Share } from "./result.ts";
import { openedFrom, RESULT_COLUMNS, resultFrom } from "./result-rows.ts";
import {
  createShare,
  listShares,
  type NewShare,
  readShared,
  revokeShare,
  type SharedResult,
} from "./shares.ts";

/** What a list of results is narrowed to. */
export type ResultFilter = {
  /** Part of the target, in any letter case; empty: any. */
  readonly q: string;
  readonly verdict: string | null;
  readonly product: string | null;
  readonly runId: string | null;
};

/** What is asked for of an answer, or of a link, with its id. */
type ResultChange = { readonly accountId: string; readonly id: string; readonly guard: Guard };

type Page = { readonly limit: number; readonly offset: number };

/** The answers that accounts paid for on the pages, kept for a while. */
export type Results = {
  /** Days that they are kept; 0: none are. */
  readonly keptDays: number;
  /** Queues an answer to be written within a second. Never throws, and waits for nothing. */
  readonly keep: (result: NewResult) => void;
  /** Newest first. */
  readonly list: (
    accountId: string,
    filter: ResultFilter,
    page: Page,
  ) => Promise<{ readonly results: readonly KeptResult[]; readonly total: number }>;
  /** Throws NOT_FOUND. */
  readonly open: (
    accountId: string,
    id: string,
  ) => Promise<OpenedResult & { readonly shares: readonly Share[] }>;
  /** Ids of the kept answers to calls, by their request ids. */
  readonly idsOf: (accountId: string, requestIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Throws NOT_FOUND. */
  readonly remove: (wish: ResultChange) => Promise<void>;
  readonly share: (wish: NewShare) => Promise<{ readonly token: string; readonly share: Share }>;
  readonly revokeShare: (wish: ResultChange) => Promise<void>;
  readonly readShared: (token: string) => Promise<SharedResult | null>;
  /** Deletes what is older than any process keeps it (`atLeastDays`), and links that have ended; how many answers. */
  readonly prune: (atLeastDays?: number) => Promise<number>;
  /** Resolves when everything queued is written, or cannot be. */
  readonly flush: () => Promise<void>;
};

export type ResultsDeps = {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Pick<Log, "warn">;
  /** Reads an answer's `data`. */
  readonly factsOf: (data: unknown) => ResultFacts;
};

export type ResultsOptions = { readonly keptDays: number; readonly maxBytes: number };

/** Rows deleted in one step: charges go on between them. */
const STEP = 200;

/** Results over an open database; several processes may have them on one. */
export function createResults({ keptDays, maxBytes }: ResultsOptions, deps: ResultsDeps): Results {
  const keeper = createKeeper({ maxBytes }, deps);
  return {
    keptDays,
    keep: keptDays > 0 ? keeper.keep : () => undefined,
    flush: keeper.flush,
    ...reading(deps, keeper.flush),
    share: async (wish) => {
      await keeper.flush();
      return createShare(wish, deps);
    },
    revokeShare: (wish) => revokeShare(wish, deps),
    readShared: (token) => readShared(token, deps),
    prune: (atLeastDays = 0) => prune(deps, Math.max(keptDays, atLeastDays)),
  };
}

/** What reads and deletes kept answers, those that are on their way included. */
function reading(
  deps: ResultsDeps,
  flush: () => Promise<void>,
): Pick<Results, "list" | "open" | "idsOf" | "remove"> {
  const { kysely } = deps.db;
  const own = (accountId: string, id: string) =>
    kysely.selectFrom("results").selectAll().where("id", "=", id).where("account_id", "=", accountId);
  return {
    list: async (accountId, filter, page) => {
      await flush();
      return list(kysely.selectFrom("results").where("account_id", "=", accountId), filter, page);
    },
    open: async (accountId, id) => {
      await flush();
      const row = await own(accountId, id).executeTakeFirst();
      if (row === undefined) throw notKept();
      return { ...(await openedFrom(row)), shares: await listShares({ accountId, resultId: id }, deps) };
    },
    idsOf: async (accountId, requestIds) => {
      if (requestIds.length === 0) return new Map();
      await flush();
      const rows = await kysely
        .selectFrom("results")
        .select(["id", "request_id"])
        .where("account_id", "=", accountId)
        .where("request_id", "in", requestIds)
        .orderBy("at")
        .execute();
      return new Map(rows.map((row) => [row.request_id, row.id]));
    },
    remove: ({ accountId, id, guard }) =>
      kysely.transaction().execute(async (trx) => {
        await guard(trx);
        const { numDeletedRows } = await trx
          .deleteFrom("results")
          .where("id", "=", id)
          .where("account_id", "=", accountId)
          .executeTakeFirstOrThrow();
        if (numDeletedRows === 0n) throw notKept();
      }),
  };
}

async function list(
  all: SelectQueryBuilder<Schema, "results", object>,
  filter: ResultFilter,
  { limit, offset }: Page,
): ReturnType<Results["list"]> {
  const found = filtered(all, filter);
  const rows = await found
    .select(RESULT_COLUMNS)
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  const { total } = await found.select(sql<number>`count(*)`.as("total")).executeTakeFirstOrThrow();
  return { results: rows.map(resultFrom), total: Number(total) };
}

const notKept = (): Refusal =>
  new Refusal("NOT_FOUND", { message: "This result is not kept: it was deleted, or its time is over" });

function filtered<O>(
  query: SelectQueryBuilder<Schema, "results", O>,
  { q, verdict, product, runId }: ResultFilter,
): SelectQueryBuilder<Schema, "results", O> {
  // PostgreSQL takes no U+0000; `%` and `_` in what was typed are themselves.
  const sought = q
    .toWellFormed()
    .replace(/\p{Cc}/gu, "")
    .trim()
    .toLowerCase();
  const pattern = `%${sought.replace(/[\\%_]/g, "\\$&")}%`;
  let found = query;
  if (sought !== "") found = found.where(sql<boolean>`lower(target) like ${pattern} escape '\\'`);
  if (verdict !== null) found = found.where("verdict", "=", verdict);
  if (product !== null) found = found.where("product", "=", product);
  return runId === null ? found : found.where("run_id", "=", runId);
}

async function prune({ db: { kysely }, clock }: ResultsDeps, keptDays: number): Promise<number> {
  const nowMs = clock.now().getTime();
  await kysely.deleteFrom("result_shares").where("expires_at", "<=", nowMs).execute();
  const old = kysely
    .selectFrom("results")
    .select("id")
    .where("at", "<=", nowMs - keptDays * DAY_MS)
    .orderBy("at")
    .limit(STEP);
  for (let pruned = 0; ; ) {
    const { numDeletedRows } = await kysely
      .deleteFrom("results")
      .where("id", "in", old)
      .executeTakeFirstOrThrow();
    pruned += Number(numDeletedRows);
    if (numDeletedRows < STEP) return pruned;
    await nextTurn();
  }
}
