import type { Insertable } from "kysely";
import type { Schema } from "../db/schema.ts";
import type { CallRecord } from "./accounts.ts";

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
 * The roll-up of some history rows: one row for each account, UTC day, endpoint, key and status, sorted by those, so
 * that all writers take the rows in one order.
 */
export function rollUp(calls: readonly CallRow[]): readonly CallDayRow[] {
  const days = new Map<string, CallDayRow>();
  for (const call of calls) {
    const day = dayOf(call.at);
    const id = `${call.account_id} ${day} ${call.endpoint} ${call.key_id} ${call.status}`;
    const row = days.get(id);
    days.set(id, {
      account_id: call.account_id,
      day,
      endpoint: call.endpoint,
      key_id: call.key_id,
      status: call.status,
      calls: (row?.calls ?? 0) + 1,
      items: (row?.items ?? 0) + call.items,
      credits: (row?.credits ?? 0) + call.credits,
    });
  }
  return [...days.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

const DAY_MS = 86_400_000;
let latestDay = { number: 0, text: "1970-01-01" };

/** The UTC day of an instant (ms since 1970); nearly always that of the call before. */
function dayOf(atMs: number): string {
  const number = Math.floor(atMs / DAY_MS);
  if (number !== latestDay.number) {
    latestDay = { number, text: new Date(number * DAY_MS).toISOString().slice(0, 10) };
  }
  return latestDay.text;
}
