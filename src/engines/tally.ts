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

/** Counts the engines of a consultation, unless that was done for all targets that are like it. */
export const tallyOf = (consultation: Pick<Consultation, "verdicts" | "absences" | "tally">): Tally =>
  consultation.tally ?? countEngines(consultation);

/** The engines that name the target. Mostly nobody does; then nothing is allocated but the empty list. */
export function detectionsOf({
  verdicts,
  detections,
}: Pick<Consultation, "verdicts" | "detections">): readonly Verdict[] {
  if (detections) return detections;
  const found: Verdict[] = [];
  for (const verdict of verdicts) if (verdict.detected) found.push(verdict);
  return found;
}

/** Counts them one by one. */
export function countEngines({ verdicts, absences }: Pick<Consultation, "verdicts" | "absences">): Tally {
  let fresh = 0;
  let oldestS = -1;
  for (const { stale, dataAgeS } of verdicts) {
    if (!stale) fresh++;
    if (dataAgeS > oldestS) oldestS = dataAgeS;
  }
  let total = verdicts.length;
  for (const { status } of absences) if (status !== "disabled") total++;
  return { total, fresh, oldestS };
}
