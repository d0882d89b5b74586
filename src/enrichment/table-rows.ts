import { ageSeconds } from "../base/clock.ts";
import { readWrittenDate } from "../base/written-date.ts";
import { staleAfterS } from "../feeds/list-age.ts";
import type { FeedState } from "../feeds/state.ts";
import type { TableDefinition, TableKind } from "../feeds/table.ts";
import { MONTHLY_STALE_S } from "./table-age.ts";

/** How a table of places or networks fares. */
export type TableRow = {
  readonly key: string;
  readonly name: string;
  /** Retrieved from where the operator said: what goes wrong there is for owners alone. */
  readonly own: boolean;
  readonly status: "ok" | "stale" | "never" | "error";
  /** Null: of the shipped table, whose rows are others. */
  readonly entries: number | null;
  /** Rows that were not understood; null where `entries` is. */
  readonly dropped: number | null;
  /** Seconds; null without content. */
  readonly dataAgeS: number | null;
  /** The shipped table answers. */
  readonly seed: boolean;
  readonly lastError: string | null;
  /** How often it is looked for. */
  readonly refreshMinutes: number;
  /** What is known of its retrievals; null: there was no attempt. */
  readonly state: FeedState | null;
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
  const dropped = isRetrieved ? state.dropped : null;
  const seed = !isRetrieved && shippedAt !== null;
  const common = { key, name, own: !builtin, entries, dropped, seed, lastError, refreshMinutes, state };
  if (asOf === null) return { ...common, status: lastError === null ? "never" : "error", dataAgeS: null };
  const dataAgeS = ageSeconds(Date.parse(asOf), nowMs);
  // The city table is looked for daily, and published monthly.
  const isMonthly = !isRetrieved || table === "city";
  const limitS = isMonthly ? MONTHLY_STALE_S : staleAfterS(refreshMinutes);
  return { ...common, status: dataAgeS > limitS ? "stale" : "ok", dataAgeS };
}

/**
 * Of when retrieved content is, as ISO 8601: the publisher's date inside the file, or that of the file, else the last word that
 * it is the newest; null before there is any.
 */
export function asOfDate({ publishedAt, lastModified, retrievedAt }: FeedState): string | null {
  const ofFile = readWrittenDate(lastModified ?? "")?.toISOString() ?? null;
  const said = publishedAt ?? ofFile;
  if (said === null || retrievedAt === null) return retrievedAt;
  return Date.parse(said) < Date.parse(retrievedAt) ? said : retrievedAt;
}

/** The row of a table in `feeds list --json`, with the members of an engine's. */
export const listedTable = ({
  key,
  name,
  status,
  entries,
  dropped,
  dataAgeS,
  seed,
  lastError,
  state,
}: TableRow) => ({
  key,
  name,
  kind: "table" as const,
  target: "ip" as const,
  status,
  entries,
  dropped,
  data_age_s: dataAgeS,
  last_success: state?.retrievedAt ?? null,
  last_attempt: state?.lastAttempt ?? null,
  last_error: lastError,
  next_attempt: state?.nextAttempt ?? null,
  changed_at: state?.changedAt ?? null,
  seed,
});
