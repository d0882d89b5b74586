import { ageSeconds } from "../base/clock.ts";
import { DAY_S } from "../base/durations.ts";
import type { SourceAge } from "./facts.ts";

/** Of when a table is, and for how long its publisher's plan lets it stand. */
export type TableDate = {
  /** ISO 8601; null when its publisher does not say. */
  readonly asOf: string | null;
  /** Older than so many seconds it is stale. */
  readonly staleAfterS: number;
};

/** A month, and half of one until the next file is there and asked for. */
export const MONTHLY_STALE_S = 45 * DAY_S;

/** Of a table that is published monthly, or without a plan. */
export const monthly = (asOf: string | null): TableDate => ({ asOf, staleAfterS: MONTHLY_STALE_S });

/** How old a table is that was asked; null: none was. */
export function tableAge(date: TableDate | null, nowMs: number): SourceAge {
  const asOf = date?.asOf ?? null;
  if (date === null || asOf === null) return UNKNOWN_AGE;
  const dataAgeS = ageSeconds(Date.parse(asOf), nowMs);
  return { dataAgeS, stale: dataAgeS > date.staleAfterS, cached: false };
}

const UNKNOWN_AGE: SourceAge = { dataAgeS: null, stale: false, cached: false };
