import { printableLine } from "../base/clean-text.ts";
import { InvalidValue } from "../base/failure.ts";
import type { ListingDetail, ListingsBuilder } from "../blocklist-index/types.ts";
import { type AddressEntry, readAddressEntries } from "./addresses.ts";
import { canonicalUrl } from "./canonical-url.ts";
import type { FeedDefinition } from "./feed.ts";
import { allFormats } from "./formats/all.ts";
import type { FeedText } from "./formats/format.ts";
import { readEmail, readName } from "./names.ts";
import { isUnfitForBuiltin } from "./unfit-for-builtin.ts";

/** What reading one list came to. */
export type LoadCounts = {
  readonly entries: number;
  /** Everything in the list that is neither blank nor a comment. */
  readonly rows: number;
  /** Rows that became an entry, or that were read and left out by the list's own options. */
  readonly understood: number;
  /** Rows that were not taken: not understood, of another kind, or about ranges that the list cannot mean. */
  readonly dropped: number;
  readonly notUnderstood: number;
  readonly families: readonly ("v4" | "v6")[];
  /** The publisher's date where an option of the list says it stands, ISO 8601; of several the newest. */
  readonly publishedAt: string | null;
  /** Of all public addresses of each family the share that its entries come to. */
  readonly shares: { readonly v4: number; readonly v6: number };
};

/** Takes entries away; `null` in its place only counts. */
export type Sink = { readonly builder: ListingsBuilder; readonly list: number } | null;

type Tally = {
  entries: number;
  skipped: { filtered: number; no_value: number };
  dropped: number;
  unfit: number;
  families: Set<"v4" | "v6">;
  shares: { v4: number; v6: number };
};

/** Entries of a list that sets no limit of its own; the largest public ones have 2 million. */
const DEFAULT_MAX_ENTRIES = 5_000_000;
/** After so many rows without one that was understood, no more are read. */
const MAX_ROWS_IN_VAIN = 100_000;

/**
 * Parses a list by its definition and hands its entries to the builder. Rows that are not understood are counted,
 * never fatal; a broken document (JSON, a missing CSV column) throws InvalidValue. Source: security P21.
 */
export function loadFeed(feed: FeedDefinition, text: FeedText, sink: Sink): LoadCounts {
  const format = allFormats.find(({ name }) => name === feed.format);
  if (format === undefined) throw new InvalidValue("format", `There is no list format "${feed.format}"`);
  const tally = emptyTally();
  const { skipped, shares } = tally;
  const maxEntries = feed.maxEntries ?? DEFAULT_MAX_ENTRIES;
  const take = takerOf(feed, sink, tally);
  let publishedAt: string | null = null;
  for (const raw of format.parse(text, feed.options)) {
    if ("published" in raw) publishedAt = newest(publishedAt, raw.published);
    else if ("skipped" in raw) skipped[raw.skipped]++;
    else if ("excepted" in raw) takeException(feed, raw.excepted, sink, tally);
    else if ("dropped" in raw || !take(raw.value, raw.detail && cleanDetail(raw.detail))) tally.dropped++;
    checkSize(tally, { format: feed.format, maxEntries });
  }
  const { entries, dropped, unfit } = tally;
  return {
    entries,
    rows: entries + dropped + skipped.filtered + skipped.no_value,
    understood: entries + skipped.filtered,
    dropped,
    notUnderstood: dropped - unfit,
    families: [...tally.families].sort(),
    publishedAt,
    shares,
  };
}

const newest = (one: string | null, other: string): string => (one !== null && one > other ? one : other);

/** A row that gives no entry, and why. */
export type RowFault = { readonly text: string; readonly reason: string };

/** The rows of a list that `loadFeed` counts as dropped, as they are read. Throws InvalidValue where it does. */
export function* droppedRows(feed: FeedDefinition, text: FeedText): Generator<RowFault> {
  const format = allFormats.find(({ name }) => name === feed.format);
  if (format === undefined) throw new InvalidValue("format", `There is no list format "${feed.format}"`);
  const tally = emptyTally();
  const take = takerOf(feed, null, tally);
  for (const raw of format.parse(text, feed.options)) {
    if ("dropped" in raw) yield { text: raw.dropped, reason: `not a row of the format "${feed.format}"` };
    else if ("value" in raw && !take(raw.value, undefined))
      yield { text: raw.value, reason: WANTED[feed.target] };
  }
}

const WANTED: Readonly<Record<FeedDefinition["target"], string>> = {
  ip: "not an address, network or AS number that a list may name",
  domain: "not a domain name",
  url: "not a URL",
  email: "not an e-mail address or domain name",
};

const emptyTally = (): Tally => ({
  entries: 0,
  skipped: { filtered: 0, no_value: 0 },
  dropped: 0,
  unfit: 0,
  families: new Set(),
  shares: { v4: 0, v6: 0 },
});

type Bounds = { readonly format: string; readonly maxEntries: number };

/** Throws InvalidValue at a list that is larger than any, or of which nothing is understood. */
function checkSize({ entries, dropped, unfit }: Tally, { format, maxEntries }: Bounds): void {
  if (entries > maxEntries) {
    throw new InvalidValue("max_entries", `The list has more than ${maxEntries} entries`);
  }
  if (dropped > DEFAULT_MAX_ENTRIES) {
    throw new InvalidValue("rows", `More than ${DEFAULT_MAX_ENTRIES} rows of the list were not understood`);
  }
  if (entries === 0 && dropped - unfit > MAX_ROWS_IN_VAIN) throw notUnderstood(format);
}

