import { join } from "node:path";
import { z } from "zod";
import {
  builtinSources,
  type FeedDefinition,
  type FeedSource,
  feedOf,
  feedShape,
  keySchema,
  seedShape,
  sourceOf,
} from "../feeds/feed.ts";
import { besideFormat, formatOptionFault } from "../feeds/format-options.ts";
import { type Auth, keyUseOf, type PublisherKeys } from "../feeds/retrieval/publisher-key.ts";
import { readPackaged } from "../yaml/packaged-yaml.ts";
import { catalogueShape, type Licence, offOf, refineOff } from "./catalogue-columns.ts";
import { type Choices, offReason, type Switchable } from "./disabled.ts";
import { type BuiltinZone, readZoneCatalogue } from "./dnsbl/builtin-zones.ts";
import { type ZoneDefinition, zoneOf } from "./dnsbl/zone-definition.ts";
import type { Engine } from "./kind.ts";
import {
  type AllowlistsOptions,
  type EnginesOptions,
  listShape,
  type OperatorFeed,
  type OperatorZone,
  ratingShape,
} from "./options.ts";

/** A built-in entry: the operator's schema, with a seed file in place of, or beside, the URL. */
const builtinFeedSchema = z
  .strictObject(
    besideFormat({
      ...feedShape,
      ...ratingShape,
      ...listShape,
      key: keySchema,
      name: z.string().min(1).max(200),
      url: feedShape.url.optional().describe("Where the list is published"),
      ...seedShape,
      ...catalogueShape,
      addresses: z
        .enum(["v4", "v6", "both"])
        .optional()
        .describe("Families that the publisher covers, whatever the list holds; default: by what it holds"),
    }),
  )
  .superRefine((entry, context) => {
    refineOff(entry, context);
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
  /** How it takes a publisher's key; null: it takes none. */
  readonly auth: Auth | null;
  /** Key of the engine that replaces it when the publisher ends it; null: none is known. */
  readonly replacedBy: string | null;
  /** Whether nothing can switch it on in this version. */
  readonly isUnaskable: boolean;
};

/** Reads one file of the built-in catalogue. Throws when it breaks its schema: the package is then damaged. */
export function readCatalogue(file: string): readonly BuiltinFeed[] {
  const path = join(import.meta.dirname, "catalogue", file);
  return readPackaged(path, z.array(builtinFeedSchema));
}

/** Switches of owners, by engine: true is on. */
export type Switches = ReadonlyMap<string, boolean>;

const NO_SWITCHES: Switches = new Map();

/** What decides which engines are on and how they are asked. */
type Setting = { readonly choices: Choices; readonly keys: PublisherKeys };

/**
 * Every engine and allowlist known to this installation, sorted by key; an operator's entry takes the place of
 * a built-in one with its key. Reads the built-in catalogue from disk.
 */
export function defineEngines(options: {
  readonly engines: EnginesOptions;
  readonly allowlists: AllowlistsOptions;
  /** Default: no owner switched anything. */
  readonly switches?: Switches;
}): readonly EngineDefinition[] {
  const { engines, allowlists, switches = NO_SWITCHES } = options;
  const setting: Setting = { choices: choicesOf(engines, switches), keys: publisherKeysOf(engines) };
  const byKey = new Map<string, EngineDefinition>();
  const put = (definition: EngineDefinition) => byKey.set(definition.engine.key, definition);
  if (engines.builtin) {
    for (const { file, role } of CATALOGUE_FILES) {
      for (const entry of readCatalogue(file)) put(builtinDefinition(entry, role, setting));
    }
    for (const entry of readZoneCatalogue()) put(builtinZoneDefinition(entry, setting));
  }
  for (const entry of engines.feeds) put(operatorDefinition(entry, setting));
  for (const entry of engines.dnsbl) put(zoneDefinition(entry, setting, {}));
  for (const [i, entry] of allowlists.entries()) {
    put(allowDefinition(entry, entry.key ?? `allow_${i + 1}`, setting));
  }
  return [...byKey.values()].sort((a, b) => (a.engine.key < b.engine.key ? -1 : 1));
}

const choicesOf = ({ disable, enable, accept, keys }: EnginesOptions, switches: Switches): Choices => ({
  disable: new Set(disable),
  enable: new Set(enable),
  accept: new Set(accept),
  keys: new Set(Object.keys(keys)),
  switches,
});

/** Publishers' keys of the configuration. */
export const publisherKeysOf = ({ keys }: Pick<EnginesOptions, "keys">): PublisherKeys =>
  new Map(Object.entries(keys));

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
    readonly auth?: Auth | undefined;
    readonly provider?: string | undefined;
    readonly name?: string | undefined;
    readonly refresh_minutes: number;
    readonly target: Engine["target"];
  };

