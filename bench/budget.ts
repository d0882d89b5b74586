/** What a figure has to reach. A missed `must` makes the run fail; `aim` is what good looks like. */
export type Budget = {
  readonly key: string;
  /** The row that measures it. */
  readonly row: string;
  readonly figure: string;
  /** "x" is a ratio of two figures of this run. */
  readonly unit: "x" | "µs" | "ns" | "ms" | "s" | "bytes" | "MB" | "per s" | "%" | "";
  readonly better: "lower" | "higher";
  /** Null: shown for what it is, without a limit. */
  readonly must: number | null;
  readonly aim: number | null;
};

/** How far a measured value goes: a missed must fails the run. */
export function verdictOn(budget: Budget, measured: number): "aim" | "must" | "missed" | "shown" {
  const { better, must, aim } = budget;
  const reaches = (limit: number) => (better === "lower" ? measured <= limit : measured >= limit);
  if (must === null) return "shown";
  if (!reaches(must)) return "missed";
  return aim !== null && reaches(aim) ? "aim" : "must";
}
