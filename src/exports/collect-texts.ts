import type { Ip } from "../targets/ip.ts";
import type { Assessed, Assessor } from "./assess.ts";
import type { Subtracted } from "./collect-addresses.ts";
import { type ExportEntry, judgeEntry } from "./judge.ts";
import type { ExportSpec } from "./spec.ts";
import type { Texts } from "./texts.ts";

/** What the lists hold for one export of names, URLs or mailboxes, sorted by value. */
export type CollectedTexts = {
  readonly rows: readonly { readonly text: string; readonly entry: ExportEntry }[];
  readonly subtracted: Subtracted;
};

export type TextSources = {
  readonly texts: Texts;
  readonly assessor: Assessor;
  readonly asnOf: (ip: Ip) => number | null;
  readonly now: Date;
};

/** Judges every text that a list of the export's target names. */
export function collectTextRows(spec: ExportSpec, sources: TextSources): CollectedTexts {
  const { texts, now } = sources;
  const assess = assessorOf(spec, sources);
  const rows: { readonly text: string; readonly entry: ExportEntry }[] = [];
  const subtracted: Subtracted = { allowlists: 0, shared_infrastructure: 0, overrides: 0 };
  for (const text of spec.target === "ip" ? [] : texts[spec.target]) {
    const judged = judgeEntry(assess(text), spec, now);
    if (judged.state === "in") rows.push({ text, entry: judged.entry });
    else if (judged.state === "out" && "reason" in judged.why && judged.why.score >= spec.minScore)
      subtracted[judged.why.by]++;
  }
  return { rows, subtracted };
}

function assessorOf(spec: ExportSpec, { assessor, asnOf }: TextSources): (text: string) => Assessed {
  if (spec.target === "url") return (url) => assessor.url(url, asnOf);
  return spec.target === "email" ? assessor.email : assessor.domain;
}

/**
 * Names below exported ones that formats which name a domain with all below it must exempt: what is allowed, and what
 * lists except, unless it scores enough without them.
 */
export function islandsIn(
  exported: ReadonlySet<string>,
  spec: ExportSpec,
  sources: TextSources,
): readonly string[] {
  const { target, subtract } = spec;
  if (target !== "domain") return [];
  const { allowed, excepted } = sources.texts;
  const isBelow = (name: string): boolean => {
    const labels = name.split(".");
    return labels.some((_, i) => i > 0 && exported.has(labels.slice(i).join(".")));
  };
  const assess = assessorOf(spec, sources);
  const isOut = (name: string): boolean => judgeEntry(assess(name), spec, sources.now).state !== "in";
  const isExempt = subtract.includes("allowlists") || subtract.includes("overrides");
  const names = [
    ...(isExempt ? allowed.filter(isBelow) : []),
    ...excepted.filter((name) => isBelow(name) && isOut(name)),
  ];
  return [...new Set(names)].sort();
}
