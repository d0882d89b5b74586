import { keepText, PreparedJson } from "../json.ts";
import type { Absence, Consultation } from "./kind.ts";
import { detectionsOf, type Tally, tallyOf } from "./tally.ts";
import { type EngineReports, reportVerdicts } from "./verdict-report.ts";
import { writeVerdicts } from "./verdict-text.ts";

/** One engine without an answer on the wire. Source: design 3.1. */
export type AbsenceReport = {
  readonly key: string;
  readonly name: string;
  readonly status: Absence["status"];
  readonly since: string | null;
  readonly detail: string;
};

/** The Blacklists object on the wire. Source: interface 2.6, design 3.1. */
export type BlacklistsReport = {
  readonly engines: PreparedJson<EngineReports>;
  readonly detections: number;
  readonly engines_count: number;
  readonly detection_rate: string;
  readonly scan_time_ms: number;
  readonly engines_unavailable: readonly AbsenceReport[];
  readonly engines_total: number;
  readonly coverage: number;
  readonly allowlists: EngineReports;
};

const NO_REPORTS: EngineReports = keepText({});

/** The Blacklists object of a consultation about `targetText`, the normalised target; pure. */
export function reportBlacklists(consultation: Consultation, targetText: string): BlacklistsReport {
  const { verdicts, absences, allowlists } = consultation;
  const detections = detectionsOf(consultation).length;
  const tally = tallyOf(consultation);
  return {
    engines: new PreparedJson(
      () => reportVerdicts(verdicts, targetText),
      (output) => writeVerdicts(consultation, targetText, output),
    ),
    detections,
    engines_count: verdicts.length,
    detection_rate: detectionRate(detections, verdicts.length),
    scan_time_ms: Math.floor(consultation.scanTimeMs),
    engines_unavailable: reportAbsences(absences),
    engines_total: tally.total,
    coverage: roundCoverage(coverageOf(tally)),
    allowlists: allowlists.length === 0 ? NO_REPORTS : reportVerdicts(allowlists, targetText),
  };
}

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

const knownAbsences = new WeakMap<readonly Absence[], readonly AbsenceReport[]>();

/** The engines that are silent are mostly the same from call to call: those are written once. */
function reportAbsences(absences: readonly Absence[]): readonly AbsenceReport[] {
  const known = knownAbsences.get(absences);
  if (known !== undefined) return known;
  const reports = keepText(absences.map(reportAbsence));
  knownAbsences.set(absences, reports);
  return reports;
}

const reportAbsence = ({ engine, status, since, detail }: Absence): AbsenceReport => ({
  key: engine.key,
  name: engine.name,
  status,
  since,
  detail,
});
