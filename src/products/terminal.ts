import { counted } from "../base/counted.ts";
import { spanOf } from "../base/spans.ts";
import type { Style } from "./product.ts";

/** An age in its greatest whole unit, as narrow as in a table: `3 d`, `14 h`, `41 min`, `12 s`. */
export function ageText(seconds: number): string {
  const [count, unit] = spanOf(seconds, "whole");
  return `${grouped.format(count)} ${unit}`;
}

const grouped = new Intl.NumberFormat("en");

/** A fact for a person at a terminal, with where it comes from and how old that is. */
export type Row = readonly [label: string, value: string, from: string];

/** Facts of one source. */
export const sourced = (
  rows: readonly (readonly [label: string, value: string])[],
  from: string,
): readonly Row[] => rows.map(([label, value]) => [label, value, from]);

/** `Route: network data 3 h old · Place: place data of June 2026`: sources of a group of facts, each with the facts that it gives; of one alone, it. */
export function sourcesOf(rows: readonly (readonly [label: string, value: unknown, from: string])[]): string {
  const sources = [...Map.groupBy(rows, ([, , from]) => from)];
  if (sources.length === 1) return sources.map(([from]) => from).join("");
  return sources
    .map(([from, facts]) => `${[...new Set(facts.map(([label]) => label))].join(", ")}: ${from}`)
    .join(" · ");
}

const YEAR_DAYS = 365.25;

/** `31 years`, `40 days`, as on the pages: whole years above one. */
export const ageInDays = (days: number): string =>
  days >= 2 * YEAR_DAYS ? counted(Math.floor(days / YEAR_DAYS), "year") : counted(days, "day");

/** `205 B`, `4.2 kB`, `1.3 MB`, as on the pages. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** A text cut or padded to a width, with an ellipsis where it was cut. */
export const column = (text: string, width: number): string =>
  text.length > width ? `${text.slice(0, width - 1)}…` : text.padEnd(width);

/** A label and a text that wraps under itself. */
export function wrapped(label: string, text: string, width: number, indent = label.length): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((one) => piecesOf(one, width - indent))) {
    if (line !== "" && indent + line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  lines.push(line);
  return label + lines.join(`\n${" ".repeat(indent)}`);
}

/** A word too long for a line, as keys in records are, in pieces that fit. */
const piecesOf = (word: string, width: number): readonly string[] =>
  word.length <= width
    ? [word]
    : Array.from({ length: Math.ceil(word.length / width) }, (_, i) =>
        word.slice(i * width, (i + 1) * width),
      );

/** The score as a bar of twenty cells; a word stands beside it, so it needs no colour. */
export function scoreBar(result: number, style: Style): string {
  const filled = Math.round(result / 5);
  return style.dim("[") + "#".repeat(filled) + style.dim(`${"-".repeat(20 - filled)}]`);
}
