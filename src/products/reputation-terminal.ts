import { printableLine } from "../base/clean-text.ts";
import { counted } from "../base/counted.ts";
import { duration, month as monthText } from "../base/spans.ts";
import type { Absence, Consultation, Engine, Verdict } from "../engines/kind.ts";
import type { BlacklistsReport } from "../engines/report.ts";
import { detectionsOf } from "../engines/tally.ts";
import type { FreshnessReport, RiskScore } from "../risk/shapes.ts";
import type { Style } from "./product.ts";
import { listsAge, tableAge } from "./sources.ts";
import { column, type Row, scoreBar, sourcesOf, wrapped } from "./terminal.ts";
import type { View } from "./views.ts";
import { NO_REASON } from "./words.ts";

/** What every report with a score has. */
export type ReputationReport = {
  readonly blacklists: BlacklistsReport;
  readonly risk_score: RiskScore;
  readonly freshness: FreshnessReport;
  readonly unknown_fields: readonly string[];
};

/** The answer in four lines: what was asked, verdict and score, lists, how fresh. */
export function headline(title: string, report: ReputationReport, style: Style): string[] {
  const { risk_score: score, blacklists, freshness } = report;
  const word = score.verdict.replaceAll("_", " ");
  const paint = painterOf(score.verdict, style);
  const verdict = `${word[0]?.toUpperCase() ?? ""}${word.slice(1)}`;
  const unanswered = blacklists.engines_total - blacklists.engines_count;
  const clearing = blacklists.consultation.allowlists.length;
  const listed =
    blacklists.engines_total === 0
      ? "No list was asked"
      : `Listed by ${blacklists.detections === 0 ? "none" : blacklists.detections} of ${counted(blacklists.engines_count, "engine")}`;
  const asked = `${listed}${clearing === 0 ? "" : ` · on ${counted(clearing, "allowlist")}`}`;
  return [
    wrapped("", style.bold(title), style.width),
    score.verdict === "not_applicable"
      ? `  ${paint(style.bold(verdict))}`
      : `  ${paint(style.bold(`${verdict} · ${score.result} of 100`))}   ${scoreBar(score.result, style)}`,
    `  ${asked}${unanswered > 0 ? style.warn(` · ${unanswered} did not answer`) : ""}`,
    ...agesText(freshness, style),
    `  ${Math.round(score.coverage * 100)}% of the engines answered with fresh data`,
    ...bundledText(freshness, style),
    "",
  ];
}

function painterOf(verdict: RiskScore["verdict"], style: Style): (text: string) => string {
  if (verdict === "clean" || verdict === "low") return style.good;
  if (verdict === "unknown") return style.warn;
  return verdict === "not_applicable" ? style.dim : style.bad;
}

/** How old the lists are, and the tables of places and networks. */
function agesText(freshness: FreshnessReport, style: Style): string[] {
  const parts = [listsAge(freshness), tableAge("place", freshness), tableAge("network", freshness)];
  const [first = "", ...others] = parts.filter((part) => part !== null);
  const line = [`${first.slice(0, 1).toUpperCase()}${first.slice(1)}`, ...others].join(" · ");
  return first === "" ? [] : [wrapped("  ", line, style.width)];
}

/** Says that the score rests on shipped lists alone. */
const bundledText = ({ bundled_data: month }: FreshnessReport, style: Style): string[] => {
  if (month === undefined) return [];
  return [
    wrapped("  ", `From bundled data of ${monthText(month)}; it may rise when lists load`, style.width),
  ];
};

/** Each factor and adjustment with its points; of many factors those with most points, unless all that there is was asked for. */
export function why(
  { risk_score: score, blacklists }: Pick<ReputationReport, "risk_score" | "blacklists">,
  style: Style,
  view: View,
): string[] {
  const { factors, adjustments, verdict } = score;
  // One more is as short as to say so.
  const isShort = view === "full" || factors.length <= SHOWN_FACTORS + 1;
  const rest = isShort ? [] : factors.slice(SHOWN_FACTORS);
  const more = {
    points: rest.reduce((sum, { points }) => sum + points, 0),
    reason: `${counted(rest.length, "more reason")}; \`--view full\` names them`,
  };
  const shown = isShort ? factors : [...factors.slice(0, SHOWN_FACTORS), more];
  const rows = [...shown, ...adjustments].map(({ points, reason }) =>
    wrapped(`${String(points).padStart(5)}  `, reason, style.width),
  );
  if (rows.length === 0) rows.push(wrapped("  ", NO_REASON[noReasonOf(verdict, blacklists)], style.width));
  return [style.bold("Why"), ...rows, ""];
}

const SHOWN_FACTORS = 10;

function noReasonOf(verdict: RiskScore["verdict"], { engines_total: total }: BlacklistsReport) {
  if (verdict === "not_applicable") return verdict;
  if (total === 0) return "unasked";
  return verdict === "unknown" ? verdict : "other";
}

/** A titled group of labelled facts, wrapped under themselves, and below them where they come from. */
export const labelled = (title: string, rows: readonly Row[], style: Style): string[] =>
  rows.length === 0
    ? []
    : [
        style.bold(title),
        ...rows.map(([label, value]) => wrapped(`  ${label.padEnd(13)}`, value, style.width)),
        style.dim(wrapped(`  ${"From".padEnd(13)}`, sourcesOf(rows), style.width)),
        "",
      ];

/** In place of a value that is not there, as on the pages: "unknown" where the report knows none of its fields, else "none". */
export const absent = (fields: readonly string[], unknown: readonly string[]): "unknown" | "none" =>
  fields.every((field) => isUnknown(field, unknown)) ? "unknown" : "none";

