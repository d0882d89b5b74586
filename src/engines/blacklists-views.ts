import type { Absence, Consultation, Engine, UnavailableStatus, Verdict } from "./kind.ts";
import type { BlacklistsReport } from "./report.ts";
import { ALWAYS_SHOWN, type BlacklistsCounts, type EngineReport } from "./shapes.ts";
import { detectionsOf } from "./tally.ts";
import { reportMiss, reportVerdict, reportVerdicts } from "./verdict-report.ts";

/** Where an engine is described, whether it is on or off. */
const SEE = "/api/engines";

/** The JSON text of `blacklists` in each view. Source: answers 1 and 2. */
export const BLACKLISTS_TEXTS: Readonly<
  Record<"standard" | "full" | "compact", (report: BlacklistsReport) => string>
> = {
  standard: (report) => {
    const { consultation, targetText } = report;
    const text = JSON.stringify({
      ...countsOf(report),
      engines_disabled: { count: consultation.disabled.length, see: SEE },
      allowlists: reportVerdicts(consultation.allowlists, targetText),
    });
    const engines = verdictsText(consultation, targetText);
    const absences = consultation.absences.map(absenceText).join(",");
    return `${text.slice(0, -1)},"engines_unavailable":[${absences}],"engines":{${engines}}}`;
  },
  full: (report) => {
    const { consultation, targetText } = report;
    const { verdicts, absences, disabled, allowlists } = consultation;
    return JSON.stringify({
      ...countsOf(report),
      engines_disabled: {
        count: disabled.length,
        see: SEE,
        engines: disabled.map((engine) => ({
          key: engine.key,
          name: engine.name,
          class: engine.disabledClass,
          reason: engine.disabled,
        })),
      },
      allowlists: reportVerdicts(allowlists, targetText),
      engines_unavailable: absences.map(reportAbsence),
      engines: reportVerdicts(verdicts, targetText),
    });
  },
  compact: (report) => {
    const { consultation, targetText } = report;
    const compacted = (verdicts: readonly Verdict[]) =>
      Object.fromEntries(
        verdicts.map((one) => [one.engine.key, compactReport(one.engine, reportVerdict(one, targetText))]),
      );
    return JSON.stringify({
      ...countsOf(report),
      engines_disabled: { count: consultation.disabled.length, see: SEE },
      allowlists: compacted(consultation.allowlists),
      engines: compacted(detectionsOf(consultation)),
      clear: clearOf(consultation),
      ...unansweredOf(consultation),
    });
  },
};

const countsOf = ({ consultation: _, targetText: __, ...counts }: BlacklistsReport): BlacklistsCounts =>
  counts;

/** Most verdicts of most targets are the misses of this second, whose texts stand ready. */
function verdictsText({ verdicts, misses }: Consultation, targetText: string): string {
  if (misses === undefined) return verdicts.map((verdict) => verdictText(verdict, targetText)).join(",");
  const ready = readyTexts(misses);
  if (verdicts === misses) return ready.joined;
  return verdicts
    .map((verdict, i) => (verdict === misses[i] ? ready.texts[i] : verdictText(verdict, targetText)))
    .join(",");
}

/** Of a list that does not name the target the text is the same for all targets of a second: it is made once. */
const verdictText = (verdict: Verdict, targetText: string): string => {
  if (verdict.detected) return memberText(verdict, reportVerdict(verdict, targetText));
  return verdict.engine.kind === "dnsbl" ? memberText(verdict, reportMiss(verdict)) : missText(verdict);
};

const memberText = ({ engine }: Verdict, report: object): string =>
  `${JSON.stringify(engine.key)}:${JSON.stringify(report)}`;

const readyTexts = kept((misses: readonly Verdict[]) => {
  const texts = misses.map(missText);
  return { texts, joined: texts.join(",") };
});

const missText = kept((miss: Verdict) => memberText(miss, reportMiss(miss)));

/** What is made of an object that stands in the answers of a whole second: once, and dropped with it. */
function kept<T extends object, Made>(make: (value: T) => Made): (value: T) => Made {
  const all = new WeakMap<T, Made>();
  return (value) => {
    const known = all.get(value);
    if (known !== undefined) return known;
    const made = make(value);
    all.set(value, made);
    return made;
  };
}

const reportAbsence = ({ engine: { key, name }, status, since, detail }: Absence) => ({
  key,
  name,
  status,
  since,
  detail,
});

const absenceText = kept((absence: Absence) => JSON.stringify(reportAbsence(absence)));

const REQUIRED: ReadonlySet<string> = new Set(Object.keys(ALWAYS_SHOWN));

/** Without what is null, [] or false, and without a family that is the engine's own key. */
const compactReport = ({ key }: Engine, report: EngineReport): Partial<EngineReport> =>
  Object.fromEntries(
    Object.entries(report).filter(([name, value]) => {
      if (REQUIRED.has(name)) return true;
      if (name === "family") return value !== key;
      return !(value === null || value === false || (Array.isArray(value) && value.length === 0));
    }),
  );

/** The engines that answered and do not name the target, by key. */
function clearOf({ verdicts }: Consultation) {
  const keys: string[] = [];
  const stale: string[] = [];
  for (const verdict of verdicts) {
    if (verdict.detected) continue;
    keys.push(verdict.engine.key);
    if (verdict.stale) stale.push(verdict.engine.key);
  }
  return { count: keys.length, keys, stale };
}

/** The keys of the engines without an answer by status, and since when the first of each status has none. */
function unansweredOf({ absences }: Consultation) {
  const unanswered: Partial<Record<UnavailableStatus, string[]>> = {};
  const since: Partial<Record<UnavailableStatus, string>> = {};
  for (const { engine, status, since: from } of absences) {
    const keys = unanswered[status] ?? [];
    unanswered[status] = keys;
    keys.push(engine.key);
    const earliest = since[status];
    if (earliest === undefined || from < earliest) since[status] = from;
  }
  return { unanswered, unanswered_since: since };
}
