import { printable } from "../../base/clean-text.ts";

/** Bounds of what is read; a record has a hundred lines. Source: security P23. */
const MAX_LINES = 5000;
const MAX_LINE_LENGTH = 1000;
/** Longer answers may have been cut; an answer that a name is free has a few lines, and terms of some thousand characters. */
const MAX_VACANT_LENGTH = 10_000;

/** One line of an answer without the white space around it. */
export type Line = { readonly indent: number; readonly text: string };

/** Elements of a web page that some servers put around a record. */
const ELEMENTS =
  /<\/?(?:a|article|b|big|body|br|button|center|code|dd|div|dl|dt|em|font|footer|form|h\d|head|header|hr|html|i|img|input|label|li|link|main|meta|nav|ol|p|pre|script|section|small|span|strong|style|table|tbody|td|th|thead|title|tr|tt|u|ul)(?=[\s/>])[^<>]{0,300}>/gi;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["gt", ">"],
  ["lt", "<"],
  ["nbsp", " "],
  ["quot", '"'],
  ["#39", "'"],
  ["#039", "'"],
]);

/** What only a page or the answer of a web server has, wherever it stands. */
const OF_PAGES =
  /<(?:!doctype|!--|\?xml)|^ *(?:HTTP\/\d|content-(?:length|type) *:|server *: *(?:apache|cloudflare|nginx|squid)|(?:error |http |status: )?404(?: - not found)? *\r?$)/im;

/** Whether an answer came as a web page: it has elements other than breaks of lines, or the header or the code of HTTP. */
export const isPage = (answer: string): boolean =>
  OF_PAGES.test(answer) || (answer.match(ELEMENTS) ?? []).some((element) => !/^<\/?br\b/i.test(element));

/** Whether an answer is so long that a record may stand behind what is read of it. */
export const mayGoOn = (answer: string, lines: readonly Line[]): boolean =>
  answer.length > MAX_VACANT_LENGTH || lines.length >= MAX_LINES;

/** The text of a page, with a line's end where an element ends one and a column where a cell ends. */
function withoutMarkup(answer: string): string {
  if (!answer.includes("<") || answer.search(ELEMENTS) < 0) return answer;
  return answer
    .replace(ELEMENTS, (element) =>
      /^<\/?(?:br|d[dlt]|div|h\d|hr|li|p|table|title|tr)\b/i.test(element)
        ? "\n"
        : /^<\/t[dh]\b/i.test(element)
          ? "  "
          : "",
    )
    .replace(/&(amp|gt|lt|nbsp|quot|#0?39);/g, (entity, name: string) => ENTITIES.get(name) ?? entity);
}

/**
 * The lines of a WHOIS answer as `printable` shows them, each cut at 1,000 characters. They end in LF, in CR where there is
 * no LF but at the answer's end, and where the elements of a web page end them. Tabs count as eight columns.
 */
export function linesOf(answer: string): Line[] {
  const lines: Line[] = [];
  const plain = withoutMarkup(answer);
  const text = plain.trimEnd().includes("\n") ? plain : plain.replaceAll("\r", "\n");
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
  const visible = printable(raw.replaceAll("\t", "        ")).slice(0, MAX_LINE_LENGTH).trimEnd();
  const text = visible.trimStart();
  return { indent: visible.length - text.length, text };
}

/**
 * Whether the terms of use follow this line: `>>> Last update of WHOIS database … <<<`, or the `--` of a signature. Other
 * lines with arrows hold a statement: `>>> Domain example.lab is available for registration`.
 */
export const isEndOfRecord = (text: string): boolean =>
  /^--$/.test(text) ||
  /^>{2,4} ?(?:database )?(?:last[ -]update|please|notice|important|terms|whois)/i.test(text);

/** Whether the line is a comment, by the sign before it. */
export const isComment = (text: string): boolean => /^(?:[%#]|\/\/|>>)/.test(text);
