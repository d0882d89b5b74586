import { DAY_MS, HOUR_MS } from "../base/durations.ts";
import type { SourceAge } from "./facts.ts";

/** Of when a table is, and for how long its publisher's plan lets it stand. */
export type TableDate = {
  /** ISO 8601; null when its publisher does not say. */
  readonly asOf: string | null;
  /** Older than so many milliseconds it is stale. */
  readonly staleMs: number;
};

/** A month, and half of one until the next file is there and asked for. */
export const MONTHLY_STALE_MS = 45 * DAY_MS;

/** Of a table that is published monthly, or without a plan. */
export const monthly = (asOf: string | null): TableDate => ({ asOf, staleMs: MONTHLY_STALE_MS });

/** Three times its interval, as of lists. Source: design 3.4. */
export const staleAfterMs = (refreshMinutes: number): number =>
  Math.max(3 * refreshMinutes * 60_000, HOUR_MS);

/** How old a table is that was asked; null: none was. */
export function tableAge(date: TableDate | null, nowMs: number): SourceAge {
  const asOf = date?.asOf ?? null;
  if (date === null || asOf === null) return UNKNOWN_AGE;
  const ageMs = Math.max(0, nowMs - Date.parse(asOf));
  return { dataAgeS: Math.floor(ageMs / 1000), stale: ageMs > date.staleMs, cached: false };
}

const UNKNOWN_AGE: SourceAge = { dataAgeS: null, stale: false, cached: false };
