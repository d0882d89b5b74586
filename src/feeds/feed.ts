import { fileURLToPath } from "node:url";
import { z } from "zod";
import { readIp } from "../targets/ip.ts";
import { LISTED_KINDS, type ListedKind } from "../targets/listed-kinds.ts";
import { specialPurposeOf } from "../targets/special-purpose.ts";
import { formatOptionsOf, formatShape } from "./format-options.ts";
import type { FormatOptions } from "./formats/format.ts";
import { authSchema, type KeyUse } from "./retrieval/publisher-key.ts";

/** Keys of engines and lists: `^[a-z0-9_]{1,64}$` (design 3.1), so a key is always a safe file name. */
export const keySchema = z
  .string()
  .regex(/^[a-z0-9_]{1,64}$/, "Expected 1 to 64 of a-z, 0-9 and _")
  .describe("Stable key, shown in every answer");

/** Where a list's content comes from. `file` names a seed file without its `.br`. */
export type FeedSource =
  | { readonly kind: "seed"; readonly file: string }
  | { readonly kind: "file"; readonly path: string }
  | {
      readonly kind: "web";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      /** How the request takes a publisher's key; absent: it takes none, or the key is not configured. */
      readonly auth?: KeyUse;
    };

/** A packed list: `file` in seed/ without its `.br`, written in `format`. */
export type FeedSeed = { readonly file: string; readonly format: string; readonly options: FormatOptions };

/** What a list is for: accusing (`engine`), clearing (`allow`) or classifying (`network`). */
export type FeedRole = "engine" | "allow" | "network";

/** One list to be read into the compiled index, built in or the operator's. */
export type FeedDefinition = {
  readonly key: string;
  readonly name: string;
  readonly role: FeedRole;
  readonly builtin: boolean;
  readonly target: ListedKind;
  readonly source: FeedSource;
  /** What answers until the first successful retrieval of a `https` source (design 3.4). Null: nothing does. */
  readonly seed: FeedSeed | null;
  readonly format: string;
  readonly options: FormatOptions;
  readonly refreshMinutes: number;
  /** More entries than this: the file is rejected. Null: no limit of its own. */
  readonly maxEntries: number | null;
  readonly allowEmpty: boolean;
};

/** A URL of the operator's: `https:` anywhere, or `file:` with an absolute path. */
export const feedUrlSchema = z
  .string()
  .refine(
    (text) => sourceOf(text) !== null,
    "Expected an https: URL, a file: URL with an absolute path, or an http: URL of this machine (127.0.0.1, localhost)",
  )
  .describe(
    "Where the list is: an https: URL, a file: URL with an absolute path, or an http: URL of this machine",
  );

/** What engines' feeds and allowlists of the operator have in common. */
export const feedShape = {
  ...formatShape,
  target: z.enum(LISTED_KINDS).describe("What the list names: ip, domain, url or email"),
  url: feedUrlSchema,
  refresh_minutes: z
    .int()
    .min(1)
    .max(525_600)
    .default(60)
    .describe("Minutes between two looks at the source"),
  reference: z
    .string()
    .max(2048)
    .nullable()
    .default(null)
    .describe("Page for people about one entry; {value} becomes the URL-encoded entry"),
  homepage: z.string().max(2048).nullable().default(null).describe("Page for people about the list"),
  headers: z
    .record(
      z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/, "Expected the name of a header, without blanks"),
      z.string().regex(/^[\t\x20-\x7e]*$/, "Expected printable ASCII characters in one line"),
    )
    .default({})
    .describe("Request headers for the download, e.g. an API key; printed masked"),
  auth: authSchema.optional().describe("How the download takes a publisher's key of engines.keys"),
  max_entries: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe("A file with more entries than this is rejected"),
  allow_empty: z
    .boolean()
    .default(false)
    .describe("Whether a file without rows, or of which filters leave none, is content and no outage"),
  enabled: z.boolean().default(true).describe("False: known, shown as disabled, not consulted"),
};

/**
 * Source behind an operator's URL, or null: without TLS the publisher is not proved, unless it comes from this very
 * machine, as an absolute local file or by `http:`.
 */
export function sourceOf(
  text: string,
  headers: Readonly<Record<string, string>> = {},
  auth: KeyUse | null = null,
): FeedSource | null {
  const url = URL.parse(text);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isThisMachine(url.hostname))) {
    return { kind: "web", url: text, headers, ...(auth && { auth }) };
  }
  if (url?.protocol !== "file:" || !/^file:\//i.test(text)) return null;
  try {
    const path = fileURLToPath(url);
    return path.includes("\0") ? null : { kind: "file", path };
  } catch (error) {
    if (error instanceof TypeError) return null; // another host, or an encoded slash in the path
    throw error;
  }
}

/** What a built-in list has beside, or in place of, a URL: `builtinSources` reads it. */
export const seedShape = {
  seed: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .optional()
    .describe("File in seed/ without .br: the content until the first retrieval of the url"),
  seed_format: formatShape.format.optional().describe("How the seed file is written; default: as format"),
};

export type Sourced = {
  readonly format: string;
  readonly [option: string]: unknown;
  readonly url?: string | undefined;
  readonly seed?: string | undefined;
  readonly seed_format?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Where a built-in list comes from: a URL, a seed file, or the seed until the first retrieval. Throws without either. */
export function builtinSources(
  entry: Sourced,
  auth: KeyUse | null = null,
): Pick<FeedDefinition, "source" | "seed"> {
  const { url, seed: file, seed_format: format = entry.format, headers } = entry;
  if (url === undefined) {
    if (file === undefined) throw new Error("A built-in list has neither a url nor a seed");
    return { source: { kind: "seed", file }, seed: null };
  }
  const source = sourceOf(url, headers, auth);
  if (source === null) throw new Error(`"${url}" is not a source of a list`);
  const options = format === entry.format ? formatOptionsOf(entry) : {};
  return { source, seed: file === undefined ? null : { file, format, options } };
}

type ListEntry = {
  readonly key: string;
  readonly target: ListedKind;
  readonly refresh_minutes: number;
  readonly max_entries?: number | null;
  readonly allow_empty?: boolean;
  readonly name?: string | undefined;
  readonly format: string;
  readonly [option: string]: unknown;
};

/** An entry of the catalogue or of the configuration as a list to be read. */
export const feedOf = (
  entry: ListEntry,
  role: FeedRole,
  builtin: boolean,
  { source, seed = null }: { readonly source: FeedSource; readonly seed?: FeedSeed | null },
): FeedDefinition => ({
  key: entry.key,
  name: entry.name ?? entry.key,
  role,
  builtin,
  target: entry.target,
  source,
  seed,
  format: entry.format,
  options: formatOptionsOf(entry),
  refreshMinutes: entry.refresh_minutes,
  maxEntries: entry.max_entries ?? null,
  allowEmpty: entry.allow_empty ?? false,
});

/** Whether a URL's host is this machine, by its address or by its name (RFC 6761, 6.3). */
function isThisMachine(hostname: string): boolean {
  const ip = readIp(hostname.replace(/^\[(.*)\]$/, "$1"));
  if (ip === null) return hostname === "localhost" || hostname.endsWith(".localhost");
  return specialPurposeOf(ip)?.name === "loopback";
}