/**
 * No row of a list is one of its format. None is quoted: callers of the service are told this, and a server that
 * refuses a key may repeat it.
 */
export const notUnderstood = (format: string): InvalidValue =>
  new InvalidValue("rows", `No row of the list was understood: it is not of the format "${format}"`);

type Take = (value: string, detail: ListingDetail | undefined) => boolean;

function takerOf(feed: FeedDefinition, sink: Sink, tally: Tally): Take {
  switch (feed.target) {
    case "ip":
      return addressTaker(feed, sink, tally);
    case "url":
      return urlTaker(sink, tally);
    case "domain":
      return nameTaker(readName, sink, tally);
    case "email":
      return nameTaker(readEmail, sink, tally);
  }
}

function addressTaker(feed: FeedDefinition, sink: Sink, tally: Tally): Take {
  const isUnfit = (entries: readonly AddressEntry[]): boolean =>
    isMostOfAll(entries) || (feed.builtin && entries.some(isUnfitForBuiltin));
  const isAsnList = feed.options["via"] === "asn";
  return (value, detail) => {
    const entries = readAddressEntries(isAsnList && /^\d+$/.test(value) ? `AS${value}` : value);
    const isRefused = entries.length === 0 ? readEmail(value) !== null : isUnfit(entries);
    if (isRefused) tally.unfit++;
    if (isRefused || entries.length === 0) return false;
    const isRange = entries[0]?.family !== "asn" && value.includes("-");
    const own = isRange ? { value: cleanText(value), ...detail } : detail;
    for (const entry of entries) addAddress(sink, entry, own, tally);
    tally.entries++;
    return true;
  };
}

/** Whether one row, `/0` or a range of nearly as much, names more than half of all addresses there are. */
const isMostOfAll = (entries: readonly AddressEntry[]): boolean =>
  entries.reduce((share, entry) => share + (entry.family === "asn" ? 0 : 2 ** -entry.prefix), 0) > 0.5;

/** IPv6 has given out 2000::/3 so far. */
const PUBLIC_PREFIX = { v4: 0, v6: 3 };

function addAddress(
  sink: Sink,
  entry: AddressEntry,
  detail: ListingDetail | undefined,
  { families, shares }: Tally,
): void {
  if (entry.family === "asn") {
    families.add("v4").add("v6"); // an AS announces both
    sink?.builder.addAsn(sink.list, entry.asn, detail);
  } else {
    families.add(entry.family);
    shares[entry.family] += 2 ** (PUBLIC_PREFIX[entry.family] - entry.prefix);
    if (entry.family === "v4") sink?.builder.addIpv4(sink.list, entry.value, entry.prefix, detail);
    else sink?.builder.addIpv6(sink.list, entry.words, entry.prefix, detail);
  }
}

function nameTaker(read: (text: string) => string | null, sink: Sink, tally: Tally): Take {
  return (value, detail) => {
    const name = read(value);
    if (name === null) {
      if (readAddressEntries(value).length > 0 || readEmail(value) !== null) tally.unfit++; // lists of several kinds exist
      return false;
    }
    sink?.builder.addName(sink.list, name, detail);
    tally.entries++;
    return true;
  };
}

/** Read and left out, as a row that a filter leaves out. */
function takeException({ target }: FeedDefinition, text: string, sink: Sink, { skipped }: Tally): void {
  skipped.filtered++;
  const name = target === "domain" ? readName(text) : null;
  if (name !== null) sink?.builder.addException(sink.list, name);
}

/**
 * A URL is also an entry for its host: that is what level `url_host` finds (design 3.3). Of a host's URLs the first one
 * seen last is that entry (design 3.2), so that only what is newer than those before it is given to the builder.
 */
function urlTaker(sink: Sink, tally: Tally): Take {
  const hosts = new Map<string, number>();
  return (value, detail) => {
    const url = canonicalUrl(value);
    if (url === null) return false;
    sink?.builder.addUrl(sink.list, url, detail);
    const host = URL.parse(url)?.hostname ?? "";
    if (sink !== null && readName(host) === host) {
      const seenMs = Date.parse(detail?.lastSeen ?? "") || 0;
      const before = hosts.get(host);
      if (before === undefined || seenMs > before) {
        hosts.set(host, seenMs);
        sink.builder.addName(sink.list, host, { ...detail, value: url });
      }
    }
    tally.entries++;
    return true;
  };
}

const MAX_REASON_CHARS = 300;

/** Publishers' words without control characters, at most 300 characters (design 3.2). */
function cleanDetail(detail: ListingDetail): ListingDetail {
  if (detail.reason === undefined) return detail;
  const { reason, ...rest } = detail;
  const clean = cleanText(reason);
  return clean === "" ? rest : { ...rest, reason: clean };
}

const cleanText = (text: string): string =>
  printableLine(text.slice(0, 4 * MAX_REASON_CHARS))
    .slice(0, MAX_REASON_CHARS)
    .toWellFormed();
