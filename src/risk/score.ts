import type { Consultation, Verdict } from "../engines/kind.ts";
import { detectionsOf, type Tally, tallyOf } from "../engines/tally.ts";
import { adjustmentsOf } from "./caps.ts";
import { type Family, type FamilyHit, familyHit, groupFamilies } from "./families.ts";
import { baseOf, byText, FORMULA, inOrder, pointsOf } from "./formula.ts";
import { familyReason } from "./reasons.ts";
import type { Adjustment, Band, Factor, RiskScore } from "./shapes.ts";

/** A fact that adds to the score beside the lists. Design 4.4. */
export type Signal = {
  /** Without the `signal_` prefix, e.g. `tor`. */
  readonly name: string;
  readonly strength: number;
  readonly reason: string;
  /** Keys of the engines that already say the same: the signal joins their family. */
  readonly repeats?: readonly string[];
};

/** What clears the URL that one redirect of a chain leads to. Design 4.3. */
export type HopClearance = {
  /** `matched.hop` of what was found there. */
  readonly hop: number;
  /** Allowlists that name that URL. */
  readonly allowlists: readonly Verdict[];
  readonly sharedInfrastructure: string | null;
};

export type ScoreInput = {
  readonly consultation: Consultation;
  readonly signals: readonly Signal[];
  /** CDN edge, public DNS, large mail sender, verified crawler …: the sentence that says so, else null. */
  readonly sharedInfrastructure: string | null;
  /** Of the URLs that the target redirects to. */
  readonly hops?: readonly HopClearance[];
  readonly isBogon: boolean;
  readonly computedAt: Date;
  /** As `familyHit` at `computedAt`, by a caller that weighs the same verdicts again and again. */
  readonly hitOf?: (verdict: Verdict) => FamilyHit;
};

/** What a score is made of, without its texts. */
export type Weighed = {
  readonly families: readonly Family[];
  readonly base: number;
  readonly adjustments: readonly Adjustment[];
  /** 0 to 100. */
  readonly result: number;
};

const WEIGHTLESS: Weighed = { families: [], base: 0, adjustments: [], result: 0 };

/** Weighs one target by what the engines and the facts say: pure. Design 4. */
export function weighTarget(input: ScoreInput): Weighed {
  const detections = detectionsOf(input.consultation);
  const { signals, computedAt, hitOf = (verdict) => familyHit(verdict, computedAt) } = input;
  if (detections.length === 0 && signals.length === 0) return WEIGHTLESS;
  const families = groupFamilies(detections, signals, hitOf);
  const base = baseOf(families);
  const adjustments = adjustmentsOf(base, {
    families,
    detections,
    signals,
    allowlists: input.consultation.allowlists,
    sharedInfrastructure: input.sharedInfrastructure,
    hops: input.hops ?? [],
    computedAt,
  });
  const result = adjustments.reduce((total, { points }) => total + points, base);
  return { families, base, adjustments, result };
}

/**
 * The score of one target from what the engines and the facts say: pure, and the same integer for everyone who
 * recomputes it from the answer. Σ factors.points + Σ adjustments.points = result, 0 to 100. Design 4.
 */
export function scoreTarget(input: ScoreInput): RiskScore {
  const { families, base, adjustments, result } = weighTarget(input);
  const coverage = tallyOf(input.consultation);
  const band = bandOf(result);
  return {
    result,
    band,
    verdict: verdictOf(result, band, coverage, input.isBogon),
    coverage: coverageShare(coverage),
    factors: families.length === 0 ? [] : factorsOf(families, input.computedAt),
    adjustments,
    base,
    formula: FORMULA,
  };
}

/** The band of a result, 0 to 100. Design 4.5. */
export function bandOf(result: number): Band {
  if (result >= 90) return "critical";
  if (result >= 75) return "high";
  if (result >= 50) return "elevated";
  if (result >= 20) return "suspicious";
  return result >= 1 ? "low" : "clean";
}

/** A share of engines as counts, so that its rounding is exact. */
type Coverage = Pick<Tally, "fresh" | "total">;

/** Two decimals, half upward; 0 of no engines. Design 3.1. */
const coverageShare = ({ fresh, total }: Coverage): number =>
  total === 0 ? 0 : Math.round((100 * fresh) / total) / 100;

/** What was not asked can only add: a hit stands without the other engines, a "clean" does not. Design 4.5. */
function verdictOf(
  result: number,
  band: Band,
  { fresh, total }: Coverage,
  isBogon: boolean,
): RiskScore["verdict"] {
  if (isBogon && result === 0) return "not_applicable";
  const isHalfAsked = total > 0 && 2 * fresh >= total;
  return !isHalfAsked && (band === "clean" || band === "low") ? "unknown" : band;
}

function factorsOf(families: readonly Family[], computedAt: Date): readonly Factor[] {
  const points = pointsOf(families);
  const factors = families.map((family) => ({
    key: family.key,
    points: points.get(family.key) ?? 0,
    reason: familyReason(family, computedAt),
    strength: family.strength,
    engines: inOrder(
      family.verdicts.map(({ engine }) => engine.key),
      byText,
    ),
  }));
  return inOrder(factors, (a, b) => b.points - a.points || byText(a.key, b.key));
}
