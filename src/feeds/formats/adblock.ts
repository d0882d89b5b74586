import type { FeedFormat, FeedText, RawEntry } from "./format.ts";
import { rowsOf } from "./rows.ts";

const RULE = /^\|\|([^/^$*|\s]+)\^(?:\$(.+))?$/;
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
    else {
      const name = nameOf(row.text);
      if (name !== null && !exceptions.has(name)) yield { value: name };
    }
  }
}

function nameOf(rule: string): string | null {
  const [, name, modifiers] = RULE.exec(rule) ?? [];
  if (name === undefined) return null;
  const isWhole = modifiers === undefined || modifiers.split(",").every((word) => WHOLE_SITE.has(word));
  return isWhole ? name.toLowerCase() : null;
}
