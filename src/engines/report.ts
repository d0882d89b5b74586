import type { Consultation } from "./kind.ts";
import type { BlacklistsCounts } from "./shapes.ts";
import { detectionsOf, type Tally, tallyOf } from "./tally.ts";

/** What the engines said of one target: the numbers of the Blacklists object, and what each view is written from. */
export type BlacklistsReport = BlacklistsCounts & {
  readonly consultation: Consultation;
  /** The normalised target. */
  readonly targetText: string;
};

/** The Blacklists object of a consultation about `targetText`, the normalised target, before a view is chosen; pure. */
export function reportBlacklists(consultation: Consultation, targetText: string): BlacklistsReport {
  const { verdicts } = consultation;
  const detections = detectionsOf(consultation).length;
  const tally = tallyOf(consultation);
  return {
    detections,
    engines_count: verdicts.length,
    detection_rate: detectionRate(detections, verdicts.length),
    scan_time_ms: Math.floor(consultation.scanTimeMs),
    engines_total: tally.total,
    coverage: roundCoverage(coverageOf(tally)),
    consultation,
    targetText,
  };
}

/** Whether engines are enabled and apply, and none of them answered. */
export const isUnanswered = ({ engines_total: total, engines_count: count }: BlacklistsCounts): boolean =>
  total > 0 && count === 0;

/**
 * Share of engines that name the target, in whole percent: never `0%` with a detection, never `100%` with a miss.
 * Source: design 3.1.
 */
export function detectionRate(detections: number, count: number): string {
  if (count === 0 || detections === 0) return "0%";
  if (detections === count) return "100%";
  return `${Math.min(99, Math.max(1, Math.round((100 * detections) / count)))}%`;
}

/** Share of the engines that answered with data that is not stale, unrounded; 0 of none. Source: design 3.1. */
export const coverageOf = ({ fresh, total }: Pick<Tally, "fresh" | "total">): number =>
  total === 0 ? 0 : fresh / total;

/** Two decimals, half up; the tiny term undoes the binary form of shares such as 0.285. */
export const roundCoverage = (coverage: number): number => Math.floor(coverage * 100 + 0.5 + 1e-9) / 100;
