import type { FeedDefinition } from "./feed.ts";

/** What a table says of addresses: where they are, which routes cover them, what their systems are called. */
const TABLE_KINDS = ["city", "routes_ipv4", "routes_ipv6", "as_names"] as const;
export type TableKind = (typeof TABLE_KINDS)[number];

/** A table that is retrieved as lists are; only who reads it is another, and it has no place in the index. */
export type TableDefinition = Pick<
  FeedDefinition,
  "key" | "name" | "builtin" | "source" | "refreshMinutes"
> & {
  readonly table: TableKind;
  /** Fewer rows than this: the file is rejected. */
  readonly minEntries: number;
};

/** Whatever the updater keeps fresh. */
export type Retrieved = FeedDefinition | TableDefinition;

/** What reading one table came to. */
type TableCounts = {
  readonly entries: number;
  /** Rows that were not understood. */
  readonly dropped: number;
  /** ISO 8601: the publisher's own date inside the file; null when it says none. */
  readonly publishedAt: string | null;
};

/** Reads a table and counts; throws InvalidValue when it is none of its kind. */
export type CountTable = (kind: TableKind, bytes: Uint8Array) => TableCounts;

export const isTable = (definition: Retrieved): definition is TableDefinition => "table" in definition;
