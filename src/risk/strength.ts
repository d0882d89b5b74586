import { DAY_S } from "../base/durations.ts";
import type { Category, Confidence, MatchLevel, Verdict } from "../engines/kind.ts";

/** Weight and half-life of a category; a change of any number here changes the formula's name. Source: design 4.1. */
export const CATEGORY_WEIGHTS: Readonly<
  Record<Category, { readonly weight: number; readonly halfLifeDays: number | null }>
> = {
  hijacked: { weight: 0.9, halfLifeDays: 180 },
  c2: { weight: 0.9, halfLifeDays: 30 },
  malware: { weight: 0.85, halfLifeDays: 14 },
  phishing: { weight: 0.85, halfLifeDays: 14 },
  attack: { weight: 0.6, halfLifeDays: 7 },
  abuse: { weight: 0.5, halfLifeDays: 14 },
  spam: { weight: 0.45, halfLifeDays: 14 },
  scanner: { weight: 0.35, halfLifeDays: 7 },
  proxy: { weight: 0.3, halfLifeDays: 3 },
  tor: { weight: 0.3, halfLifeDays: 3 },
  vpn: { weight: 0.1, halfLifeDays: 30 },
  suspicious: { weight: 0.4, halfLifeDays: 14 },
  aggregate: { weight: 0.5, halfLifeDays: 7 },
  policy: { weight: 0.05, halfLifeDays: null },
};

/** What a hit of each confidence is worth. Source: design 4.1. */
export const CONFIDENCE_FACTORS: Readonly<Record<Confidence, number>> = { high: 1, medium: 0.75, low: 0.4 };

/** What a hit at each level is worth. Source: design 4.1. */
export const LEVEL_FACTORS: Readonly<Record<MatchLevel, number>> = {
  ip: 1,
  network: 1,
  domain: 1,
  url: 1,
  email: 1,
  registered_domain: 0.8,
  url_host: 0.6,
  embedded_ipv4: 0.5,
};

/** No single family makes the score certain. Source: design 4.1. */
export const MAX_STRENGTH = 0.99;

const SEED_MIN_DECAY = 0.5;
const STRONG_MAX_AGE_S = 7 * DAY_S;
const STRONG_LEVELS: ReadonlySet<MatchLevel> = new Set(["ip", "domain", "url"]);

/** Strength of one detecting engine, 0 to 0.9, neither capped nor rounded; 0 when it does not detect. Design 4.1. */
export function strengthOf(verdict: Verdict, computedAt: Date): number {
  if (!verdict.detected) return 0;
  const { weight } = CATEGORY_WEIGHTS[verdict.category];
  const level = verdict.matched === null ? 1 : LEVEL_FACTORS[verdict.matched.level];
  return weight * CONFIDENCE_FACTORS[verdict.confidence] * level * decayOf(verdict, computedAt);
}

/** A strength as it counts: at most 0.99, four decimals. Design 4.1. */
export const roundStrength = (strength: number): number =>
  Math.floor(Math.min(Math.max(strength, 0), MAX_STRENGTH) * 1e4 + 0.5 + 1e-9) / 1e4;

/** Whether what an engine says can be a strong hit, if it is close and recent enough; a seed's never is. Design 4.3. */
export const mayBeStrong = ({
  seed,
  confidence,
  category,
}: Pick<Verdict, "seed" | "confidence" | "category">) =>
  !seed && confidence === "high" && category !== "policy" && category !== "aggregate";

/** Whether a hit is firm, close and recent enough to break caps. Design 4.3. */
export function isStrongHit(verdict: Verdict, computedAt: Date): boolean {
  if (!verdict.detected || verdict.matched === null || !mayBeStrong(verdict)) return false;
  if (!STRONG_LEVELS.has(verdict.matched.level)) return false;
  return (ageSinceSeenS(verdict, computedAt) ?? verdict.dataAgeS) <= STRONG_MAX_AGE_S;
}

function decayOf(verdict: Verdict, computedAt: Date): number {
  const { halfLifeDays } = CATEGORY_WEIGHTS[verdict.category];
  if (halfLifeDays === null) return 1;
  const ageS = ageSinceSeenS(verdict, computedAt) ?? (verdict.stale ? verdict.dataAgeS : 0);
  const decay = 0.5 ** (ageS / DAY_S / halfLifeDays);
  return verdict.seed ? Math.max(SEED_MIN_DECAY, decay) : decay;
}

/** Seconds since `last_seen`, never below 0; null when the publisher gives none, or none that is a date. */
function ageSinceSeenS(verdict: Verdict, computedAt: Date): number | null {
  if (verdict.lastSeen === null) return null;
  const seenMs = Date.parse(utcText(verdict.lastSeen));
  if (Number.isNaN(seenMs)) return null;
  // The answer shows `computed_at` in whole seconds: a score can only be recomputed from that time.
  const computedAtMs = Math.floor(computedAt.getTime() / 1000) * 1000;
  return Math.max(0, (computedAtMs - seenMs) / 1000);
}

// Date.parse() reads a date without a time as UTC, but a time without a zone as the machine's own.
const utcText = (text: string): string =>
  /[T ]\d\d:[\d:.]+$/.test(text) ? `${text.replace(" ", "T")}Z` : text;
