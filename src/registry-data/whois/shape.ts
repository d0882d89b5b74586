import type { LegacyCharset } from "../../net/whois/whois-charset.ts";
import type { DateOptions } from "../dates.ts";
import type { Field } from "./fields.ts";
import type { OutlineEntry } from "./outline.ts";

/** What is particular about the answers of one registry; everything else is the same for all. */
export type WhoisShape = {
  /** The registry's TLDs in lower case, A-labels. */
  readonly tlds: readonly string[];
  /** What it is known to send when it is not UTF-8, the likelier one first. */
  readonly charsets?: readonly LegacyCharset[];
  readonly dates?: DateOptions;
  /** Labels of its own as `plainLabel` has them, `heading/label` for one under a heading. */
  readonly labels?: Readonly<Record<string, Field>>;
  /** The text put into lines of statements. */
  readonly rewrite?: (text: string) => string;
  /** Statements put into other words before they are read. */
  readonly reword?: (entry: OutlineEntry) => OutlineEntry;
};
