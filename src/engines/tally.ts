import type { Consultation } from "./kind.ts";

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
