import { ageSeconds, isoSeconds } from "../base/clock.ts";
import type { Consultation } from "../engines/kind.ts";
import { detectionsOf } from "../engines/tally.ts";
import type { DnssecCheck } from "../enrichment/dns-facts/dnssec.ts";
import type { JudgedDomain } from "../enrichment/domain-names/domain-facts.ts";
import type { IpAges, SourceAge } from "../enrichment/facts.ts";
import type { VendorAnswer } from "../enrichment/vendor.ts";
import type { RegistryLookup } from "../registry-data/outcome.ts";
import type { FreshnessReport, SourcesReport } from "./shapes.ts";

type AgeReport = SourcesReport["place"];

/** Ages of the engines that answered, and of the allowlists that name the target. */
type EngineAges = {
  readonly kind: "engines";
  /** Seconds; null when none answered. */
  readonly newestS: number | null;
  readonly oldestS: number | null;
  /** Keys of those whose data is stale. */
  readonly stale: readonly string[];
  readonly cached: boolean;
};

/** Age of a part of an answer: of engines, of the tables of places and networks, of registries, of anything else. */
export type PartAge = EngineAges | (SourceAge & { readonly kind: PartKind });
type PartKind = "place" | "network" | "registry" | "other";

/** Ages of what engines said of one target: of those that answered, and of the allowlists that name it. */
export function ageOfConsultation({ verdicts, allowlists, cached }: Consultation): EngineAges {
  let newestS = Number.POSITIVE_INFINITY;
  let oldestS = -1;
  const stale: string[] = [];
  for (const group of [verdicts, allowlists]) {
    for (const { dataAgeS, stale: isStale, engine } of group) {
      if (dataAgeS > oldestS) oldestS = dataAgeS;
      if (dataAgeS < newestS) newestS = dataAgeS;
      if (isStale) stale.push(engine.key);
    }
  }
  if (oldestS < 0) return { kind: "engines", newestS: null, oldestS: null, stale, cached };
  return { kind: "engines", newestS, oldestS, stale, cached };
}

/** Ages of what the enrichment tells of an address. */
export const agesOfIp = ({ place, network, registry, other }: IpAges): readonly PartAge[] => [
  { kind: "place", ...place },
  { kind: "network", ...network },
  ofRegistry(registry),
  { kind: "other", ...other },
];

/** Age of what a registry says. */
export const ofRegistry = (age: SourceAge): PartAge => ({ kind: "registry", ...age });

/** Ages of what is neither of engines nor of tables and registries. */
export const besides = (ages: readonly SourceAge[]): readonly PartAge[] =>
  ages.map((age) => ({ kind: "other", ...age }));

/** Age of what was true at one time: of tables and lists, of a registry's answer. */
export const ageOfData = (
  { asOf, stale, cached }: { readonly asOf: Date | null; readonly stale: boolean; readonly cached: boolean },
  computedAt: Date,
): SourceAge => ({
  dataAgeS: asOf === null ? null : ageSeconds(asOf.getTime(), computedAt.getTime()),
  stale,
  cached,
});

/** Age of a registry's answer; a kept failure is no answer. */
export const ageOfLookup = (
  { status, fetchedAt, stale, cached }: RegistryLookup<unknown>,
  computedAt: Date,
): SourceAge => ageOfData({ asOf: fetchedAt, stale, cached: cached && status !== "error" }, computedAt);

/** Age of the lists that a name's facts were drawn from. */
export const ageOfLists = (
  { asOfMs, stale }: Pick<JudgedDomain, "asOfMs" | "stale">,
  computedAt: Date,
): SourceAge =>
  ageOfData({ asOf: asOfMs === null ? null : new Date(asOfMs), stale, cached: false }, computedAt);

