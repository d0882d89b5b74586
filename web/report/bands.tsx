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

export type Verdict = RiskScore["verdict"];
type Band = RiskScore["band"];

/** Each verdict has a word and a sign of its own: colour alone says nothing. */
export const VERDICTS: Readonly<Record<Verdict, { word: string; meaning: string; Icon: typeof Info }>> = {
  clean: { word: "Clean", meaning: "Nothing speaks against it.", Icon: CircleCheck },
  low: { word: "Low", meaning: "Little speaks against it.", Icon: Info },
  suspicious: { word: "Suspicious", meaning: "Some signs speak against it.", Icon: TriangleAlert },
  elevated: { word: "Elevated", meaning: "Much speaks against it.", Icon: TriangleAlert },
  high: { word: "High", meaning: "Strong signs speak against it.", Icon: OctagonAlert },
  critical: { word: "Critical", meaning: "Several strong signs speak against it.", Icon: OctagonX },
  unknown: { word: "Unknown", meaning: "Too few engines answered to say clean.", Icon: CircleQuestionMark },
  not_applicable: { word: "Not applicable", meaning: "Not a public address.", Icon: CircleMinus },
};

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
