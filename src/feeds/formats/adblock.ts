import { type FeedFormat, type FeedText, FILTERED, NO_VALUE, type RawEntry } from "./format.ts";
import { rowsOf } from "./rows.ts";

const RULE = /^\|\|((?:\*\.)?[^/^$*|\s]+)\^\|?(?:\$(.+))?$/;
/** A comment, or the line that names the syntax. */
const NOTE = /^(!|\[adblock)/i;
const WHOLE_SITE = new Set(["all", "document", "important", "doc"]);

/**
 * `||name^` with nothing after it, or only `$all`, `$document`, `$important`; `@@||name^` takes a name out
 * again; everything else is a rule about parts of pages and is passed over. Source: catalogue.
 */
export const adblock: FeedFormat = { name: "adblock", options: {}, parse };

function* parse(text: FeedText): Generator<RawEntry> {
  const exceptions = new Set<string>();
  for (const row of rowsOf(text)) {
    if ("dropped" in row || !row.text.startsWith("@@")) continue;
    const name = nameOf(row.text.slice(2));
    if (name !== null) exceptions.add(name);
  }
  for (const row of rowsOf(text)) {
    if ("dropped" in row) yield row;
    else if (!NOTE.test(row.text)) yield entryOf(row.text, exceptions);
  }
}

function entryOf(rule: string, exceptions: ReadonlySet<string>): RawEntry {
  const name = nameOf(rule.replace(/^@@/, ""));
  if (name === null) return NO_VALUE;
  return rule.startsWith("@@") || exceptions.has(name) ? FILTERED : { value: name };
}

function nameOf(rule: string): string | null {
  const [, name, modifiers] = RULE.exec(rule) ?? [];
  if (name === undefined) return null;
  const isWhole = modifiers === undefined || modifiers.split(",").every((word) => WHOLE_SITE.has(word));
  return isWhole ? name.toLowerCase() : null;
}
