import type { Engine, Verdict } from "./kind.ts";
import type { EngineReport } from "./shapes.ts";

export const reportVerdicts = (
  verdicts: readonly Verdict[],
  targetText: string,
): Readonly<Record<string, EngineReport>> =>
  Object.fromEntries(verdicts.map((verdict) => [verdict.engine.key, reportVerdict(verdict, targetText)]));

/** What the engine said of `targetText`, the normalised target. */
export const reportVerdict = (verdict: Verdict, targetText: string): EngineReport => ({
  name: verdict.engine.name,
  detected: verdict.detected,
  reference: referenceOf(verdict.engine, verdict.matched?.value ?? targetText),
  elapsed_ms: Math.round(verdict.elapsedMs),
  kind: verdict.engine.kind,
  category: verdict.category,
  confidence: verdict.confidence,
  family: verdict.engine.family,
  matched: verdict.matched,
  codes: verdict.codes,
  reason: verdict.reason,
  first_seen: verdict.firstSeen,
  last_seen: verdict.lastSeen,
  data_age_s: verdict.dataAgeS,
  stale: verdict.stale,
  seed: verdict.seed,
});

/** The template with `{value}` filled in; without one the home page; "" when neither is known. */
const referenceOf = ({ reference, homepage }: Engine, value: string): string =>
  reference === null
    ? (homepage ?? "")
    : reference.split(PLACE).join(encodeURIComponent(value.toWellFormed()));

const PLACE = "{value}";

/** An engine that does not name the target: what the interface asks for, and what coverage is counted from. */
export const reportMiss = ({ engine, elapsedMs, dataAgeS, stale }: Verdict) => ({
  name: engine.name,
  detected: false,
  reference: pageOf(engine),
  elapsed_ms: Math.round(elapsedMs),
  data_age_s: dataAgeS,
  stale,
});

/** The engine's own page, which is the same for every target; "" when none is known. */
const pageOf = ({ reference, homepage }: Engine): string =>
  homepage ?? (reference === null || reference.includes(PLACE) ? "" : reference);
