import type { Consultation, Verdict } from "./kind.ts";

/** The engines of one answer in numbers. */
export type Tally = {
  /** That apply and are enabled. Source: design 3.1. */
  readonly total: number;
  /** That answered with data that is not stale. */
  readonly fresh: number;
  /** Age of the oldest data that answered, seconds; -1 when none did. */
  readonly oldestS: number;
};

/** Counts the engines of a consultation. */
export function tallyOf({ verdicts, absences }: Pick<Consultation, "verdicts" | "absences">): Tally {
  let fresh = 0;
  let oldestS = -1;
  for (const { stale, dataAgeS } of verdicts) {
    if (!stale) fresh++;
    if (dataAgeS > oldestS) oldestS = dataAgeS;
  }
  return { total: verdicts.length + absences.length, fresh, oldestS };
}

/** The engines that name the target, in their order. */
export function detectionsOf({ verdicts }: Pick<Consultation, "verdicts">): readonly Verdict[] {
  const found: Verdict[] = [];
  for (const verdict of verdicts) if (verdict.detected) found.push(verdict);
  return found;
}
