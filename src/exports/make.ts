import { isoSeconds } from "../base/clock.ts";
import { numberOfWords } from "../blocklist-index/regions.ts";
import type { Listings } from "../blocklist-index/types.ts";
import type { EngineDefinition } from "../engines/definitions.ts";
import { ageOf } from "../engines/feed.ts";
import type { RouteRange, RouteRanges } from "../enrichment/ip/asn/routes.ts";
import type { Ip } from "../targets/ip.ts";
import { LISTED_KINDS } from "../targets/listed-kinds.ts";
import { eachIpv4Network, eachNetwork, type Joining, type Promoted, promote } from "./aggregate.ts";
import { type AddressSources, type CollectedAddresses, collectAddresses } from "./collect-addresses.ts";
import { type CollectedTexts, collectTextRows, islandsIn, type TextSources } from "./collect-texts.ts";
import type { EntryTable } from "./entries.ts";
import type { ExportFacts } from "./facts.ts";
import type { Generation } from "./generation.ts";
import { limitRows } from "./limit-rows.ts";
import { IPV6_SPACE } from "./ranges.ts";
import { countsOf, createRowCollector, type LabelledRows } from "./rows.ts";
import type { ExportSpec, SourceLicence } from "./spec.ts";
import type { Texts } from "./texts.ts";

export type MakeParts = Omit<AddressSources, "routes"> & {
  readonly routes: RouteRanges | null;
  readonly definitions: readonly EngineDefinition[];
  readonly listings: Listings;
  /** Null: no export needs them. */
  readonly texts: Texts | null;
  readonly licenceOf: (key: string) => SourceLicence;
  readonly nameOf: (key: string) => string;
  readonly generation: number;
};

/** What an export would hold now, one for each of the specs. The lists are read once for all that have one target. */
export function makeGenerations(specs: readonly ExportSpec[], parts: MakeParts): readonly Generation[] {
  const made = LISTED_KINDS.flatMap((target) => {
    const asked = specs.filter((spec) => spec.target === target);
    if (asked.length === 0) return [];
    if (target === "ip") return collectAddresses(asked, parts).map((one) => ofAddresses(one, parts));
    const sources = textSourcesOf(parts);
    return collectTextRows(target, asked, sources).map((one) => ofTexts(one, sources, parts));
  });
  const byName = new Map(made.map((generation) => [generation.facts.name, generation]));
  return specs.flatMap(({ name }) => byName.get(name) ?? []);
}

function textSourcesOf(parts: MakeParts): TextSources {
  const { texts, routes } = parts;
  if (texts === null) throw new Error("No texts were collected for exports of names, URLs and mailboxes");
  return { ...parts, texts, asnOf: asnFinder(routes) };
}

function ofAddresses(collected: CollectedAddresses, parts: MakeParts): Generation {
  const { spec, entries, subtracted } = collected;
  const joining = joiningOf(spec, entries);
  const promoted = promotedOf(spec, collected);
  const rows = createRowCollector(entries, promoted.ranges.length());
  eachIpv4Network(promoted.ranges, joining, rows.addIpv4);
  eachNetwork(collected.v6, IPV6_SPACE, joining, rows.addIpv6);
  // By the best score of what was joined: a neighbour of a lower one puts nothing at a disadvantage.
  const limited = limitRows(rows, entries, spec.limit);
  const counts = { cut: limited.cut, subtracted, unlisted: promoted.unlisted };
  return generationOf(spec, limited, { ...counts, islands: [] }, parts);
}

/** What is blocked and what is challenged are never one network. */
function joiningOf({ aggregate }: ExportSpec, { isChallenged, combine }: EntryTable): Joining {
  if (aggregate === "none") return { mayJoin: (one, next) => one === next, combine };
  return { mayJoin: (one, next) => isChallenged(one) === isChallenged(next), combine };
}

function promotedOf({ aggregate }: ExportSpec, { v4, allowed, entries }: CollectedAddresses): Promoted {
  if (typeof aggregate === "string") return { ranges: v4, unlisted: 0 };
  const { isChallenged, combine } = entries;
  return promote(v4, { ...aggregate, allowed, combine, isListed: (entry) => !isChallenged(entry) });
}

function ofTexts(collected: CollectedTexts, sources: TextSources, parts: MakeParts): Generation {
  const { spec, rows, entries, subtracted } = collected;
  const limited = limitRows(rows, entries, spec.limit);
  const islands = islandsIn(limited.rows, spec, sources);
  return generationOf(spec, limited, { cut: limited.cut, subtracted, unlisted: 0, islands }, parts);
}

type Counts = {
  readonly cut: number;
  readonly subtracted: CollectedAddresses["subtracted"];
  readonly unlisted: number;
  readonly islands: readonly string[];
};

function generationOf(
  spec: ExportSpec,
  { rows, labels }: LabelledRows,
  { cut, subtracted, unlisted, islands }: Counts,
  parts: MakeParts,
): Generation {
  const facts: ExportFacts = {
    name: spec.name,
    kind: spec.kind,
    target: spec.target,
    generation: parts.generation,
    made_at: isoSeconds(parts.now),
    ...countsOf({ rows, labels }),
    min_score: spec.kind === "allow" ? 0 : spec.minScore,
    cut_by_limit: cut,
    subtracted,
    promoted_addresses: unlisted,
    sources: sourcesOf(labels, parts),
    not_exportable: spec.kind === "allow" ? [] : liveEngines(spec, parts.definitions),
  };
  return { facts, rows, labels, islands };
}

function sourcesOf(
  { vocabulary }: LabelledRows["labels"],
  { definitions, listings, licenceOf, nameOf, now }: MakeParts,
): ExportFacts["sources"] {
  return vocabulary.sources.map((key) => {
    const engine = definitions.find((definition) => definition.engine.key === key)?.engine;
    const state = listings.lists.find((list) => list.key === key);
    return {
      key,
      name: nameOf(key),
      licence: licenceOf(key),
      data_age_s: engine && state?.loaded ? ageOf(state, engine, now.getTime()).dataAgeS : null,
      refresh_minutes: engine?.refreshMinutes ?? 1440,
    };
  });
}

/** Zones are asked for one name at a time: nothing of them can be exported, and the export says so. */
const liveEngines = ({ target, counts }: ExportSpec, definitions: readonly EngineDefinition[]): string[] =>
  definitions.flatMap(({ engine }) =>
    engine.kind === "dnsbl" && engine.disabled === null && engine.target === target && counts(engine.key)
      ? [engine.key]
      : [],
  );

/** Finds the AS of an address among the routes that matter to scores. */
export function asnFinder(routes: RouteRanges | null): (ip: Ip) => number | null {
  if (routes === null) return () => null;
  return (ip) =>
    ip.version === "v4" ? findRoute(routes.v4, ip.value) : findRoute(routes.v6, numberOfWords(ip.words));
}

function findRoute<T extends number | bigint>(routes: readonly RouteRange<T>[], address: T): number | null {
  let [low, high] = [0, routes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const route = routes[middle];
    if (route !== undefined && route.last < address) low = middle + 1;
    else high = middle;
  }
  const found = routes[low];
  return found !== undefined && found.first <= address ? found.asn : null;
}
