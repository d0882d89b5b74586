import { z } from "zod";
import type { ResultFacts } from "../results/result.ts";
import { RiskScoreShape } from "../risk/shapes.ts";

const score = RiskScoreShape.pick({ result: true, band: true, verdict: true });
const lists = z.object({ detections: z.int(), engines_count: z.int() });

/** The score of a URL stands in the report of its page. */
const judged = z.object({
  risk_score: score.optional(),
  report: z.object({ risk_score: score }).optional().catch(undefined),
  blacklists: lists.optional(),
});

/** The score of an answer's `data`, whatever product and view it is of; null where it holds none that can be read. */
export function scoreOf(data: unknown): z.output<typeof score> | null {
  const { data: answer } = judged.safeParse(data);
  return answer?.risk_score ?? answer?.report?.risk_score ?? null;
}

const NOTHING = { verdict: null, score: null, detections: null, engines: null } as const;

/** What a list of answers shows of one, out of its `data`; nulls where it holds no score. */
export function answerFacts(data: unknown): ResultFacts {
  const { data: answer } = judged.safeParse(data);
  const found = scoreOf(answer);
  if (answer === undefined || found === null) return NOTHING;
  // Nothing was judged: a zero would say that the target was found clean.
  if (found.verdict === "not_applicable") return { ...NOTHING, verdict: found.verdict };
  const { detections, engines_count: engines } = answer.blacklists ?? { detections: 0, engines_count: 0 };
  return {
    verdict: found.verdict,
    // Too few sources answered: a zero would read as clean. What some of them said counts.
    score: found.verdict === "unknown" && found.result === 0 ? null : found.result,
    ...(engines === 0 ? { detections: null, engines: null } : { detections, engines }),
  };
}
