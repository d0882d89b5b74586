import { PreparedJson } from "../json.ts";
import type { Absence, Consultation, Verdict } from "./kind.ts";

/** One engine's result on the wire. Source: interface 2.6, design 3.2. */
export type EngineReport = {
  readonly name: string;
  readonly detected: boolean;
  readonly reference: string;
  readonly elapsed_ms: number;
  readonly kind: Verdict["engine"]["kind"];
  readonly category: Verdict["category"];
  readonly confidence: Verdict["confidence"];
  readonly family: string;
  readonly matched: Verdict["matched"];
  readonly codes: readonly string[];
  readonly reason: string | null;
  readonly first_seen: string | null;
  readonly last_seen: string | null;
  readonly data_age_s: number;
  readonly stale: boolean;
  readonly seed: boolean;
};

export type EngineReports = Readonly<Record<string, EngineReport>>;

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

/** The Blacklists object of a consultation about `targetText`, the normalised target; pure. */
export function reportBlacklists(consultation: Consultation, targetText: string): BlacklistsReport {
  const { verdicts, absences, allowlists } = consultation;
  const detections = countDetections(verdicts);
  return {
    engines: new PreparedJson(
      () => reportVerdicts(verdicts, targetText),
      () => verdictsText(verdicts, targetText),
    ),
    detections,
    engines_count: verdicts.length,
    detection_rate: detectionRate(detections, verdicts.length),
    scan_time_ms: Math.floor(consultation.scanTimeMs),
    engines_unavailable: absences.map(reportAbsence),
    engines_total: enginesTotal(consultation),
    coverage: roundCoverage(coverageOf(consultation)),
    allowlists: reportVerdicts(allowlists, targetText),
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

/** Engines that apply and are enabled. Source: design 3.1. */
export const enginesTotal = ({ verdicts, absences }: Pick<Consultation, "verdicts" | "absences">): number =>
  verdicts.length + absences.filter(({ status }) => status !== "disabled").length;

/** Share of `enginesTotal` that answered with data that is not stale, unrounded; 0 of none. Source: design 3.1. */
export function coverageOf(consultation: Pick<Consultation, "verdicts" | "absences">): number {
  const total = enginesTotal(consultation);
  if (total === 0) return 0;
  let fresh = 0;
  for (const { stale } of consultation.verdicts) if (!stale) fresh++;
  return fresh / total;
}

/** Two decimals, half up; the tiny term undoes the binary form of shares such as 0.285. */
export const roundCoverage = (coverage: number): number => Math.floor(coverage * 100 + 0.5 + 1e-9) / 100;

function countDetections(verdicts: readonly Verdict[]): number {
  let count = 0;
  for (const { detected } of verdicts) if (detected) count++;
  return count;
}

const reportAbsence = ({ engine, status, since, detail }: Absence): AbsenceReport => ({
  key: engine.key,
  name: engine.name,
  status,
  since,
  detail,
});

const reportVerdicts = (verdicts: readonly Verdict[], targetText: string): EngineReports =>
  Object.fromEntries(verdicts.map((verdict) => [verdict.engine.key, reportVerdict(verdict, targetText)]));

const reportVerdict = (verdict: Verdict, targetText: string): EngineReport => ({
  name: verdict.engine.name,
  detected: verdict.detected,
  reference: referenceOf(verdict, encodeURIComponent(verdict.matched?.value ?? targetText)),
  elapsed_ms: Math.round(verdict.elapsedMs),
  kind: verdict.engine.kind,
  category: verdict.category,
  confidence: verdict.confidence,
  family: verdict.engine.family,
  matched: verdict.matched,
  codes: verdict.codes,
  reason: verdict.reason,
  first_seen: verdict.firstSeen,
  last_seen: verdict.lastSeen,
  data_age_s: verdict.dataAgeS,
  stale: verdict.stale,
  seed: verdict.seed,
});

/** The template with `{value}` filled in; without one the home page; "" when neither is known. */
function referenceOf({ engine }: Verdict, encodedValue: string): string {
  if (engine.reference === null) return engine.homepage ?? "";
  return engine.reference.split("{value}").join(encodedValue);
}

/**
 * The JSON text of `engines`. An engine that does not name the target says the same to everybody but for the
 * target in its reference: that text is kept, cut at `{value}`. 4 us where 60 engines by `stringify` take 38
 * (performance.md 7.7).
 */
function verdictsText(verdicts: readonly Verdict[], targetText: string): string {
  const encoded = encodeURIComponent(targetText); // holds nothing that JSON would escape
  let text = "";
  for (const verdict of verdicts) {
    if (text !== "") text += ",";
    text += verdict.matched === null ? keptPieces(verdict).join(encoded) : verdictText(verdict, targetText);
  }
  return `{${text}}`;
}

/** Verdicts that name nobody are shared between answers (`consult.ts`) and go with their second. */
const kept = new WeakMap<Verdict, readonly string[]>();

function keptPieces(verdict: Verdict): readonly string[] {
  const known = kept.get(verdict);
  if (known) return known;
  const pieces = cutAtValue(verdict);
  kept.set(verdict, pieces);
  return pieces;
}

/** Only the reference is cut: another text of the engine may hold `{value}` too. */
function cutAtValue(verdict: Verdict): readonly string[] {
  const reference = verdict.engine.reference ?? verdict.engine.homepage ?? "";
  const report = reportVerdict(verdict, "");
  const key = JSON.stringify(verdict.engine.key);
  const head = `${key}:{"name":${JSON.stringify(report.name)},"detected":${report.detected},"reference":`;
  const tail = JSON.stringify({ ...report, name: undefined, detected: undefined, reference: undefined });
  const isTemplate = verdict.engine.reference !== null;
  const pieces = isTemplate ? reference.split("{value}") : [reference];
  const escaped = pieces.map((piece) => JSON.stringify(piece).slice(1, -1));
  escaped[0] = `${head}"${escaped[0] ?? ""}`;
  escaped[escaped.length - 1] = `${escaped.at(-1) ?? ""}",${tail.slice(1)}`;
  return escaped;
}

const verdictText = (verdict: Verdict, targetText: string): string =>
  `${JSON.stringify(verdict.engine.key)}:${JSON.stringify(reportVerdict(verdict, targetText))}`;
