import { DAY_MS } from "../base/durations.ts";
import type { IsoTime } from "./types.ts";

/** How long ago something was, three times over. */
export type RegistrationAge = { readonly days: number; readonly months: number; readonly years: number };

/** Whole days and whole calendar months (15 Jan to 14 Feb is 0) until `now`; a time in the future has age 0 (design 10). */
export function ageOf(from: IsoTime, now: Date): RegistrationAge {
  const start = new Date(from);
  const days = Math.max(0, Math.floor((now.getTime() - start.getTime()) / DAY_MS));
  const months = Math.max(0, wholeMonths(start, now));
  return { days, months, years: Math.floor(months / 12) };
}

function wholeMonths(start: Date, end: Date): number {
  const months =
    (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
  const isUnfinished = sinceMonthBegan(end) < sinceMonthBegan(start);
  return isUnfinished ? months - 1 : months;
}

const sinceMonthBegan = (instant: Date): number =>
  instant.getTime() - Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth());
