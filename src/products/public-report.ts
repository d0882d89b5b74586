import { z } from "zod";
import { Blacklists, type EngineResult } from "../engines/shapes.ts";
import { type RiskScore, RiskScoreShape } from "../risk/shapes.ts";

const WholeReport = z.looseObject({
  blacklists: Blacklists.optional(),
  risk_score: RiskScoreShape.optional(),
});

/**
 * A whole report as strangers may see it: of the lists that the operator configured their names and states alone, and
 * nothing of the operator's own records.
 */
export function publicReport(report: unknown, ownKeys: ReadonlySet<string>): object {
  const { blacklists, risk_score: score, ...facts } = WholeReport.parse(report);
  const shown = "vendor_enrichment" in facts ? { ...facts, vendor_enrichment: null } : facts;
  if (blacklists === undefined) return shown;
  const scored = score === undefined ? {} : { risk_score: retold(score, blacklists, ownKeys) };
  return { ...shown, ...scored, blacklists: hidden(blacklists, ownKeys) };
}

/** Reasons quote the entry that matches. */
const retold = (
  score: RiskScore,
  { engines, allowlists }: Lists,
  ownKeys: ReadonlySet<string>,
): RiskScore => ({
  ...score,
  factors: score.factors.map((factor) =>
    factor.engines.some((key) => ownKeys.has(key))
      ? {
          ...factor,
          reason: `Listed by ${factor.engines.map((key) => engines[key]?.name ?? key).join(", ")}`,
        }
      : factor,
  ),
  adjustments: score.adjustments.map((adjustment) =>
    adjustment.key === "allowlisted" && Object.keys(allowlists).some((key) => ownKeys.has(key))
      ? { ...adjustment, reason: "An allowlist names the target" }
      : adjustment,
  ),
});

type Lists = z.infer<typeof Blacklists>;

const hidden = (blacklists: Lists, ownKeys: ReadonlySet<string>): Lists => ({
  ...blacklists,
  engines: byKey(blacklists.engines, (key, engine) => {
    if (!ownKeys.has(key)) return engine;
    return "matched" in engine ? unreferenced(engine) : { ...engine, reference: "" };
  }),
  allowlists: byKey(blacklists.allowlists, (key, list) => (ownKeys.has(key) ? unreferenced(list) : list)),
  engines_unavailable: blacklists.engines_unavailable.map((engine) =>
    ownKeys.has(engine.key) ? { ...engine, detail: "" } : engine,
  ),
});

const byKey = <T>(of: Readonly<Record<string, T>>, change: (key: string, value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(key, value)]));

/** Without what the list says of its entry, or the entry itself. */
const unreferenced = (result: z.infer<typeof EngineResult>): z.infer<typeof EngineResult> => ({
  ...result,
  reference: "",
  matched: result.matched === null ? null : { ...result.matched, value: "" },
  codes: [],
  reason: null,
});
