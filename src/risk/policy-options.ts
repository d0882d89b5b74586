import { z } from "zod";
import { CATEGORIES } from "../engines/kind.ts";
import { policyFrom } from "./policy.ts";

const NAME = /^[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?$/;
const points = z.int().min(1).max(100);

const policySchema = z
  .strictObject({
    block_at: points.default(75).describe("Least score that blocks"),
    challenge_at: points
      .nullable()
      .optional()
      .describe(
        "Least score that challenges; null: none does. Default: 50 where that is below block_at, else none",
      ),
    categories: z
      .array(z.enum(CATEGORIES))
      .min(1)
      .nullable()
      .default(null)
      .describe(
        "Only sources that list the target under one of these count for families_min; null: every source",
      ),
    families_min: z
      .int()
      .min(1)
      .max(20)
      .default(1)
      .describe("Least number of independent sources behind a score that blocks or challenges"),
    on_unknown: z
      .enum(["allow", "challenge", "block"])
      .default("allow")
      .describe("What is done where too few engines answered to call a target clean"),
  })
  .superRefine(({ block_at: block, challenge_at: challenge }, context) => {
    if (challenge === null || challenge === undefined || challenge < block) return;
    context.addIssue({
      code: "custom",
      path: ["challenge_at"],
      message: `Expected less than block_at, which is ${block}; null: nothing is challenged`,
    });
  });

/** The operator's `policies:`: what is done with a target by its score, under names to choose from. */
export const policiesOptionsSchema = z
  .record(z.string().regex(NAME, "Expected a name of lower-case letters, digits, - and _"), policySchema)
  .default({})
  .describe(
    "What is done with a target by its score, under a name; default is the one that is meant without a name",
  );

export type PoliciesOptions = z.infer<typeof policiesOptionsSchema>;

/** The policy that is meant where none is named. */
export const DEFAULT_POLICY = "default";

/** The policies of an installation by name; `default` is always there. */
export function definePolicies(options: PoliciesOptions): Policies {
  const all = { [DEFAULT_POLICY]: policySchema.parse({}), ...options };
  return new Map(Object.entries(all).map(([name, one]) => [name, policyFrom(name, one)]));
}

export type Policies = ReadonlyMap<string, ReturnType<typeof policyFrom>>;
