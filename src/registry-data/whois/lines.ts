import { printable } from "../../base/clean-text.ts";

/** Bounds of what is read; a record has a hundred lines. Source: security P23. */
const MAX_LINES = 5000;
const MAX_LINE_LENGTH = 1000;

/** One line of an answer without the white space around it. */
export type Line = { readonly indent: number; readonly text: string };

/**
 * The lines of a WHOIS answer as `printable` shows them, each cut at 1,000 characters. They end in LF, in CR where there is
 * no LF but at the answer's end, and may have the `<br>` of a web page. Tabs count as eight columns.
 */
export function linesOf(answer: string): Line[] {
  const lines: Line[] = [];
  const text = answer.trimEnd().includes("\n") ? answer : answer.replaceAll("\r", "\n");
  let start = 0;
  while (start <= text.length && lines.length < MAX_LINES) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    lines.push(lineOf(text.slice(start, Math.min(end, start + MAX_LINE_LENGTH))));
    start = end + 1;
  }
  return lines;
}

function lineOf(raw: string): Line {
  const visible = withoutBreak(
    printable(raw.replaceAll("\t", "        ")).slice(0, MAX_LINE_LENGTH).trimEnd(),
  );
  const text = visible.trimStart();
  return { indent: visible.length - text.length, text };
}

const withoutBreak = (line: string): string =>
  line.endsWith(">") ? line.replace(/<br ?\/?>$/i, "").trimEnd() : line;

/**
 * Whether the terms of use follow this line: `>>> Last update of WHOIS database … <<<`, or the `--` of a signature. Other
 * lines with arrows hold a statement: `>>> Domain example.lab is available for registration`.
 */
export const isEndOfRecord = (text: string): boolean =>
  /^--$/.test(text) ||
  /^>{2,4} ?(?:database )?(?:last[ -]update|please|notice|important|terms|whois)/i.test(text);

/** Whether the line is a comment, by the sign before it. */
export const isComment = (text: string): boolean => /^(?:[%#]|\/\/|>>)/.test(text);
