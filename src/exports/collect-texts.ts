import type { Verdict } from "../engines/kind.ts";
import { registeredDomainOf } from "../targets/domain.ts";
import type { Ip } from "../targets/ip.ts";
import type { ListedKind } from "../targets/listed-kinds.ts";
import { publicSuffixes } from "../targets/public-suffixes.ts";
import type { Assessed, Assessor } from "./assess.ts";
import type { Subtracted } from "./collect-addresses.ts";
import { createEntryTable, type EntryTable } from "./entries.ts";
import { namesAbove } from "./formats/dotted-names.ts";
import { createWeigh, cutOf, type ExportDecision, judgeEntry } from "./judge.ts";
import type { Subtraction } from "./options.ts";
import { createRowCollector, type ExportRowCollector, type ExportRows, textFinder } from "./rows.ts";
import type { ExportSpec } from "./spec.ts";
import type { Texts } from "./texts.ts";

/** What the lists hold for one export of names, URLs or mailboxes, sorted by value. */
export type CollectedTexts = {
  readonly spec: ExportSpec;
  readonly rows: ExportRowCollector;
  readonly entries: EntryTable;
  readonly subtracted: Subtracted;
};

export type TextSources = {
  readonly texts: Texts;
  readonly assessor: Assessor;
  readonly asnOf: (ip: Ip) => number | null;
  readonly now: Date;
};

type TextTarget = Exclude<ListedKind, "ip">;
/** What one export says of all texts of one class: an entry's number, or what cut them out, or nothing. */
type Judgement = { readonly entry: number | null; readonly cutBy: Subtraction | null };

/**
 * Judges every text that a list of the target names, for all exports of this target. Texts of which lists say the same are
 * judged once.
 */
export function collectTextRows(
  target: TextTarget,
  specs: readonly ExportSpec[],
  sources: TextSources,
): readonly CollectedTexts[] {
  const entries = createEntryTable();
  const sinks = specs.map(
    (spec): CollectedTexts => ({
      spec,
      entries,
      rows: createRowCollector(entries),
      subtracted: { allowlists: 0, shared_infrastructure: 0, overrides: 0 },
    }),
  );
  const assess = assessorOf(target, sources);
  const classes = new Map<string, readonly Judgement[]>();
  const classify = (text: string): readonly Judgement[] => {
    const assessed = assess(text);
    const key = meaningOf(assessed);
    const known = classes.get(key);
    if (known !== undefined) return known;
    const weigh = createWeigh(assessed, sources.now);
    const made = sinks.map((sink) => judgementOf(sink, judgeEntry(assessed, sink.spec, sources.now, weigh)));
    classes.set(key, made);
    return made;
  };
  for (const text of sources.texts[target]) {
    for (const [i, { entry, cutBy }] of classify(text).entries()) {
      if (entry !== null) sinks[i]?.rows.addText(text, entry);
      else if (cutBy !== null && sinks[i] !== undefined) sinks[i].subtracted[cutBy]++;
    }
  }
  return sinks;
}

/** All that a text's score and subtraction are drawn from: not which of the entries of a list names it. */
function meaningOf({ consultation, sharedInfrastructure, isBogon }: Assessed): string {
  let meaning = `${isBogon} ${sharedInfrastructure}`;
  for (const verdict of consultation.verdicts) meaning += hitText(verdict);
  for (const verdict of consultation.allowlists) meaning += hitText(verdict);
  return meaning;
}

const hitText = ({ engine, matched, firstSeen, lastSeen }: Verdict): string =>
  `\n${engine.key} ${matched?.level} ${firstSeen} ${lastSeen}`;

const judgementOf = ({ entries }: CollectedTexts, decision: ExportDecision): Judgement => ({
  entry: decision.state === "in" ? entries.add(decision.entry) : null,
  cutBy: cutOf(decision),
});

function assessorOf(target: TextTarget, { assessor, asnOf }: TextSources): (text: string) => Assessed {
  if (target === "url") return (url) => assessor.url(url, asnOf);
  return target === "email" ? assessor.email : assessor.domain;
}

/**
 * Names below exported ones that formats which name a domain with all below it must exempt: what is allowed, what lists except
 * unless it scores enough without them, and public suffixes, below which names are others'.
 */
export function islandsIn(exported: ExportRows, spec: ExportSpec, sources: TextSources): readonly string[] {
  const { target, subtract } = spec;
  if (target !== "domain") return [];
  const isExempt = subtract.includes("allowlists") || subtract.includes("overrides");
  const { allowed, excepted } = sources.texts;
  const isExported = textFinder(exported);
  const isBelow = (name: string): boolean => namesAbove(name).some(isExported);
  const isCovered = (suffix: string): boolean =>
    namesAbove(suffix).some((name) => isExported(name) && registeredDomainOf(name) !== null);
  const assess = assessorOf(target, sources);
  const isOut = (name: string): boolean => judgeEntry(assess(name), spec, sources.now).state !== "in";
  const islands = [
    ...(isExempt ? allowed.filter(isBelow) : []),
    ...excepted.filter((name) => isBelow(name) && isOut(name)),
    ...publicSuffixes().filter(isCovered),
  ];
  return [...new Set(islands)].sort();
}
