import { isoSeconds } from "../clock.ts";
import type { Consultation } from "../engines/kind.ts";
import { detectionsOf, tallyOf } from "../engines/tally.ts";
import type { DnssecCheck } from "../enrichment/dns/dnssec.ts";
import type { JudgedDomain } from "../enrichment/names/domain-facts.ts";
import type { VendorAnswer } from "../enrichment/vendor.ts";
import type { Lookup } from "../registration/outcome.ts";

/** Age of one thing that an answer rests on. */
export type SourceAge = {
  /** Seconds; null when it did not answer. */
  readonly dataAgeS: number | null;
  readonly stale: boolean;
  readonly cached: boolean;
};

/** The `freshness` object of design 3.4, as it stands on the wire. */
export type FreshnessReport = {
  /** Greatest age among everything that answered, seconds; null when nothing did. */
  readonly data_age_s: number | null;
  readonly stale: boolean;
  readonly cached: boolean;
  readonly computed_at: string;
  /** `2026-08`: the score rests on lists shipped with the product alone, the oldest of that month. */
  readonly bundled_data?: string | undefined;
};

/** Age of what engines said of one target: of those that answered, and of the allowlists that name it. */
export function ageOfConsultation(consultation: Consultation): SourceAge {
  const { verdicts, allowlists, cached } = consultation;
  const { oldestS, fresh } = tallyOf(consultation);
  let dataAgeS = oldestS;
  let stale = fresh < verdicts.length;
  for (const allowlist of allowlists) {
    if (allowlist.dataAgeS > dataAgeS) dataAgeS = allowlist.dataAgeS;
    stale ||= allowlist.stale;
  }
  return { dataAgeS: dataAgeS < 0 ? null : dataAgeS, stale, cached };
}

/** Age of what was true at one time: of tables and lists, of a registry's answer. */
export const ageOfData = (
  { asOf, stale, cached }: { readonly asOf: Date | null; readonly stale: boolean; readonly cached: boolean },
  computedAt: Date,
): SourceAge => ({
  dataAgeS: asOf === null ? null : Math.max(0, Math.floor((computedAt.getTime() - asOf.getTime()) / 1000)),
  stale,
  cached,
});

/** Age of a registry's answer; a kept failure is no answer. */
export const ageOfLookup = (
  { status, fetchedAt, stale, cached }: Lookup<unknown>,
  computedAt: Date,
): SourceAge => ageOfData({ asOf: fetchedAt, stale, cached: cached && status !== "error" }, computedAt);

/** Age of the lists that a name's facts were drawn from. */
export const ageOfLists = (
  { asOfMs, stale }: Pick<JudgedDomain, "asOfMs" | "stale">,
  computedAt: Date,
): SourceAge =>
  ageOfData({ asOf: asOfMs === null ? null : new Date(asOfMs), stale, cached: false }, computedAt);

/** Age of what DNS said of signatures; null: nobody asked. */
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

/** Age of the oldest part of an answer: what the engines said of its target, and `extra`. Design 3.4. */
export const freshnessOf = (
  consultation: Consultation,
  extra: readonly SourceAge[],
  computedAt: Date,
): FreshnessReport => {
  const report = freshnessOfSources(ageOfConsultation(consultation), extra, computedAt);
  const month = bundledMonthOf(consultation, computedAt);
  return month === null ? report : { ...report, bundled_data: month };
};

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

/** As `freshnessOf`, of an answer without engines too. */
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
