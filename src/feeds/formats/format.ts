import type { z } from "zod";
import { printableLine } from "../../base/clean-text.ts";
import type { ListingDetail } from "../../blocklist-index/types.ts";

/** A row of a list that was not understood, shortened. */
export type DroppedRow = { readonly dropped: string };

/**
 * A row that gives no entry and is no fault. `filtered`: it was read, and the list's options leave it out. `no_value`: it holds
 * nothing that the options look at.
 */
export type SkippedRow = { readonly skipped: "filtered" | "no_value" };

/** What a list says of itself beside its rows: when it was made, ISO 8601. */
export type PublisherDate = { readonly published: string };

/** A name that a list takes out again, with all below it, of what it says of a domain around it. */
type ExceptedName = { readonly excepted: string };

/** One row of a list as its publisher wrote it, or one that gives no entry. Only blank lines and comments are no rows. */
export type RawEntry =
  | { readonly value: string; readonly detail?: ListingDetail }
  | DroppedRow
  | SkippedRow
  | PublisherDate
  | ExceptedName;

/** The decoded content of a list, read in whichever form the format needs. */
export type FeedText = {
  /** Lines without their ends; one longer than 4 KiB comes as dropped. */
  readonly lines: () => Iterable<string | DroppedRow>;
  /** The whole document. */
  readonly text: () => string;
};

/** Options as they stand beside `format` in a definition. */
export type FormatOptions = Readonly<Record<string, unknown>>;

/** One list format. A new one is a file beside this one and a line in `all.ts`. Source: catalogue, format vocabulary. */
export type FeedFormat = {
  readonly name: string;
  /**
   * Zod shape of its options, all optional, for the schema of the configuration: exactly those that `parse` looks at. Formats that
   * share an option share its definition in `options.ts`; no option is called like a key of an entry.
   */
  readonly options: z.ZodRawShape;
  /** What is wrong with options that their shape allows; default: nothing. */
  readonly faultOf?: (options: FormatOptions) => { readonly option: string; readonly message: string } | null;
  /** Reads the form only: what a value means is the target's matter. Throws InvalidValue on a broken document. */
  readonly parse: (text: FeedText, options: FormatOptions) => Iterable<RawEntry>;
};

/** Longest line, design P21. */
export const MAX_LINE_CHARS = 4096;

/** A row that was not understood, cut to 120 characters, as one printable line. */
export const droppedRow = (text: string): DroppedRow => ({ dropped: printableLine(text.slice(0, 120)) });

/** A row that was read and that the list's options leave out. */
export const FILTERED: SkippedRow = { skipped: "filtered" };

/** A row without anything that the list's options look at. */
export const NO_VALUE: SkippedRow = { skipped: "no_value" };
