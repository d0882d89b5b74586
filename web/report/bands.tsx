import {
  CircleCheck,
  CircleMinus,
  CircleQuestionMark,
  Info,
  OctagonAlert,
  OctagonX,
  TriangleAlert,
} from "lucide-react";
import type { RiskScore } from "../api/types.gen.ts";

export type VerdictWord = RiskScore["verdict"];
type Band = RiskScore["band"];

/** Each verdict has a word and a sign of its own: colour alone says nothing. */
export const VERDICTS: Readonly<Record<VerdictWord, { word: string; meaning: string; Icon: typeof Info }>> = {
  clean: { word: "Clean", meaning: "No sign of abuse was found.", Icon: CircleCheck },
  low: { word: "Low", meaning: "Weak evidence of abuse.", Icon: Info },
  suspicious: { word: "Suspicious", meaning: "Some evidence of abuse.", Icon: TriangleAlert },
  elevated: { word: "Elevated", meaning: "Strong evidence of abuse.", Icon: TriangleAlert },
  high: { word: "High", meaning: "Very strong evidence of abuse.", Icon: OctagonAlert },
  critical: { word: "Critical", meaning: "Several independent signs of abuse.", Icon: OctagonX },
  unknown: { word: "Unknown", meaning: "Too few engines answered to say clean.", Icon: CircleQuestionMark },
  not_applicable: { word: "Not applicable", meaning: "Not a public address.", Icon: CircleMinus },
};

/** Lists that say who hides or what may not send mail: an entry is no accusation of abuse. */
const HARMLESS: ReadonlyMap<string, string> = new Map([
  ["vpn", "VPN"],
  ["proxy", "proxy"],
  ["tor", "Tor exit"],
  ["policy", "excluded by policy"],
]);

/** What a verdict means where all that is known comes from lists of these categories; empty: not known of which. */
export function meaningOf(verdict: VerdictWord, categories: readonly string[]): string {
  const { meaning } = VERDICTS[verdict];
  const names = [...new Set(categories)].map((category) => HARMLESS.get(category) ?? null);
  if (!BANDS.some(([, band]) => band === verdict) || names.length === 0 || names.includes(null))
    return meaning;
  return `Known as ${names.join(", ")}, which is not abuse by itself.`;
}

/** Lower bounds of the bands, highest first, as the interface defines them. */
const BANDS: readonly (readonly [from: number, band: Band])[] = [
  [90, "critical"],
  [75, "high"],
  [50, "elevated"],
  [20, "suspicious"],
  [1, "low"],
];

/** Where the scale of the bar is marked. */
export const BAND_STARTS: readonly number[] = BANDS.map(([from]) => from).filter((from) => from > 1);

/** The band of a number that comes without one. */
export const bandOf = (result: number): Band => BANDS.find(([from]) => result >= from)?.[1] ?? "clean";