/** Whether a report does not know a field; a path covers everything below it. */
export const isUnknown = (field: string, unknown: readonly string[]): boolean =>
  unknown.some((path) => field === path || field.startsWith(`${path}.`));

type Trait = { readonly of: string; readonly word: string; readonly holds: boolean };

/** The traits that hold, and those of which nothing is known. */
export function traitsText(traits: readonly Trait[], unknown: readonly string[]): string {
  const wordsOf = (some: readonly Trait[]) => some.map(({ word }) => word).join(", ");
  const known = wordsOf(traits.filter(({ holds }) => holds)) || "no known role";
  const open = wordsOf(traits.filter(({ of, holds }) => !holds && isUnknown(of, unknown)));
  return open === "" ? known : `${known}; unknown: ${open}`;
}

/**
 * Engines in five groups: listed, clearing the target, without an answer, not listed, switched off. Those that are off are counted, and
 * named with their reasons in the view `full`; `compact` leaves out who does not list the target.
 */
export function engineGroups({ consultation }: BlacklistsReport, style: Style, view: View): string[] {
  const listed = detectionsOf(consultation);
  return [
    ...hits(`Listed (${listed.length})`, listed, style),
    ...allowing(consultation.allowlists, style),
    ...unanswered(consultation.absences, style),
    ...(view === "compact" ? [] : notListed(consultation, style)),
    ...switchedOff(consultation.disabled, style, view),
  ];
}

/** Allowlists that name the target. */
const allowing = (allowlists: readonly Verdict[], style: Style): string[] =>
  hits(`On an allowlist (${allowlists.length})`, allowlists, style);

/** Engines that name the target, each with its own words for why, where it has some. */
const hits = (title: string, verdicts: readonly Verdict[], style: Style): string[] =>
  verdicts.length === 0
    ? []
    : [
        style.bold(title),
        ...verdicts.flatMap((verdict) => [
          column(`  ${listedRow(verdict)}`, style.width).trimEnd(),
          ...(verdict.reason === null
            ? []
            : [wrapped("    ", `“${printableLine(verdict.reason)}”`, style.width, 5)]),
        ]),
        "",
      ];

function notListed({ verdicts }: Consultation, style: Style): string[] {
  const silent = verdicts.filter(({ detected }) => !detected);
  const longest = Math.max(...silent.map(({ engine }) => engine.name.length), 28);
  // An age takes 18 characters at most, and the group stands two from the edge.
  const width = Math.min(longest, style.width - 21);
  const rows = silent.map(
    ({ engine, dataAgeS, seed }) =>
      `${column(engine.name, width)} ${duration(dataAgeS)} old${seed ? ", seed" : ""}`,
  );
  return group(`Not listed (${rows.length})`, rows, style);
}

/** Engines that were not asked, as they are off. */
function switchedOff(disabled: readonly Engine[], style: Style, view: View): string[] {
  if (disabled.length === 0) return [];
  const title = style.bold(`Switched off (${disabled.length})`);
  if (view !== "full") return [`${title}: not asked; \`--view full\` names them with their reasons`, ""];
  const rows = disabled.map((engine) =>
    wrapped(`  ${column(engine.name, 28)} `, `${engine.disabled ?? ""}${classText(engine)}`, style.width),
  );
  return [title, ...rows, ""];
}

function classText(engine: Engine): string {
  const found = engine.disabledClass;
  return found === null ? "" : ` (${found})`;
}

/** Engines without an answer, those of one cause together: a machine without a network has one reason for all. */
function unanswered(absent: readonly Absence[], style: Style): string[] {
  if (absent.length === 0) return [];
  const causes = [
    ...Map.groupBy(absent, ({ status, detail }) => `${status.replaceAll("_", " ")}: ${detail}`),
  ];
  const rows = causes
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([cause, engines]) => {
      const names = engines.map(({ engine }) => engine.name);
      const more = names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : "";
      return wrapped("  ", `${cause} (${names.slice(0, SHOWN_NAMES).join(", ")}${more})`, style.width, 4);
    });
  return [style.bold(`Did not answer (${absent.length})`), ...rows, ""];
}

const SHOWN_NAMES = 4;

function listedRow({ engine, category, matched, dataAgeS: age, lastSeen: seen }: Verdict): string {
  const redirect = matched?.hop === undefined ? "" : `redirect ${matched.hop + 1}: `;
  const entry = `${redirect}${matched?.value ?? ""} (${(matched?.level ?? "").replaceAll("_", " ")})`;
  const when = seen === null ? `${duration(age)} old` : `seen ${seen.slice(0, 10)}`;
  return `${column(engine.name, 24)} ${column(category, 10)} ${column(entry, 26)} ${when}`;
}

const group = (title: string, rows: readonly string[], style: Style): string[] =>
  rows.length === 0
    ? []
    : [style.bold(title), ...rows.map((row) => column(`  ${row}`, style.width).trimEnd()), ""];

const SHOWN_PATHS = 4;

/** Names of unknown fields; of many the first few, unless all that there is was asked for. */
export function unknownFields(paths: readonly string[], style: Style, view: View): string[] {
  if (paths.length === 0) return [];
  const more = view === "full" ? 0 : paths.length - SHOWN_PATHS;
  // One more is as short as to say so.
  const text =
    more < 2
      ? paths.join(", ")
      : `${paths.slice(0, SHOWN_PATHS).join(", ")} and ${more} more fields; \`--view full\` names them`;
  return [wrapped(style.dim("Not known: "), text, style.width, 11)];
}

/** A report's text: the view `verdict` ends behind the reasons. */
export const reportText = (
  view: View,
  { head, details }: { readonly head: readonly string[]; readonly details: () => readonly string[] },
): string => (view === "verdict" ? head : [...head, ...details()]).join("\n");
