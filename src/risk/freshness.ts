import { isoSeconds } from "../clock.ts";
import type { Consultation } from "../engines/kind.ts";

/** Age of one thing beside the engines that the answer rests on. */
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
};

/** Age of the oldest part of an answer: its engines, the allowlists that name the target, and `extra`. Design 3.4. */
export function freshnessOf(
  consultation: Consultation,
  extra: readonly SourceAge[],
  computedAt: Date,
): FreshnessReport {
  let dataAgeS = -1;
  let stale = false;
  let cached = consultation.cached;
  const oldest = (ageS: number) => {
    if (ageS > dataAgeS) dataAgeS = ageS;
  };
  for (const verdict of consultation.verdicts) {
    oldest(verdict.dataAgeS);
    stale ||= verdict.stale;
  }
  for (const allowlist of consultation.allowlists) {
    oldest(allowlist.dataAgeS);
    stale ||= allowlist.stale;
  }
  for (const source of extra) {
    if (source.dataAgeS !== null) oldest(source.dataAgeS);
    stale ||= source.stale;
    cached ||= source.cached;
  }
  return { data_age_s: dataAgeS < 0 ? null : dataAgeS, stale, cached, computed_at: isoSeconds(computedAt) };
}
