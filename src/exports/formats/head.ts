import type { ExportFacts } from "../facts.ts";
import type { Generation } from "../generation.ts";
import { type ExportRow, eachRow } from "../rows.ts";
import type { Chosen } from "./format.ts";

/** What a person who opens the file wants to know of it, in six lines. By the number of entries the scripts of docs/consumers see that a file is whole. */
function headOf({ facts }: Pick<Generation, "facts">): readonly string[] {
  const { name, generation, made_at: madeAt, target, min_score: score } = facts;
  const what =
    facts.kind === "allow" ? "published ranges, to be allowed" : `${target}, score ${score} or more`;
  return [
    `Repute export ${name}: ${what}`,
    `Generation ${generation}, made ${madeAt}`,
    `${facts.entries} entries; ${facts.cut_by_limit} more cut by the limit; ${subtractedText(facts)}`,
    `Sources: ${listed(facts.sources.map(({ key }) => key))}`,
    `Licences: ${listed([...new Set(facts.sources.map(({ licence }) => licence.spdx ?? "unknown"))].sort())}`,
    `Asked live and not in here: ${listed(facts.not_exportable)}${promotedText(facts)}`,
  ];
}

function subtractedText({ subtracted }: ExportFacts): string {
  const { allowlists, shared_infrastructure: shared, overrides } = subtracted;
  return `cut out: ${allowlists + overrides} allowlisted, ${shared} shared infrastructure`;
}

const promotedText = ({ promoted_addresses: promoted }: ExportFacts): string =>
  promoted === 0 ? "" : `; ${promoted} addresses that no list names were added by promotion`;

const MAX_NAMED = 40;

const listed = (names: readonly string[]): string => {
  if (names.length === 0) return "none";
  const shown = names.slice(0, MAX_NAMED).join(" ");
  return names.length > MAX_NAMED ? `${shown} and ${names.length - MAX_NAMED} more` : shown;
};

/** The head as comments. */
export const commentHead = (generation: Generation, mark: string): string =>
  headOf(generation)
    .map((line) => `${mark} ${line}\n`)
    .join("");

/** The rows that `?v=` lets through. */
export function* chosenRows(generation: Generation, { v }: Chosen): Generator<ExportRow> {
  for (const row of eachRow(generation)) if (v === undefined || row.version === `v${v}`) yield row;
}

/** `score 61 attack,abuse`; of an allow export its sources. */
export const remark = ({ score, categories, sources }: ExportRow): string =>
  score === 0 ? sources.join(",") : `score ${score} ${categories.join(",")}`.trimEnd();
