import type { Fault } from "../base/failure.ts";
import { type JsonText, withMember } from "../base/json-text.ts";
import type { ProductResult, SealedProduct } from "../products/product.ts";
import type { View } from "../products/views.ts";
import type { Policy } from "../risk/policy.ts";
import type { Policies } from "../risk/policy-options.ts";

/** How much of a report is answered, and what is said of it beside. */
export type AnswerForm = { readonly view: View; readonly policy: Policy | null };

/** The JSON text of a result, with the policy's disposition where one was asked for. */
export function resultText(result: ProductResult, { view, policy }: AnswerForm, input?: string): JsonText {
  const text = result.json(view, input);
  const disposition = policy === null ? null : (result.judge?.(policy) ?? null);
  return disposition === null ? text : withMember(text, "disposition", [JSON.stringify(disposition)]);
}

type Asked = { readonly policy: Policy | null; readonly faults: readonly Fault[] };

/** The policy that a call names; null where it names none, with the fault of one that is not known or cannot judge here. */
export function findPolicy(
  policies: Policies,
  name: unknown,
  { name: product, isScored }: Pick<SealedProduct, "name" | "isScored">,
): Asked {
  if (name === undefined) return { policy: null, faults: [] };
  const policy = typeof name === "string" ? policies.get(name) : undefined;
  if (policy === undefined) return { policy: null, faults: [unknownPolicy(policies, name)] };
  return isScored ? { policy, faults: [] } : { policy: null, faults: [noScore(name, product)] };
}

/** The fault of a policy, known or not, where there is nothing that it could judge. */
export const noScore = (name: unknown, what: string): Fault =>
  queryFault(name, `A policy judges a score, and ${what} has none`, "no_score", []);

/** The fault of a policy that is not known. */
export function unknownPolicy(policies: Policies, name: unknown): Fault {
  const known = [...policies.keys()];
  const what = typeof name === "string" ? `Unknown policy "${name.slice(0, 80)}"` : "Name one policy alone";
  return queryFault(name, `${what}: known are ${known.join(", ")}`, "unknown_policy", known);
}

const queryFault = (input: unknown, msg: string, reason: string, expected: readonly string[]): Fault => ({
  loc: ["query", "policy"],
  msg,
  type: "value_error",
  input: typeof input === "string" ? input.slice(0, 200) : null,
  ctx: { reason, ...(expected.length === 0 ? {} : { expected }) },
});
