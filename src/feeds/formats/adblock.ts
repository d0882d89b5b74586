import { readName } from "../names.ts";
import { type FeedFormat, type FeedText, FILTERED, NO_VALUE, type RawEntry } from "./format.ts";
import { rowsOf } from "./rows.ts";

const RULE = /^\|\|((?:\*\.)?[^/^$*|\s]+)\^\|?(?:\$(.+))?$/;
/** A comment, or the line that names the syntax. */
const NOTE = /^(!|\[adblock)/i;
/** Of a site the rule means one server then. */
const PORT = /^(?:[^:]*|\[.*\]):\d+$/;
const TAKING_BACK = "badfilter";
const WHOLE_SITE = new Set(["all", "document", "important", "doc"]);

/**
 * `||name^` with nothing after it, or only `$all`, `$document`, `$important`; `@@||name^` takes a name and
 * all below it out again, `$badfilter` a rule; everything else is a rule about parts of pages and is passed over. Source: catalogue.
 */
export const adblock: FeedFormat = { name: "adblock", options: {}, parse };

/** A rule about a whole site, or one that excepts it. */
type SiteRule = {
  readonly name: string;
  /** The name as it stands in the list. */
  readonly written: string;
  readonly isException: boolean;
  readonly isImportant: boolean;
  /** It takes back a rule that is written like it but for this. */
  readonly isTakingBack: boolean;
};

function* parse(text: FeedText): Generator<RawEntry> {
  const names = namesOf(text);
  for (const row of rowsOf(text)) {
    if ("dropped" in row) yield row;
    else if (!NOTE.test(row.text)) yield entryOf(ruleOf(row.text), names);
  }
}

type Names = {
  readonly exceptions: ReadonlySet<string>;
  /** Names that no exception takes out. */
  readonly important: ReadonlySet<string>;
  /** Rules that others take back. */
  readonly takenBack: ReadonlySet<string>;
};

/** What the rules of a list say of each other, wherever they stand. */
function namesOf(text: FeedText): Names {
  const names = { exceptions: new Set<string>(), important: new Set<string>(), takenBack: new Set<string>() };
  const rules: SiteRule[] = [];
  for (const row of rowsOf(text)) {
    const rule = "dropped" in row ? null : ruleOf(row.text);
    if (rule?.isTakingBack) names.takenBack.add(spellingOf(rule));
    else if (rule?.isException || rule?.isImportant) rules.push(rule);
  }
  for (const rule of rules) {
    if (names.takenBack.has(spellingOf(rule))) continue;
    (rule.isException ? names.exceptions : names.important).add(rule.name);
  }
  return names;
}

const spellingOf = ({ name, isException, isImportant }: SiteRule): string =>
  `${isException ? "@@" : ""}${name}${isImportant ? "$important" : ""}`;

function entryOf(rule: SiteRule | null, { exceptions, important, takenBack }: Names): RawEntry {
  if (rule === null) return NO_VALUE;
  if (rule.isTakingBack || takenBack.has(spellingOf(rule))) return FILTERED;
  const { name, written, isException, isImportant } = rule;
  if (isException) return isWithin(important, name) ? FILTERED : { excepted: written };
  return !isImportant && isWithin(exceptions, name) ? FILTERED : { value: written };
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
  if (name === undefined || PORT.test(name)) return null;
  const words = modifiers?.split(",") ?? [];
  if (!words.every((word) => WHOLE_SITE.has(word) || word === TAKING_BACK)) return null;
  return {
    name: readName(name) ?? name.toLowerCase(), // rules about one name may spell it differently
    written: name.toLowerCase(),
    isException,
    isImportant: words.includes("important"),
    isTakingBack: words.includes(TAKING_BACK),
  };
}
