import type { Blacklists, EngineResult, RiskScore } from "../api/types.gen.ts";
import { sentence, words } from "./numbers.ts";

type Factor = RiskScore["factors"][number];
type Category = EngineResult["category"];

/** The factors of one kind: of one category of lists, or one sign. */
export type ReasonGroup = {
  readonly key: string;
  /** In the legend of the bar. */
  readonly label: string;
  readonly points: number;
  /** Most points first. */
  readonly factors: readonly Factor[];
  /** The lists behind them that name the target. */
  readonly engines: readonly EngineResult[];
  /** What the target is listed for; null of a sign that is no list. */
  readonly listedFor: string | null;
};

/** What lists of a category name a target for: in a legend, and behind "Listed". */
const CATEGORIES: Readonly<Record<Category, readonly [label: string, listedFor: string]>> = {
  hijacked: ["hijacked", "as a hijacked network"],
  c2: ["command and control", "for command and control"],
  malware: ["malware", "for malware"],
  phishing: ["phishing", "for phishing"],
  attack: ["attacks", "for attacks"],
  abuse: ["abuse", "for abuse"],
  spam: ["spam", "for spam"],
  scanner: ["scanning", "for scanning"],
  proxy: ["proxy", "as a proxy"],
  tor: ["Tor", "as a Tor node"],
  vpn: ["VPN", "as a VPN"],
  suspicious: ["suspicious", "as suspicious"],
  aggregate: ["aggregate lists", "on aggregate lists"],
  policy: ["policy", "by policy"],
};

/** The factors with those of one kind together, most points first. */
export function groupReasons(
  factors: readonly Factor[],
  blacklists: Pick<Blacklists, "engines"> | null,
): readonly ReasonGroup[] {
  const grouped = new Map<string, { factors: Factor[]; category: Category | null }>();
  for (const factor of factors) {
    const category = enginesOf(factor, blacklists)[0]?.category ?? null;
    const key = category ?? factor.key;
    const group = grouped.get(key) ?? { factors: [], category };
    group.factors.push(factor);
    grouped.set(key, group);
  }
  return [...grouped]
    .map(([key, { factors: found, category }]) => {
      const own = found.toSorted((a, b) => b.points - a.points);
      return {
        key,
        label: category === null ? labelOf(key) : CATEGORIES[category][0],
        points: own.reduce((sum, { points }) => sum + points, 0),
        factors: own,
        engines: own.flatMap((factor) => enginesOf(factor, blacklists)),
        listedFor: category === null ? null : CATEGORIES[category][1],
      };
    })
    .toSorted((a, b) => b.points - a.points);
}

/** The lists behind a factor. Engines in short do not name the target. */
export const enginesOf = (
  { engines: keys }: Pick<Factor, "engines">,
  blacklists: Pick<Blacklists, "engines"> | null,
): readonly EngineResult[] =>
  keys.flatMap((key) => {
    const engine = blacklists?.engines[key];
    return engine !== undefined && "kind" in engine ? [engine] : [];
  });

/** The key of a sign in words. */
export const labelOf = (key: string): string => words(key.replace(/^signal_/, ""));

/** `Listed for attacks by CINS and 2 others`; of a single factor its own reason. */
export function titleOf({ factors: [first, ...others], engines, listedFor, label }: ReasonGroup): string {
  if (first !== undefined && others.length === 0) return first.reason;
  const names = [...new Set(engines.map(({ name }) => name))];
  if (listedFor === null || names[0] === undefined) return sentence(label);
  const more = names.length - 1;
  const rest = more === 0 ? "" : ` and ${more} ${more === 1 ? "other" : "others"}`;
  return `Listed ${listedFor} by ${names[0]}${rest}`;
}
