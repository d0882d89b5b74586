import type { Consultation, Verdict } from "./kind.ts";

/** The engines of one answer in numbers. */
export type Tally = {
  /** That apply and are enabled. Source: design 3.1. */
  readonly total: number;
  /** That answered with data that is not stale. */
  readonly fresh: number;
};

/** Counts the engines of a consultation. */
export function tallyOf({ verdicts, absences }: Pick<Consultation, "verdicts" | "absences">): Tally {
  let fresh = 0;
  for (const { stale } of verdicts) if (!stale) fresh++;
  return { total: verdicts.length + absences.length, fresh };
}

/** The engines that name the target, in their order. */
export function detectionsOf({ verdicts }: Pick<Consultation, "verdicts">): readonly Verdict[] {
  const found: Verdict[] = [];
  for (const verdict of verdicts) if (verdict.detected) found.push(verdict);
  return found;
}
