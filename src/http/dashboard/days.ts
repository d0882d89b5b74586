import type { Days } from "../../accounts/ledger/usage.ts";
import { isoDay } from "../../base/clock.ts";
import { DAY_MS } from "../../base/durations.ts";
import { type Fault, Refusal } from "../../base/failure.ts";

const MAX_DAYS = 366;

/** The UTC day of an instant, so many days before it. */
const dayBefore = (now: Date, days: number): string => isoDay(new Date(now.getTime() - days * DAY_MS));

/** The last days up to today. */
export const lastDays = (now: Date, days: number): Days => ({
  from: dayBefore(now, days - 1),
  to: dayBefore(now, 0),
});

/** Days of `?from=&to=`; the last 30 unless given. Throws VALIDATION for what are no days, or more than a year. */
export function daysOf(query: (name: string) => string | null, now: Date): Days {
  const { from: normally, to: today } = lastDays(now, 30);
  const [from, to] = [query("from") ?? normally, query("to") ?? today];
  const faults = [dayFault("from", from), dayFault("to", to)].flatMap((fault) => fault ?? []);
  if (faults.length > 0) throw new Refusal("VALIDATION", { faults });
  const span = (Date.parse(to) - Date.parse(from)) / DAY_MS;
  if (span < 0 || span >= MAX_DAYS) {
    const msg = span < 0 ? "The first day comes after the last" : `At most ${MAX_DAYS} days at once`;
    throw new Refusal("VALIDATION", { faults: [faultOf("from", from, msg, "range")] });
  }
  return { from, to };
}

/** The day of `?day=`; today unless given. Throws VALIDATION. */
export function dayOf(query: (name: string) => string | null, now: Date): string {
  const day = query("day") ?? dayBefore(now, 0);
  const fault = dayFault("day", day);
  if (fault !== null) throw new Refusal("VALIDATION", { faults: [fault] });
  return day;
}

function dayFault(name: string, text: string): Fault | null {
  const isDay =
    /^\d{4}-\d\d-\d\d$/.test(text) &&
    !Number.isNaN(Date.parse(text)) &&
    new Date(Date.parse(text)).toISOString().startsWith(text);
  return isDay ? null : faultOf(name, text, "A day is wanted: YYYY-MM-DD", "day_malformed");
}

const faultOf = (name: string, input: string, msg: string, reason: string): Fault => ({
  loc: ["query", name],
  msg,
  type: "value_error",
  input: input.slice(0, 100),
  ctx: { reason },
});

export type PageWish = { readonly limit: number; readonly offset: number };

const MAX_ROWS = 200;
const MAX_OFFSET = 1_000_000;

/** Rows of `?limit=&offset=`; the first 50 unless given. Throws VALIDATION. */
export function pageOf(query: (name: string) => string | null): PageWish {
  return {
    limit: countOf("limit", query("limit") ?? "50", { least: 1, most: MAX_ROWS }),
    offset: countOf("offset", query("offset") ?? "0", { least: 0, most: MAX_OFFSET }),
  };
}

function countOf(name: string, text: string, { least, most }: { least: number; most: number }): number {
  const count = /^\d{1,7}$/.test(text) ? Number(text) : -1;
  if (count >= least && count <= most) return count;
  const msg = `A whole number from ${least} to ${most} is wanted`;
  throw new Refusal("VALIDATION", { faults: [faultOf(name, text, msg, "range")] });
}

/** A member of the query that must be one of a few words; null where it is not given. Throws VALIDATION. */
export function choiceOf<T extends string>(
  query: (name: string) => string | null,
  name: string,
  choices: readonly T[],
): T | null {
  const given = query(name);
  if (given === null || given === "") return null;
  const found = choices.find((one) => one === given);
  if (found !== undefined) return found;
  const msg = `One of these is wanted: ${choices.join(", ")}`;
  throw new Refusal("VALIDATION", { faults: [faultOf(name, given, msg, "unknown_word")] });
}