/** What the catalogue says of a row beside the operator's columns; nothing for the operator's own. */
type OfCatalogue = Partial<Pick<Switchable, "off" | "isUnaskable">> & { readonly licence?: Licence };

function engineOf(
  entry: Common,
  kind: Engine["kind"],
  { choices }: Setting,
  { off = null, isUnaskable = false, licence }: OfCatalogue = {},
): Engine {
  const { key, target, category, confidence, aggregate, reference, homepage, auth } = entry;
  const takesKey = auth?.key ?? null;
  const needsKey = auth?.required === true ? auth.key : null;
  const why = offReason({ key, enabled: entry.enabled, off, needsKey, takesKey, isUnaskable }, choices);
  return {
    key,
    name: entry.name ?? key,
    kind,
    target,
    category,
    confidence,
    family: familyOf(entry),
    aggregate,
    provider: entry.provider ?? null,
    reference,
    homepage,
    builtin: licence !== undefined,
    refreshMinutes: entry.refresh_minutes,
    disabled: why?.reason ?? null,
    disabledClass: why?.class ?? null,
    licence: licence ?? null,
  };
}

function sourceWithKey(
  entry: Pick<OperatorFeed, "url" | "headers"> & { readonly auth?: Auth | undefined; readonly key: string },
  { keys }: Setting,
): FeedSource {
  const source = sourceOf(entry.url, entry.headers, keyUseOf(entry.auth, keys));
  if (source === null) throw new Error(`The list "${entry.key}" has no source`);
  return source;
}

/** An allowlist adds no hit: it has the weakest category, which no score ever counts. */
const clearing = (key: string) =>
  ({ category: "policy", confidence: "high", family: key, aggregate: false }) as const;

const familiesOf = (addresses: BuiltinFeed["addresses"]): EngineDefinition["families"] =>
  addresses === undefined ? null : addresses === "both" ? ["v4", "v6"] : [addresses];

function builtinDefinition(entry: BuiltinFeed, role: "engine" | "allow", setting: Setting): EngineDefinition {
  const about = { off: offOf(entry), licence: entry.licence };
  const engine =
    role === "allow"
      ? engineOf({ ...entry, ...clearing(entry.key) }, "allow", setting, about)
      : engineOf(entry, "feed", setting, about);
  const sources = builtinSources(entry, keyUseOf(entry.auth, setting.keys));
  return {
    engine,
    feed: feedOf(entry, role, true, sources),
    zone: null,
    families: familiesOf(entry.addresses),
    auth: entry.auth ?? null,
    replacedBy: entry.replaced_by ?? null,
    isUnaskable: false,
  };
}

const operatorDefinition = (entry: OperatorFeed, setting: Setting): EngineDefinition => ({
  engine: engineOf(entry, "feed", setting),
  feed: feedOf(entry, "engine", false, { source: sourceWithKey(entry, setting) }),
  zone: null,
  families: null,
  auth: entry.auth ?? null,
  replacedBy: null,
  isUnaskable: false,
});

/** A zone's answers are live: the refresh interval of a feed means nothing to it. */
function zoneDefinition(
  entry: OperatorZone | BuiltinZone,
  setting: Setting,
  about: OfCatalogue,
): EngineDefinition {
  const engine = engineOf({ ...entry, refresh_minutes: 60 }, "dnsbl", setting, about);
  const key = entry.auth === undefined ? null : (setting.keys.get(entry.auth.key) ?? null);
  return {
    engine,
    feed: null,
    zone: zoneOf(entry, key),
    families: null,
    auth: entry.auth ?? null,
    replacedBy: null,
    isUnaskable: about.isUnaskable ?? false,
  };
}

const builtinZoneDefinition = (entry: BuiltinZone, setting: Setting): EngineDefinition =>
  zoneDefinition(entry, setting, {
    off: offOf(entry),
    licence: entry.licence,
    isUnaskable: entry.unaskable === true,
  });

/** An allowlist adds no hit: its rating is never used. */
function allowDefinition(entry: AllowlistsOptions[number], key: string, setting: Setting): EngineDefinition {
  const named = { ...entry, key };
  return {
    engine: engineOf({ ...named, ...clearing(key) }, "allow", setting),
    feed: feedOf(named, "allow", false, { source: sourceWithKey(named, setting) }),
    zone: null,
    families: null,
    auth: entry.auth ?? null,
    replacedBy: null,
    isUnaskable: false,
  };
}
