// Imports nothing: `npm run web:types` copies this file to `web/`, so that the pages tell spans of time as the terminal does.

const UNITS = [
  ["s", 60],
  ["min", 60],
  ["h", 24],
] as const;

export type Unit = (typeof UNITS)[number][0] | "d";

/** What has passed counts in whole units only; what is ahead goes to the nearest. */
export type Rounding = "whole" | "nearest";

/** A span in the greatest unit that it fills: 41 min, 3 h, 12 d. */
export function spanOf(seconds: number, rounding: Rounding): readonly [count: number, unit: Unit] {
  const round = rounding === "whole" ? Math.floor : Math.round;
  let size = 1;
  for (const [unit, toNext] of UNITS) {
    const count = round(Math.max(0, seconds) / size);
    if (count < toNext) return [count, unit];
    size *= toNext;
  }
  return [round(seconds / size), "d"];
}

const grouped = new Intl.NumberFormat("en");

/** `40 s`, `41 min`, `14 h`, `91 days`. */
export function duration(seconds: number, rounding: Rounding = "whole"): string {
  const [value, unit] = spanOf(seconds, rounding);
  if (unit !== "d") return `${value} ${unit}`;
  return value === 1 ? "1 day" : `${grouped.format(value)} days`;
}

const months = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" });

/** `August 2026` of `2026-08`; the text itself where it is no month. */
export function month(text: string): string {
  const at = Date.parse(text);
  return Number.isNaN(at) ? text : months.format(at);
}
