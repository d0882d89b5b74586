import { z } from "zod";
import { printableLine } from "../../base/clean-text.ts";
import type { ListingDetail } from "../../blocklist-index/types.ts";
import { readFeedDate } from "../retrieval/published-date.ts";
import { countReason } from "./entry-count.ts";
import type { FormatOptions } from "./format.ts";
import { listOf, textOption } from "./options.ts";

const MAX_TAGS = 16;
const MAX_TAG_CHARS = 64;

/** How a list tells how often an entry was seen; it stands first in the entry's reason. */
export const countOptions = {
  count: z
    .union([z.string().min(1), z.int().min(0)])
    .optional()
    .describe("csv, json, ndjson, table: column or member with the number of lists that name the entry"),
  count_of: z
    .string()
    .regex(/^[a-z]{2,24}$/)
    .optional()
    .describe("csv, json, ndjson, table: what `count` counts, in the plural, e.g. reports; default: lists"),
};

/** The count of an entry as its reason, or null. */
export const countOf = (options: FormatOptions, value: unknown): string | null =>
  countReason(value, textOption(options, "count_of") ?? undefined);

/** Where formats with columns or members find what a publisher says of one entry (design 3.2). */
export const detailOptions = {
  first_seen: z
    .union([z.string().min(1), z.int().min(0)])
    .optional()
    .describe("csv, json, ndjson: column or member with the date of the first sighting"),
  last_seen: z
    .union([z.string().min(1), z.int().min(0)])
    .optional()
    .describe("csv, json, ndjson: column or member with the date of the last sighting"),
  tags: z
    .union([z.string().min(1), z.int().min(0)])
    .optional()
    .describe("csv, json, ndjson: column or member with the entry's tags"),
  note: z
    .union([z.string().min(1), z.int().min(0)])
    .optional()
    .describe("csv, json, ndjson: column or member with the publisher's words on the entry"),
  ...countOptions,
};

const DETAIL_NAMES = ["first_seen", "last_seen", "tags", "note", "count"];

/** The columns or members that `detailOf` will ask for. */
export const detailNames = (options: FormatOptions): readonly (string | number)[] =>
  DETAIL_NAMES.flatMap((option) => listOf(options[option]));

/** What the publisher says of one entry; dates that cannot be read are left out. Empty: `{}`. */
export function detailOf(
  options: FormatOptions,
  valueAt: (name: string | number) => unknown,
): { detail?: ListingDetail } {
  if (!DETAIL_NAMES.some((option) => options[option] !== undefined)) return {};
  const at = (option: string): unknown => {
    const name = options[option];
    return typeof name === "string" || typeof name === "number" ? valueAt(name) : undefined;
  };
  const firstSeen = readFeedDate(at("first_seen"));
  const lastSeen = readFeedDate(at("last_seen"));
  const codes = tagsOf(at("tags"));
  const reason = [countOf(options, at("count")) ?? "", noteOf(at("note"))]
    .filter((part) => part !== "")
    .join(": ");
  const detail: ListingDetail = {
    ...(codes.length === 0 ? {} : { codes }),
    ...(reason === "" ? {} : { reason }),
    ...(firstSeen === null ? {} : { firstSeen }),
    ...(lastSeen === null ? {} : { lastSeen }),
  };
  return Object.keys(detail).length === 0 ? {} : { detail };
}

function tagsOf(value: unknown): string[] {
  const parts = Array.isArray(value) ? value : typeof value === "string" ? value.split(/[,|;]/, 64) : [];
  const tags = parts
    .filter((part) => typeof part === "string" && part.trim().length <= MAX_TAG_CHARS)
    .map((part) => printableLine(part).toWellFormed());
  return [...new Set(tags)]
    .filter((tag) => tag !== "" && tag !== "None")
    .slice(0, MAX_TAGS)
    .sort();
}

const noteOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "");
