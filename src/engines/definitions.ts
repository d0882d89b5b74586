import { join } from "node:path";
import { z } from "zod";
import {
  builtinSources,
  type FeedDefinition,
  type FeedSeed,
  type FeedSource,
  feedShape,
  keySchema,
  sourceOf,
} from "../feeds/feed.ts";
import { besideFormat, formatOptionFault, formatOptionsOf, formatShape } from "../feeds/format-options.ts";
import { readPackaged } from "../packaged-yaml.ts";
import { type BuiltinZone, readZoneCatalogue } from "./dnsbl/builtin-zones.ts";
import { type ZoneDefinition, zoneOf } from "./dnsbl/zone-definition.ts";
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
  .strictObject(
    besideFormat({
      ...feedShape,
      ...ratingShape,
      key: keySchema,
      name: z.string().min(1).max(200),
      url: feedShape.url.optional().describe("Where the list is published"),
      seed: z
        .string()
        .regex(/^[a-z0-9-]+$/)
        .optional()
        .describe("File in seed/ without .br: the content until the first retrieval of the url"),
      seed_format: formatShape.format.optional().describe("How the seed file is written; default: as format"),
      off: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .describe("Why the list is off unless the operator asks for it"),
      addresses: z
        .enum(["v4", "v6", "both"])
        .optional()
        .describe("Families that the publisher covers, whatever the list holds; default: by what it holds"),
    }),
  )
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
  { file: "url.yaml", role: "engine" },
  { file: "allow.yaml", role: "allow" },
] as const;

/** An engine together with what decides whether and how it is asked. */
export type EngineDefinition = {
  readonly engine: Engine;
  /** The list behind it; null for a DNS blacklist. */
  readonly feed: FeedDefinition | null;
  /** How its DNS zone is read; null for a list. */
  readonly zone: ZoneDefinition | null;
  /** Address families that the publisher covers; null: by what the list holds. */
  readonly families: readonly ("v4" | "v6")[] | null;
};

/** Reads one file of the built-in catalogue. Throws when it breaks its schema: the package is then damaged. */
export function readCatalogue(file: string): readonly BuiltinFeed[] {
  const path = join(import.meta.dirname, "catalogue", file);
  return readPackaged(path, z.array(builtinFeedSchema));
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
  const enable = new Set(engines.enable);
  const byKey = new Map<string, EngineDefinition>();
  const put = (definition: EngineDefinition) => byKey.set(definition.engine.key, definition);
  if (engines.builtin) {
    for (const { file, role } of CATALOGUE_FILES) {
      for (const entry of readCatalogue(file)) put(builtinDefinition(entry, role, { disabled, enable }));
    }
    for (const entry of readZoneCatalogue()) put(builtinZoneDefinition(entry, { disabled, enable }));
  }
  for (const entry of engines.feeds) put(operatorDefinition(entry, disabled));
  for (const entry of engines.dnsbl) put(zoneDefinition(entry, false, disabled));
  for (const [i, entry] of allowlists.entries()) {
    put(allowDefinition(entry, entry.key ?? `allow_${i + 1}`, disabled));
  }
  return [...byKey.values()].sort((a, b) => (a.engine.key < b.engine.key ? -1 : 1));
}

/** What `enable` and `disable` name and no engine is called: nearly always a slip. One sentence each. */
export function unknownEngines(
  { enable, disable }: Pick<EnginesOptions, "enable" | "disable">,
  definitions: readonly EngineDefinition[],
): readonly string[] {
  const known = new Set(definitions.map(({ engine }) => engine.key));
  return Object.entries({ enable, disable }).flatMap(([name, keys]) =>
    keys
      .filter((key) => !known.has(key))
      .map((key) => `engines.${name}: no engine has the key "${key}"; \`repute feeds list\` names them all`),
  );
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
  maxEntries: entry.max_entries,
  allowEmpty: entry.allow_empty,
});

function requireSource(key: string, url: string | undefined, headers: Record<string, string>): FeedSource {
  const source = url === undefined ? null : sourceOf(url, headers);
  if (source === null) throw new Error(`The list "${key}" has no source`);
  return source;
}

/** An allowlist accuses nobody: it has the weakest category, which no score ever counts. */
const clearing = (key: string) =>
  ({ category: "policy", confidence: "high", family: key, aggregate: false }) as const;

const familiesOf = (addresses: BuiltinFeed["addresses"]): EngineDefinition["families"] =>
  addresses === undefined ? null : addresses === "both" ? ["v4", "v6"] : [addresses];

function builtinDefinition(
  entry: BuiltinFeed,
  role: "engine" | "allow",
  { disabled, enable }: { readonly disabled: ReadonlySet<string>; readonly enable: ReadonlySet<string> },
): EngineDefinition {
  const engine =
    role === "allow"
      ? engineOf({ ...entry, ...clearing(entry.key) }, "allow", true, disabled)
      : engineOf(entry, "feed", true, disabled);
  return {
    engine: enable.has(entry.key) ? engine : { ...engine, disabled: engine.disabled ?? entry.off ?? null },
    feed: feedOf(entry, role, true, builtinSources(entry)),
    zone: null,
    families: familiesOf(entry.addresses),
  };
}

const operatorDefinition = (entry: OperatorFeed, disabled: ReadonlySet<string>): EngineDefinition => ({
  engine: engineOf(entry, "feed", false, disabled),
  feed: feedOf(entry, "engine", false, { source: requireSource(entry.key, entry.url, entry.headers) }),
  zone: null,
  families: null,
});

/** A zone's answers are live: the refresh interval of a feed means nothing to it. */
const zoneDefinition = (
  { target, ...entry }: OperatorZone | BuiltinZone,
  builtin: boolean,
  disabled: ReadonlySet<string>,
): EngineDefinition => ({
  engine: engineOf({ ...entry, target, refresh_minutes: 60 }, "dnsbl", builtin, disabled),
  feed: null,
  zone: target === "ip" || target === "domain" ? zoneOf({ ...entry, target }) : null,
  families: null,
});

/** A zone that needs a key in its name, or a hash, cannot be asked by wishing: it stays off. */
function builtinZoneDefinition(
  entry: BuiltinZone,
  { disabled, enable }: { readonly disabled: ReadonlySet<string>; readonly enable: ReadonlySet<string> },
): EngineDefinition {
  const definition = zoneDefinition(entry, true, disabled);
  const isEnabled = enable.has(entry.key) && entry.unaskable !== true;
  const off = isEnabled ? null : (entry.off ?? null);
  return { ...definition, engine: { ...definition.engine, disabled: definition.engine.disabled ?? off } };
}

/** An allowlist accuses nobody: its rating is never used. */
function allowDefinition(
  entry: AllowlistsOptions[number],
  key: string,
  disabled: ReadonlySet<string>,
): EngineDefinition {
  return {
    engine: engineOf({ ...entry, ...clearing(key), key }, "allow", false, disabled),
    feed: feedOf({ ...entry, key }, "allow", false, { source: requireSource(key, entry.url, entry.headers) }),
    zone: null,
    families: null,
  };
}
