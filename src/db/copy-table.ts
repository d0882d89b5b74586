import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { PoolClient } from "pg";
import { messageOf } from "../base/caught.ts";

/** A table that was copied: its name in PostgreSQL, and how many rows both sides have. */
export type CopiedTable = { readonly name: string; readonly rows: number };

type Sides = { readonly source: DatabaseSync; readonly client: PoolClient };

/** Bytes of one statement, about. */
const BATCH_BYTES = 1_000_000;

/** Only SQLite has it: what the history says already, kept for speed. */
const SQLITE_ALONE = ["last_calls"];

/** In SQLite the roll-up is a view over these sums and the latest calls; in PostgreSQL it is a table. */
const DAY_SUMS = "call_day_sums";
const DAYS = "call_days";
const DAYS_QUERY = `select account_id, day, endpoint, key_id, status, sum(calls) as calls, sum(items) as items,
  sum(credits) as credits from call_days group by account_id, day, endpoint, key_id, status`;

/** What only one of both databases keeps in its notes. */
const NOTES_QUERY = "select key, value from meta where key not in ('calls_in_day_sums', 'last_probe')";

const queryOf = (table: string): string => {
  if (table === DAYS) return DAYS_QUERY;
  return table === "meta" ? NOTES_QUERY : `select * from "${table}"`;
};

/** The tables by their names in PostgreSQL; one that points at another stands behind it. */
export function orderedTables(source: DatabaseSync): readonly string[] {
  const found = source
    .prepare(`select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'
      and name not like 'schema\\_steps%' escape '\\' order by name`)
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !SQLITE_ALONE.includes(name));
  const ordered: string[] = [];
  const add = (name: string): void => {
    if (ordered.includes(name)) return;
    const parents = source.prepare(`select "table" as parent from pragma_foreign_key_list(?)`).all(name);
    for (const { parent } of parents) if (parent !== name) add(String(parent));
    ordered.push(name);
  };
  for (const name of found) add(name);
  return ordered.map((name) => (name === DAY_SUMS ? DAYS : name));
}

/** Copies the rows of a table, and compares what arrived: rows, sums of numbers, lengths of texts. Throws when they differ. */
export async function copyTable(name: string, { source, client }: Sides): Promise<CopiedTable> {
  const statement = source.prepare(queryOf(name));
  const columns = statement.columns().map((column) => column.name);
  const sums = new Map(columns.map((column) => [column, 0n]));
  let rows = 0;
  let batch: string[] = [];
  let bytes = 0;
  const flush = async () => {
    if (batch.length > 0) await insert(client, { name, columns, batch });
    batch = [];
    bytes = 0;
  };
  for (const row of statement.iterate()) {
    for (const column of columns) sums.set(column, (sums.get(column) ?? 0n) + weightOf(row[column] ?? null));
    const text = JSON.stringify(row, (_key, value) => (value instanceof Uint8Array ? hexOf(value) : value));
    batch.push(text);
    bytes += text.length;
    rows += 1;
    if (bytes >= BATCH_BYTES) await flush();
  }
  await flush();
  await compare(client, { name, rows, sums });
  return { name, rows };
}

const hexOf = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString("hex")}`;

type Insert = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly batch: readonly string[];
};

async function insert(client: PoolClient, { name, columns, batch }: Insert): Promise<void> {
  const listed = columns.map((column) => `"${column}"`).join(", ");
  const conflict = name === "meta" ? " on conflict (key) do update set value = excluded.value" : "";
  try {
    await client.query(
      `insert into "${name}" (${listed}) overriding system value
        select ${listed} from json_populate_recordset(null::"${name}", $1::json)${conflict}`,
      [`[${batch.join(",")}]`],
    );
  } catch (error) {
    const reason = messageOf(error);
    throw new Error(`Cannot copy the table "${name}": ${reason}`, { cause: error });
  }
}

/** What a value adds to its column's sum: a number itself, a text or bytes their length. */
function weightOf(value: SQLOutputValue): bigint {
  if (value === null) return 0n;
  if (typeof value === "number" || typeof value === "bigint") return BigInt(value);
  return BigInt(typeof value === "string" ? Buffer.byteLength(value) : value.byteLength);
}

type Expected = { readonly name: string; readonly rows: number; readonly sums: ReadonlyMap<string, bigint> };

async function compare(client: PoolClient, { name, rows, sums }: Expected): Promise<void> {
  // Its own notes may have been there.
  if (name === "meta") return;
  const { rows: types } = await client.query(
    "select column_name as column, data_type as type from information_schema.columns where table_schema = current_schema() and table_name = $1",
    [name],
  );
  const isNumber = new Map(
    types.map(({ column, type }) => [column, type === "bigint" || type === "integer"]),
  );
  const asked = [...sums.keys()].map((column) => {
    const weight = isNumber.get(column) === true ? `"${column}"` : `octet_length("${column}")`;
    return `coalesce(sum(${weight}), 0)::text as "${column}"`;
  });
  const { rows: found } = await client.query(
    `select count(*)::text as "rows of it", ${asked.join(", ")} from "${name}"`,
  );
  const arrived = found[0] ?? {};
  const isWrong = ([column, sum]: readonly [string, bigint]) => arrived[column] !== String(sum);
  const wrong = arrived["rows of it"] === String(rows) ? [...sums].find(isWrong)?.[0] : "rows of it";
  if (wrong === undefined) return;
  const wanted = sums.get(wrong) ?? rows;
  throw new Error(
    `The copy of "${name}" differs in its ${wrong}: ${arrived[wrong]} instead of ${wanted}; nothing was kept`,
  );
}
