const UNITS = [
  ["s", 60],
  ["min", 60],
  ["h", 24],
] as const;

export type Unit = (typeof UNITS)[number][0] | "d";

/** What has passed counts in whole units only, as in the terminal; what is ahead goes to the nearest. */
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
