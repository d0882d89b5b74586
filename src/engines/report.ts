import { type JsonOutput, keepText, PreparedJson } from "../json.ts";
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
      (output) => writeVerdicts(consultation, targetText, output),
    ),
    detections,
    engines_count: verdicts.length,
    detection_rate: detectionRate(detections, verdicts.length),
    scan_time_ms: Math.floor(consultation.scanTimeMs),
    engines_unavailable: reportAbsences(absences),
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

const reportVerdicts = (verdicts: readonly Verdict[], targetText: string): EngineReports =>
  Object.fromEntries(verdicts.map((verdict) => [verdict.engine.key, reportVerdict(verdict, targetText)]));

const reportVerdict = (verdict: Verdict, targetText: string): EngineReport => ({
  name: verdict.engine.name,
  detected: verdict.detected,
  reference: referenceOf(verdict, encodeURIComponent((verdict.matched?.value ?? targetText).toWellFormed())),
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
 * The JSON text of `engines`. A list that does not name the target says the same to everybody but for the target in
 * its reference, and most lists name nobody: the text of all of them is kept and copied, and the target written over
 * its places. 2 us where 60 engines by `stringify` take 22 (performance.md 7.7).
 */
function writeVerdicts(
  { verdicts, silence = [] }: Consultation,
  targetText: string,
  output: JsonOutput,
): void {
  const value = Buffer.from(encodeURIComponent(targetText.toWellFormed()), "latin1"); // holds nothing that JSON would escape
  const template = templateOf(silence, value.length);
  const copy = createCopier(template, value, output);
  let list = 0;
  for (const [i, verdict] of verdicts.entries()) {
    const miss = silence[list];
    const span = template.spans[list];
    const isList = miss?.engine === verdict.engine;
    if (isList) list++;
    if (verdict === miss) continue;
    copy.upTo(span?.from ?? template.end);
    // An engine that is no list stands before the next list, or behind the last one.
    const text = verdictText(verdict, targetText);
    if (isList) {
      output.text(text);
      copy.skipTo(span?.to ?? template.end);
    } else if (span === undefined) output.text(i === 0 ? text : `,${text}`);
    else output.text(`${text},`);
  }
  copy.upTo(template.end);
  output.text("}");
}

/** The text of lists that name nobody, from `{` to before `}`, with room for a value of some length in its places. */
type Template = {
  readonly bytes: Buffer;
  readonly end: number;
  /** Where the value belongs, ascending. */
  readonly places: readonly number[];
  /** Where each list's text stands. */
  readonly spans: readonly { readonly from: number; readonly to: number }[];
};

type Kept = { readonly cuts: readonly (readonly string[])[]; readonly byLength: Map<number, Template> };

const kept = new WeakMap<readonly Verdict[], Kept>();
const MAX_LENGTHS = 64;

function templateOf(silence: readonly Verdict[], length: number): Template {
  const { cuts, byLength } = kept.get(silence) ?? { cuts: silence.map(cutAtValue), byLength: new Map() };
  const known = byLength.get(length);
  if (known !== undefined) return known;
  const template = templateFrom(cuts, length);
  if (byLength.size >= MAX_LENGTHS) byLength.clear();
  byLength.set(length, template);
  kept.set(silence, { cuts, byLength });
  return template;
}

function templateFrom(cuts: readonly (readonly string[])[], length: number): Template {
  const room = " ".repeat(length);
  const places: number[] = [];
  const spans: { from: number; to: number }[] = [];
  let end = 1;
  for (const [i, pieces] of cuts.entries()) {
    if (i > 0) end++;
    const from = end;
    for (const [p, piece] of pieces.entries()) {
      if (p > 0) {
        places.push(end);
        end += length;
      }
      end += Buffer.byteLength(piece);
    }
    spans.push({ from, to: end });
  }
  const bytes = Buffer.from(`{${cuts.map((pieces) => pieces.join(room)).join(",")}`);
  return { bytes, end, places, spans };
}

/** Copies a template from its beginning, leaving out what is skipped. */
function createCopier({ bytes, places }: Template, value: Buffer, output: JsonOutput) {
  let done = 0;
  let place = 0;
  const upTo = (end: number): void => {
    const out = output.reserve(end - done);
    bytes.copy(out.bytes, out.at, done, end);
    const shift = out.at - done;
    for (let at = places[place] ?? end; at < end; at = places[++place] ?? end) {
      out.bytes.set(value, at + shift);
    }
    done = end;
  };
  const skipTo = (end: number): void => {
    while ((places[place] ?? end) < end) place++;
    done = end;
  };
  return { upTo, skipTo };
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
