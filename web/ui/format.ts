import { type Rounding, spanOf } from "../api/spans.gen.ts";

const COUNT = new Intl.NumberFormat("en");
const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const MONEY = new Intl.NumberFormat("en", { style: "currency", currency: "USD" });
const EXACT = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZone: "UTC",
});
const DATE = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const SHORT_DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** 1500000 as "1,500,000". */
export const formatCount = (value: number): string => COUNT.format(value);

/** 1500000 as "1.5M". */
export const formatCompact = (value: number): string => COMPACT.format(value);

/** 19.99 as "$19.99". */
export const formatMoney = (value: number): string => MONEY.format(value).replace(/\.00$/, "");

/** "21 Nov 2026, 19:28:30 UTC". */
export const formatExact = (time: string): string => `${EXACT.format(Date.parse(time))} UTC`;

/** "21 Nov 2026", of the day in UTC. */
export const formatDate = (time: string): string => DATE.format(Date.parse(time));

/** When a balance refills; null: a refill that is due waits for a late payment. */
export const refillText = (time: string | null): string =>
  time === null ? "Refills as soon as the open invoice is paid" : `Refills on ${formatDate(time)}`;

/** "21 Nov". */
export const formatShortDate = (time: string): string => SHORT_DATE.format(Date.parse(time));

/** "1 call", "2 calls". */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** A span in its greatest unit: "41 min", "3 h", "12 d". */
export function formatSpan(seconds: number, rounding: Rounding = "whole"): string {
  const [count, unit] = spanOf(seconds, rounding);
  return `${formatCount(count)} ${unit}`;
}

const NOW_S = 5;

/** "3 h ago", "in 12 d", "just now". */
export function formatRelative(time: string, nowMs: number): string {
  const seconds = (Date.parse(time) - nowMs) / 1000;
  if (Math.abs(seconds) < NOW_S) return "just now";
  return seconds < 0 ? `${formatSpan(-seconds)} ago` : `in ${formatSpan(seconds, "nearest")}`;
}
