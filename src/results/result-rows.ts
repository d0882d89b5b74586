import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import type { Schema } from "../db/schema.ts";
import { pack, unpack } from "./packed.ts";
import {
  type KeptResult,
  type NewResult,
  type OpenedResult,
  RESULT_FACTS,
  type ResultFacts,
  resultFactsOf,
} from "./result.ts";

type ResultRow = Selectable<Schema["results"]>;

const MAX_TARGET = 2048;

// PostgreSQL refuses U+0000 and half a surrogate pair.
const clean = (text: string): string => text.toWellFormed().replaceAll("\0", "\uFFFD");

/** The row of an answer. `factsOf` reads its `data`. */
export async function toResultRow(
  result: NewResult & { readonly runId?: string },
  factsOf: (data: unknown) => ResultFacts,
): Promise<ResultRow> {
  const packed = await pack(result.data);
  return {
    id: result.id,
    account_id: result.accountId,
    at: result.at.getTime(),
    request_id: result.requestId,
    product: result.product,
    target: clean(result.target.slice(0, MAX_TARGET)),
    question: clean(JSON.stringify(result.question)),
    ...factsOf(JSON.parse(result.data)),
    run_id: result.runId ?? null,
    bytes: packed.length,
    packed,
  };
}

/** Columns of `resultFrom`. */
export const RESULT_COLUMNS = [
  "id",
  "at",
  "request_id",
  "product",
  "target",
  ...RESULT_FACTS,
  "run_id",
] as const satisfies readonly (keyof Schema["results"])[];

/** A kept answer without itself, out of its row. */
export function resultFrom(row: Pick<ResultRow, (typeof RESULT_COLUMNS)[number]>): KeptResult {
  const { id, product, target } = row;
  return {
    ...{ id, product, target },
    ...resultFactsOf(row),
    at: new Date(row.at),
    requestId: row.request_id,
    runId: row.run_id,
  };
}

/** The whole of it. */
export async function openedFrom(row: ResultRow): Promise<OpenedResult> {
  const question: unknown = JSON.parse(row.question);
  return {
    ...resultFrom(row),
    question: typeof question === "object" && question !== null ? question : {},
    data: await unpack(row.packed),
  };
}

/** Inserts answers of accounts that still exist. An account that is being deleted is waited for. */
export async function insertResults(
  trx: Transaction<Schema>,
  rows: readonly ResultRow[],
  dialect: "sqlite" | "postgres",
): Promise<void> {
  const ids = [...new Set(rows.map((row) => row.account_id))].sort();
  const query = trx.selectFrom("accounts").select("id").where("id", "in", ids).orderBy("id");
  // SQLite's BEGIN IMMEDIATE is the lock.
  const found = await (dialect === "postgres" ? query.forKeyShare() : query).execute();
  const alive = new Set(found.map(({ id }) => id));
  const kept = rows.filter((row) => alive.has(row.account_id));
  if (kept.length > 0) await trx.insertInto("results").values(kept).execute();
}

/** Deletes an account's oldest answers beyond `maxBytes` of compressed text; how many. */
export async function deleteBeyond(
  db: Kysely<Schema>,
  { accountId, maxBytes }: { readonly accountId: string; readonly maxBytes: number },
): Promise<number> {
  const { held } = await db
    .selectFrom("results")
    .select(sql<number>`coalesce(sum(bytes), 0)`.as("held"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  if (Number(held) <= maxBytes) return 0;
  const { numDeletedRows } = await db
    .deleteFrom("results")
    .where("id", "in", (eb) =>
      eb
        .selectFrom(
          eb
            .selectFrom("results")
            .select(["id", sql<number>`sum(bytes) over (order by at desc, id desc)`.as("up_to_here")])
            .where("account_id", "=", accountId)
            .as("newest_first"),
        )
        .select("id")
        .where("up_to_here", ">", maxBytes),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
