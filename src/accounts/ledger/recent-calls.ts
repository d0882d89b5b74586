import { type Selectable, sql } from "kysely";
import { MINUTE_MS } from "../../base/durations.ts";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import type { RefusedMinute } from "./refused-calls.ts";

/** A row of the history. */
type RecentCall = {
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

/** A call, or those of one endpoint that the limits refused in the minute that begins at `at`: no more is known of them. */
export type LastCall =
  | ({ readonly kind: "call" } & RecentCall)
  | { readonly kind: "refused"; readonly at: Date; readonly endpoint: string; readonly calls: number };

type Page = { readonly limit: number };

/**
 * The newest calls of an account by its keys, a page of the dashboard is none, and minutes with refused ones; newest first.
 * In SQLite no more calls than are kept of an account (`last-calls.ts`). Costs the same however long the history is.
 */
export async function readLastCalls(
  { kysely, dialect }: Pick<Database, "kysely" | "dialect">,
  accountId: string,
  page: Page,
): Promise<readonly LastCall[]> {
  const read = dialect === "sqlite" ? readFromSqlite : readFromPostgres;
  const calls = (await read(kysely, accountId, page)).map(callFromRow);
  const refused = await readRefused(kysely, accountId, page);
  return [
    ...calls.map((call) => ({ kind: "call" as const, ...call })),
    ...refused.map(({ endpoint, minute, calls: count }) => ({
      kind: "refused" as const,
      ...{ at: new Date(minute), endpoint, calls: count },
    })),
  ]
    .sort((a, b) => placeOf(b) - placeOf(a))
    .slice(0, page.limit);
}

/** Refused calls stand above the other calls of their minute: those alone may be more than are shown. */
const placeOf = ({ kind, at }: LastCall): number => at.getTime() + (kind === "refused" ? MINUTE_MS - 1 : 0);

// One statement: what stood behind the mark a moment ago may be in front of it now. `union`: a number may be given again.
async function readFromSqlite(kysely: Database["kysely"], accountId: string, { limit }: Page) {
  const { rows } = await sql<CallTableRow>`
    select calls.* from (
      select value as number from json_each((select ids from last_calls where account_id = ${accountId})) as kept
      union
      select id from calls
      where id > (select cast(value as integer) from meta where key = 'calls_in_day_sums')
        and account_id = ${accountId}
    ) as newest
    join calls on calls.id = newest.number
    where account_id = ${accountId} and key_id <> ''
    order by at desc, id desc limit ${limit}`.execute(kysely);
  return rows;
}

const readFromPostgres = (kysely: Database["kysely"], accountId: string, { limit }: Page) =>
  kysely
    .selectFrom("calls")
    .selectAll()
    .where("account_id", "=", accountId)
    // A literal: a parameter would hide the index, which has these rows alone.
    .where("key_id", "!=", sql.lit(""))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();

async function readRefused(
  kysely: Database["kysely"],
  accountId: string,
  { limit }: Page,
): Promise<readonly Omit<RefusedMinute, "accountId">[]> {
  const rows = await kysely
    .selectFrom("refused_calls")
    .select(["endpoint", "minute", "calls"])
    .where("account_id", "=", accountId)
    .orderBy("minute", "desc")
    .orderBy("endpoint", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ endpoint, minute, calls }) => ({
    endpoint,
    minute: Number(minute),
    calls: Number(calls),
  }));
}

type CallTableRow = Selectable<Schema["calls"]>;

const callFromRow = (row: CallTableRow): RecentCall => ({
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
