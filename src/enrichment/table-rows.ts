import type { FeedState } from "../feeds/state.ts";
import type { TableDefinition, TableKind } from "../feeds/table.ts";
import type { ClassifyingRow } from "./classifying-rows.ts";

/** How a table of places or networks fares. */
export type TableRow = Omit<ClassifyingRow, "entries"> & {
  readonly name: string;
  /** Retrieved from where the operator said: what goes wrong there is nobody else's business. */
  readonly own: boolean;
  /** Null: of the shipped table, whose rows are others. */
  readonly entries: number | null;
};

/** When what is shipped was published, as ISO 8601; null: nothing is. */
export type ShippedDates = Readonly<Record<TableKind, string | null>>;

/** In the order of the definitions. */
export const tableRows = (
  tables: readonly TableDefinition[],
  stateOf: (key: string) => FeedState | null,
  shipped: ShippedDates,
  nowMs: number,
): readonly TableRow[] =>
  tables.map((table) => rowOf(table, stateOf(table.key), shipped[table.table], nowMs));

function rowOf(
  { key, name, table, builtin, refreshMinutes }: TableDefinition,
  state: FeedState | null,
  shippedAt: string | null,
  nowMs: number,
): TableRow {
  const isRetrieved = state?.contentHash != null;
  const asOf = isRetrieved ? asOfDate(state) : shippedAt;
  const lastError = state?.lastError ?? null;
  const entries = isRetrieved ? state.entries : null;
  const common = { key, name, own: !builtin, entries, seed: !isRetrieved && shippedAt !== null, lastError };
  if (asOf === null) return { ...common, status: lastError === null ? "never" : "error", dataAgeS: null };
  const ageMs = Math.max(0, nowMs - Date.parse(asOf));
  const staleMs = table === "city" ? MONTHLY_STALE_MS : 3 * refreshMinutes * 60_000;
  return { ...common, status: ageMs > staleMs ? "stale" : "ok", dataAgeS: Math.floor(ageMs / 1000) };
}

/** A month, and half of one until the next file is there and asked for. */
const MONTHLY_STALE_MS = 45 * 86_400_000;

/**
 * Of when retrieved content is, as ISO 8601: the publisher's date inside the file, or that of the file, else the last word that
 * it is the newest; null before there is any.
 */
export function asOfDate({ publishedAt, lastModified, retrievedAt }: FeedState): string | null {
  const ofFileMs = Date.parse(lastModified ?? "");
  const ofFile = Number.isNaN(ofFileMs) ? null : new Date(ofFileMs).toISOString();
  const said = publishedAt ?? ofFile;
  if (said === null || retrievedAt === null) return retrievedAt;
  return Date.parse(said) < Date.parse(retrievedAt) ? said : retrievedAt;
}
