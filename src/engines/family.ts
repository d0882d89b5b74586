import type { Verdict } from "./kind.ts";

/** The independent source that a hit counts for: `aggregate`, `policy`, or the engine's own family. Design 4.1. */
export function familyOf(verdict: Verdict): string {
  if (verdict.engine.aggregate) return "aggregate";
  return verdict.category === "policy" ? "policy" : verdict.engine.family;
}
