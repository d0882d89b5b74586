import { z } from "zod";
import { InvalidValue } from "../base/failure.ts";
import { Freshness, RiskScoreShape } from "../risk/shapes.ts";

/** Shapes that several products' answers share. Shape only: what they mean stands in the descriptions. */

/** What a policy says of the target, where a call names one. */
export const DispositionShape = z
  .object({
    policy: z.string().describe("Its name in the configuration"),
    action: z.enum(["allow", "challenge", "block"]).describe("What the policy says to do"),
    because: z
      .array(z.string())
      .describe(
        "block, challenge: the sources that count, most points first. allow: what kept the score from more; empty where the " +
          "score is too low. unknown: too few engines answered",
      ),
  })
  .meta({ id: "Disposition" });

/** What every report ends with. */
export const REPORT_END = {
  freshness: Freshness,
  unknown_fields: z
    .array(z.string())
    .describe("Paths of members whose source is absent or failed; they hold their default"),
  elapsed_ms: z.int().default(0).describe("Time that the work took, milliseconds"),
};

/** The view `verdict` of a product whose target stands in the member `field`. */
export const verdictShape = (id: string, field: string) => {
  const part = z.object({
    key: z.string().describe("Family, signal or cap"),
    points: z.int().describe("Points that it adds to the score, or takes from it"),
  });
  const { result, band, verdict, coverage } = RiskScoreShape.shape;
  return z
    .object({
      [field]: z.string().describe("The target, normalised"),
      risk_score: z
        .object({
          result,
          band,
          verdict,
          coverage,
          factors: z.array(part).describe("What makes the score"),
          adjustments: z.array(part).describe("What changes it afterwards"),
        })
        .meta({ id: "RiskScoreVerdict", description: "The score and what makes it" }),
      unanswered_count: z.int().describe("Engines that are enabled, apply and gave no answer"),
      freshness: Freshness,
    })
    .meta({ id });
};

/** A text of the kind that `parse` reads: what it refuses is a fault of this member. */
export const textOfKind = (parse: (text: string) => unknown) =>
  z.string().superRefine((value, context) => addRefusal(context, () => parse(value)));

/** Runs `parse`; an InvalidValue becomes a fault at `path`, with its reason. */
export function addRefusal(
  context: z.core.$RefinementCtx,
  parse: () => unknown,
  path: readonly string[] = [],
): void {
  try {
    parse();
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error;
    const { message, reason } = error;
    // What joins several members is judged only when each of them is sound.
    context.addIssue({ code: "custom", message, path: [...path], params: { reason }, continue: false });
  }
}
