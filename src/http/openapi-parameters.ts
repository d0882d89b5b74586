import type { SealedProduct } from "../products/product.ts";
import { VIEWS } from "../products/views.ts";
import { LISTED_KINDS } from "../targets/listed-kinds.ts";

type Json = Record<string, unknown>;

/** What chooses the view of a metered answer. Source: answers 2. */
const VIEW_PARAMETERS: readonly Json[] = [
  {
    name: "view",
    in: "query",
    description:
      "How much is answered. `standard`: every engine that answered, in full where it names the target. `full`: every " +
      "engine with all members, those that are off with their reasons. `compact`: what names the target, and whatever " +
      "else is not empty: an absent member is null, empty or its default; the score can be recomputed. `verdict`: the " +
      "score alone.",
    schema: { type: "string", enum: VIEWS, default: "standard" },
  },
  {
    name: "Prefer",
    in: "header",
    description: "`return=minimal` asks for `compact` where `view` does not say otherwise (RFC 7240)",
    schema: { type: "string" },
  },
];

/** What judges the score. */
const POLICY_PARAMETER: Json = {
  name: "policy",
  in: "query",
  description:
    "Name of a policy of the configuration, or `default`: the answer has `disposition`, what the policy says of the target",
  schema: { type: "string" },
};

/** The parameters of a product's metered calls. */
export const parametersOf = ({ isScored }: SealedProduct): readonly Json[] =>
  isScored ? [...VIEW_PARAMETERS, POLICY_PARAMETER] : VIEW_PARAMETERS;

/** What chooses among the engines of `/api/engines`. */
export const ENGINE_PARAMETERS: readonly Json[] = [
  {
    name: "target",
    in: "query",
    description: "Only engines that name this kind of target",
    schema: { type: "string", enum: LISTED_KINDS },
  },
  {
    name: "enabled",
    in: "query",
    description: "Only engines that are on, or off",
    schema: { type: "string", enum: ["true", "false"] },
  },
];
