import { z } from "zod";
import { ResultFacts } from "../../results/result.ts";
import { RiskScoreShape } from "../../risk/shapes.ts";

// Answers that are kept for an account. Times are ISO 8601 in UTC.

/** Words of a score's verdict. */
export const ResultVerdict = RiskScoreShape.shape.verdict;

/** Longest life of a link, days. */
const MAX_SHARE_DAYS = 90;

const ResultRow = z.object({
  id: z.string(),
  at: z.string().describe("When it was looked up"),
  request_id: z.string(),
  product: z.string(),
  target: z.string(),
  ...ResultFacts.shape,
  run_id: z.string().nullable().describe("The bulk run that it is part of"),
});

export const ResultsView = z.object({
  results: z.array(ResultRow).describe("Newest first"),
  total: z.int().describe("Of all that match"),
  kept_days: z.int().describe("0: this installation keeps none"),
});

const ShareView = z.object({ id: z.string(), created_at: z.string(), expires_at: z.string() });

export const ResultView = z.object({
  result: ResultRow.extend({
    question: z.record(z.string(), z.unknown()).describe("The body that asked for it"),
    expires_at: z.string().describe("When it is deleted"),
    report: z.unknown().describe("`data` of the answer, as it was then"),
  }),
  shares: z.array(ShareView).describe("Links that still open"),
});

export const ShareInput = z.object({
  days: z.int().min(1).max(MAX_SHARE_DAYS).describe(`How long the link opens: 1 to ${MAX_SHARE_DAYS} days`),
});

export const NewShareView = ShareView.extend({
  path: z.string().describe("Path of the page, with the token that is shown this once"),
});
