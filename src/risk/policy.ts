import type { Category, Consultation } from "../engines/kind.ts";
import type { Factor, RiskScore } from "./shapes.ts";

export type Action = "allow" | "challenge" | "block";

/** What is done with a target by its score. */
export type Policy = {
  readonly name: string;
  readonly blockAt: number;
  /** Null: nothing is challenged. */
  readonly challengeAt: number | null;
  /** Null: every source counts. */
  readonly categories: ReadonlySet<Category> | null;
  readonly familiesMin: number;
  readonly onUnknown: Action;
};

/** What a policy says of a target, as it stands on the wire. */
export type Disposition = {
  readonly policy: string;
  readonly action: Action;
  /**
   * For `block` and `challenge`: keys of the sources that count, most points first, or `unknown`. For `allow`: what kept a
   * score from more (`allowlisted`, `shared_infrastructure` …, `categories`, `families_min`), `unknown` or `not_applicable`;
   * empty where the score itself is too low.
   */
  readonly because: readonly string[];
};

/** What a disposition is made from. */
export type PolicyInput = {
  readonly score: RiskScore;
  readonly consultation: Pick<Consultation, "verdicts">;
};

type Options = {
  readonly block_at: number;
  readonly challenge_at?: number | null | undefined;
  readonly categories: readonly Category[] | null;
  readonly families_min: number;
  readonly on_unknown: Action;
};

const CHALLENGE_AT = 50;

/** A policy of the configuration file, defaults filled. */
export const policyFrom = (name: string, options: Options): Policy => ({
  name,
  blockAt: options.block_at,
  challengeAt:
    options.challenge_at === undefined
      ? options.block_at > CHALLENGE_AT
        ? CHALLENGE_AT
        : null
      : options.challenge_at,
  categories: options.categories === null ? null : new Set(options.categories),
  familiesMin: options.families_min,
  onUnknown: options.on_unknown,
});

/** The disposition of a target: pure, and the same for the gate, exports and lookups. */
export function judge(policy: Policy, { score, consultation }: PolicyInput): Disposition {
  const { name } = policy;
  if (score.verdict === "unknown") return { policy: name, action: policy.onUnknown, because: ["unknown"] };
  const action = actionAt(policy, score.result);
  if (action === "allow") return { policy: name, action, because: whyAllowed(policy, score) };
  const families = countedFamilies(policy, score.factors, consultation);
  if (families.length >= policy.familiesMin)
    return { policy: name, action, because: families.map(({ key }) => key) };
  const isByCategory = score.factors.length >= policy.familiesMin;
  return { policy: name, action: "allow", because: [isByCategory ? "categories" : "families_min"] };
}

function actionAt({ blockAt, challengeAt }: Policy, result: number): Action {
  if (result >= blockAt) return "block";
  return challengeAt !== null && result >= challengeAt ? "challenge" : "allow";
}

const whyAllowed = (policy: Policy, score: RiskScore): readonly string[] =>
  score.verdict === "not_applicable" ? [score.verdict] : keptFromMore(policy, score);

/** What kept a score below what the policy would challenge or block, however many engines answered; empty: the score is too low. */
export const keptFromMore = (policy: Policy, { base, adjustments }: RiskScore): readonly string[] =>
  actionAt(policy, base) === "allow" ? [] : adjustments.map(({ key }) => key);

/** Facts that say what a list of the category would. */
const SIGNAL_CATEGORIES: Readonly<Record<string, Category>> = {
  signal_tor: "tor",
  signal_proxy: "proxy",
  signal_residential_proxy: "proxy",
  signal_webproxy: "proxy",
  signal_vpn: "vpn",
};

function countedFamilies(
  { categories }: Policy,
  factors: readonly Factor[],
  { verdicts }: PolicyInput["consultation"],
): readonly Factor[] {
  if (categories === null) return factors;
  const counted = new Set<string>();
  for (const { detected, category, engine } of verdicts)
    if (detected && categories.has(category)) counted.add(engine.key);
  return factors.filter(({ key, engines }) => {
    const signal = SIGNAL_CATEGORIES[key];
    return (signal !== undefined && categories.has(signal)) || engines.some((engine) => counted.has(engine));
  });
}
