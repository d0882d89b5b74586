import type { Insertable } from "kysely";
import { isoDay } from "../../base/clock.ts";
import { DAY_MS } from "../../base/durations.ts";
import type { Schema } from "../../db/schema.ts";
import type { CallRecord } from "../accounts.ts";

export type CallRow = Required<Omit<Insertable<Schema["calls"]>, "id">>;
export type CallDayRow = Insertable<Schema["call_days"]>;

const MAX_TARGET = 2048;
const MAX_TEXT = 256;
const MAX_INT4 = 2 ** 31 - 1;

/** The history row of a call. Its target is kept only with `usage.store_targets`. Source: design 13.2. */
export function toCallRow(
  call: CallRecord,
  { at, credits, storeTargets }: { at: Date; credits: number; storeTargets: boolean },
): CallRow {
  return {
    at: at.getTime(),
    request_id: clean(call.requestId, MAX_TEXT),
    account_id: call.accountId,
    key_id: call.keyId,
    key_prefix: clean(call.keyPrefix, MAX_TEXT),
    endpoint: clean(call.endpoint, MAX_TEXT),
    target_kind: clean(call.targetKind, MAX_TEXT),
    target: storeTargets && call.target !== null ? clean(call.target, MAX_TARGET) : null,
    items: int4(call.items),
    status: int4(call.status),
    credits,
    elapsed_ms: int4(call.elapsedMs),
    client_address: clean(call.clientAddress, MAX_TEXT),
  };
}

// PostgreSQL refuses U+0000 and half a surrogate pair, and one refused row would take its whole group along.
function clean(text: string, max: number): string {
  if (text.length <= max && text.isWellFormed() && !text.includes("\0")) return text;
  return text.slice(0, max).toWellFormed().replaceAll("\0", "\uFFFD");
}

const int4 = (value: number): number => Math.min(MAX_INT4, Math.max(0, Math.round(value) || 0));

/**
 * The roll-up of some history rows, and of what is rolled up already: one row for each account, UTC day, endpoint, key and
 * status, sorted by those, so that all writers take the rows in one order.
 */
export function rollUp(calls: readonly CallRow[], days: readonly CallDayRow[] = []): readonly CallDayRow[] {
  const totals = createDayTotals();
  totals.add(calls);
  totals.addDays(days);
  return totals.rows();
}

/** A roll-up that grows. */
export type UsageRollup = {
  readonly add: (calls: readonly CallRow[]) => void;
  /** Adds what is rolled up already. */
  readonly addDays: (days: readonly CallDayRow[]) => void;
  /** As `rollUp` has them. */
  readonly rows: () => readonly CallDayRow[];
};

/** A roll-up of nothing yet. */
export function createDayTotals(): UsageRollup {
  const byAccount = new Map<string, CallDayRow[]>();
  const rowsOf = (accountId: string): CallDayRow[] => {
    const known = byAccount.get(accountId);
    if (known !== undefined) return known;
    const rows: CallDayRow[] = [];
    byAccount.set(accountId, rows);
    return rows;
  };
  return {
    add: (calls) => {
      for (const call of calls) addTo(rowsOf(call.account_id), call, dayOf(call.at), 1);
    },
    addDays: (days) => {
      for (const day of days) addTo(rowsOf(day.account_id), day, day.day, day.calls);
    },
    rows: () => [...byAccount.values()].flat().sort(byKey),
  };
}

function addTo(
  rows: CallDayRow[],
  { account_id, endpoint, key_id, status, items, credits }: Omit<CallDayRow, "day" | "calls">,
  day: string,
  calls: number,
): void {
  const row = rows.find(
    (known) =>
      known.key_id === key_id && known.status === status && known.endpoint === endpoint && known.day === day,
  );
  if (row === undefined) {
    rows.push({ account_id, day, endpoint, key_id, status, calls, items, credits });
    return;
  }
  row.calls += calls;
  row.items += items;
  row.credits += credits;
}

const byText = (a: string, b: string): number => (a < b ? -1 : a === b ? 0 : 1);

const byKey = (a: CallDayRow, b: CallDayRow): number =>
  byText(a.account_id, b.account_id) ||
  byText(a.day, b.day) ||
  byText(a.endpoint, b.endpoint) ||
  byText(a.key_id, b.key_id) ||
  a.status - b.status;

let latestDay = { number: 0, text: "1970-01-01" };

/** The UTC day of an instant (ms since 1970); nearly always that of the call before. */
export function dayOf(atMs: number): string {
  const number = Math.floor(atMs / DAY_MS);
  if (number !== latestDay.number) {
    latestDay = { number, text: isoDay(new Date(number * DAY_MS)) };
  }
  return latestDay.text;
}
