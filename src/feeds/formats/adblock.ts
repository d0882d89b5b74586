import { type FeedFormat, type FeedText, FILTERED, NO_VALUE, type RawEntry } from "./format.ts";
import { rowsOf } from "./rows.ts";

const RULE = /^\|\|((?:\*\.)?[^/^$*|\s]+)\^\|?(?:\$(.+))?$/;
/** A comment, or the line that names the syntax. */
const NOTE = /^(!|\[adblock)/i;
const WHOLE_SITE = new Set(["all", "document", "important", "doc"]);

/**
 * `||name^` with nothing after it, or only `$all`, `$document`, `$important`; `@@||name^` takes a name and
 * all below it out again; everything else is a rule about parts of pages and is passed over. Source: catalogue.
 */
export const adblock: FeedFormat = { name: "adblock", options: {}, parse };

/** A rule about a whole site, or one that excepts it. */
type SiteRule = { readonly name: string; readonly isException: boolean; readonly isImportant: boolean };

function* parse(text: FeedText): Generator<RawEntry> {
  const exceptions = new Set<string>();
  /** Names that no exception takes out. */
  const important = new Set<string>();
  for (const row of rowsOf(text)) {
    const rule = "dropped" in row ? null : ruleOf(row.text);
    if (rule?.isException) exceptions.add(rule.name);
    else if (rule?.isImportant) important.add(rule.name);
  }
  for (const row of rowsOf(text)) {
    if ("dropped" in row) yield row;
    else if (!NOTE.test(row.text)) yield entryOf(ruleOf(row.text), { exceptions, important });
  }
}

type Names = { readonly exceptions: ReadonlySet<string>; readonly important: ReadonlySet<string> };

function entryOf(rule: SiteRule | null, { exceptions, important }: Names): RawEntry {
  if (rule === null) return NO_VALUE;
  const { name, isException, isImportant } = rule;
  if (isException) return isWithin(important, name) ? FILTERED : { excepted: name };
  return !isImportant && isWithin(exceptions, name) ? FILTERED : { value: name };
}

/** Whether the name, or one around it, is among the names. */
function isWithin(names: ReadonlySet<string>, name: string): boolean {
  if (names.size === 0) return false;
  for (let at = name; ; at = at.slice(at.indexOf(".") + 1)) {
    if (names.has(at)) return true;
    if (!at.includes(".")) return false;
  }
}

function ruleOf(text: string): SiteRule | null {
  const isException = text.startsWith("@@");
  const [, name, modifiers] = RULE.exec(isException ? text.slice(2) : text) ?? [];
  if (name === undefined) return null;
  const words = modifiers?.split(",") ?? [];
  if (!words.every((word) => WHOLE_SITE.has(word))) return null;
  return { name: name.toLowerCase(), isException, isImportant: words.includes("important") };
}