/** Age of what DNS said of signatures; null: not asked. */
export const ageOfDnssec = (check: DnssecCheck | null, computedAt: Date): SourceAge => {
  const checkedAt = check?.checkedAt ?? null;
  return ageOfData(
    {
      asOf: checkedAt === null ? null : new Date(checkedAt),
      stale: false,
      cached: checkedAt !== null && check?.cached === true,
    },
    computedAt,
  );
};

/** Age of what an optional upstream said; none where it said nothing. */
export const ageOfVendor = (answer: VendorAnswer | null, computedAt: Date): readonly SourceAge[] =>
  answer === null ? [] : [ageOfData({ asOf: answer.asOf, stale: false, cached: answer.cached }, computedAt)];

/**
 * How old an answer with a verdict is: what the engines said of its target, and `extra`. The age and `stale` are of what
 * carried the verdict, the engines; the other parts have their own. Source: sources 3.
 */
export function freshnessOf(
  consultation: Consultation,
  extra: readonly PartAge[],
  computedAt: Date,
): FreshnessReport {
  const parts: Parts = { place: NO_AGE, network: NO_AGE, registry: NO_AGE, other: NO_AGE };
  let engines = ageOfConsultation(consultation);
  let { cached } = engines;
  for (const part of extra) {
    cached ||= part.cached;
    if (part.kind === "engines") engines = joinEngines(engines, part);
    else parts[part.kind] = older(parts[part.kind], part);
  }
  const { newestS, oldestS, stale } = engines;
  const month = bundledMonthOf(consultation, computedAt);
  return {
    data_age_s: oldestS,
    stale: stale.length > 0,
    cached,
    computed_at: isoSeconds(computedAt),
    ...(month === null ? {} : { bundled_data: month }),
    sources: {
      engines: { newest_age_s: newestS, oldest_age_s: oldestS, stale_count: stale.length },
      ...parts,
    },
  };
}

type Parts = Record<PartKind, AgeReport>;

const NO_AGE: AgeReport = { age_s: null, stale: false };

const older = (a: AgeReport, { dataAgeS, stale }: SourceAge): AgeReport => ({
  age_s: dataAgeS === null ? a.age_s : Math.max(dataAgeS, a.age_s ?? 0),
  stale: a.stale || stale,
});

/** An engine that was asked about several targets counts once. */
const joinEngines = (a: EngineAges, b: EngineAges): EngineAges => ({
  ...a,
  newestS:
    a.newestS === null || b.newestS === null ? (a.newestS ?? b.newestS) : Math.min(a.newestS, b.newestS),
  oldestS:
    a.oldestS === null || b.oldestS === null ? (a.oldestS ?? b.oldestS) : Math.max(a.oldestS, b.oldestS),
  stale: b.stale.length === 0 ? a.stale : [...new Set([...a.stale, ...b.stale])],
});

/**
 * Month of the oldest shipped list that the score rests on: of the lists that name the target, else of all that
 * answered. Null where an engine among them has other data, and where none answered.
 */
function bundledMonthOf(consultation: Consultation, computedAt: Date): string | null {
  const detections = detectionsOf(consultation);
  let oldestS = -1;
  for (const { seed, dataAgeS } of detections.length > 0 ? detections : consultation.verdicts) {
    if (!seed) return null;
    if (dataAgeS > oldestS) oldestS = dataAgeS;
  }
  return oldestS < 0 ? null : new Date(computedAt.getTime() - oldestS * 1000).toISOString().slice(0, 7);
}

/** Age of the oldest part of an answer without engines. Design 3.4. */
export function freshnessOfSources(
  first: SourceAge,
  others: readonly SourceAge[],
  computedAt: Date,
): FreshnessReport {
  let { dataAgeS, stale, cached } = first;
  for (const source of others) {
    if (source.dataAgeS !== null && source.dataAgeS > (dataAgeS ?? -1)) dataAgeS = source.dataAgeS;
    stale ||= source.stale;
    cached ||= source.cached;
  }
  return { data_age_s: dataAgeS, stale, cached, computed_at: isoSeconds(computedAt) };
}
