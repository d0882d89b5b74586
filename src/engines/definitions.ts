import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import {
  type FeedDefinition,
  type FeedSource,
  feedShape,
  formatOptionFault,
  formatOptionsOf,
  keySchema,
  sourceOf,
} from "../feeds/feed.ts";
import type { Engine } from "./kind.ts";
import {
  type AllowlistsOptions,
  type EnginesOptions,
  type OperatorFeed,
  type OperatorZone,
  ratingShape,
} from "./options.ts";

/** A built-in entry: the operator's schema, with a seed file in place of, or beside, the URL. */
export const builtinFeedSchema = z
  .strictObject({
    ...feedShape,
    ...ratingShape,
    key: keySchema,
    name: z.string().min(1).max(200),
    url: feedShape.url.optional().describe("Where the list is published"),
    seed: z
      .string()
      .regex(/^[a-z0-9-]+$/)
      .optional()
      .describe("File in seed/ without .br"),
    addresses: z
      .enum(["both"])
      .optional()
      .describe("both: the publisher covers IPv6 as well, even while the list holds none"),
  })
  .superRefine((entry, context) => {
    const fault = formatOptionFault(entry);
    if (fault) context.addIssue({ code: "custom", ...fault });
    if (entry.seed === undefined && entry.url === undefined) {
      context.addIssue({ code: "custom", path: ["url"], message: "Expected a url or a seed" });
    }
  });
export type BuiltinFeed = z.infer<typeof builtinFeedSchema>;

/** The files of the built-in catalogue, and what their lists are for. */
export const CATALOGUE_FILES = [
  { file: "ip.yaml", role: "engine" },
  { file: "domain.yaml", role: "engine" },
  { file: "allow.yaml", role: "allow" },
] as const;

/** An engine together with what decides whether and how it is asked. */
export type EngineDefinition = {
  readonly engine: Engine;
  /** The list behind it; null for a DNS blacklist. */
  readonly feed: FeedDefinition | null;
  readonly coversBothFamilies: boolean;
};

/** Reads one file of the built-in catalogue. Throws when it breaks its schema: the package is then damaged. */
export function readCatalogue(file: string): readonly BuiltinFeed[] {
  const text = readFileSync(join(import.meta.dirname, "catalogue", file), "utf8");
  return z.array(builtinFeedSchema).parse(parse(text));
}

/**
 * Every engine and allowlist known to this installation, sorted by key; an operator's entry takes the place of
 * a built-in one with its key. Reads the built-in catalogue from disk.
 */
export function defineEngines(options: {
  readonly engines: EnginesOptions;
  readonly allowlists: AllowlistsOptions;
}): readonly EngineDefinition[] {
  const { engines, allowlists } = options;
  const disabled = new Set(engines.disable);
  const byKey = new Map<string, EngineDefinition>();
  const put = (definition: EngineDefinition) => byKey.set(definition.engine.key, definition);
  if (engines.builtin) {
    for (const { file, role } of CATALOGUE_FILES) {
      for (const entry of readCatalogue(file)) put(builtinDefinition(entry, role, disabled));
    }
  }
  for (const entry of engines.feeds) put(operatorDefinition(entry, disabled));
  for (const entry of engines.dnsbl) put(zoneDefinition(entry, disabled));
  for (const [i, entry] of allowlists.entries()) {
    put(allowDefinition(entry, entry.key ?? `allow_${i + 1}`, disabled));
  }
  return [...byKey.values()].sort((a, b) => (a.engine.key < b.engine.key ? -1 : 1));
}

type Rated = Pick<OperatorFeed, "category" | "confidence" | "family" | "aggregate"> & {
  readonly key: string;
};

/** All aggregates are one family, and all policy lists (design 4.1). */
function familyOf({ category, family, aggregate, key }: Rated): string {
  if (aggregate) return "aggregate";
  return category === "policy" ? "policy" : (family ?? key);
}

type Common = Rated &
  Pick<OperatorFeed, "reference" | "homepage" | "enabled"> & {
    readonly name?: string | undefined;
    readonly refresh_minutes: number;
    readonly target: Engine["target"];
  };

function engineOf(
  entry: Common,
  kind: Engine["kind"],
  builtin: boolean,
  disabled: ReadonlySet<string>,
): Engine {
  const { key, target, category, confidence, aggregate, reference, homepage } = entry;
  const isOff = !entry.enabled || disabled.has(key);
  return {
    key,
    name: entry.name ?? key,
    kind,
    target,
    category,
    confidence,
    family: familyOf(entry),
    aggregate,
    reference,
    homepage,
    builtin,
    refreshMinutes: entry.refresh_minutes,
    disabled: isOff ? "Switched off by the configuration" : null,
  };
}

type ListEntry = Pick<OperatorFeed, "key" | "target" | "refresh_minutes" | "max_entries" | "allow_empty"> & {
  readonly name?: string | undefined;
  readonly format: string;
  readonly [option: string]: unknown;
};

const feedOf = (
  entry: ListEntry,
  role: FeedDefinition["role"],
  builtin: boolean,
  source: FeedSource,
): FeedDefinition => ({
  key: entry.key,
  name: entry.name ?? entry.key,
  role,
  builtin,
  target: entry.target,
  source,
  format: entry.format,
  options: formatOptionsOf(entry),
  refreshMinutes: entry.refresh_minutes,
  maxEntries: entry.max_entries,
  allowEmpty: entry.allow_empty,
});

function requireSource(key: string, url: string | undefined, headers: Record<string, string>): FeedSource {
  const source = url === undefined ? null : sourceOf(url, headers);
  if (source === null) throw new Error(`The list "${key}" has no source`);
  return source;
}

function builtinDefinition(
  entry: BuiltinFeed,
  role: "engine" | "allow",
  disabled: ReadonlySet<string>,
): EngineDefinition {
  const source: FeedSource =
    entry.seed === undefined
      ? requireSource(entry.key, entry.url, entry.headers)
      : { kind: "seed", file: entry.seed };
  return {
    engine: engineOf(entry, role === "allow" ? "allow" : "feed", true, disabled),
    feed: feedOf(entry, role, true, source),
    coversBothFamilies: entry.addresses === "both",
  };
}

const operatorDefinition = (entry: OperatorFeed, disabled: ReadonlySet<string>): EngineDefinition => ({
  engine: engineOf(entry, "feed", false, disabled),
  feed: feedOf(entry, "engine", false, requireSource(entry.key, entry.url, entry.headers)),
  coversBothFamilies: false,
});

/** A zone's answers are live: the refresh interval of a feed means nothing to it. */
const zoneDefinition = (entry: OperatorZone, disabled: ReadonlySet<string>): EngineDefinition => ({
  engine: engineOf({ ...entry, refresh_minutes: 60 }, "dnsbl", false, disabled),
  feed: null,
  coversBothFamilies: entry.ipv6,
});

/** An allowlist accuses nobody: its rating is never used. */
function allowDefinition(
  entry: AllowlistsOptions[number],
  key: string,
  disabled: ReadonlySet<string>,
): EngineDefinition {
  const rated = { category: "policy", confidence: "high", family: key, aggregate: false } as const;
  return {
    engine: engineOf({ ...entry, ...rated, key }, "allow", false, disabled),
    feed: feedOf({ ...entry, key }, "allow", false, requireSource(key, entry.url, entry.headers)),
    coversBothFamilies: false,
  };
}
