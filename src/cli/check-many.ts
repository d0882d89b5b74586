import { InvalidValue, Refusal } from "../base/failure.ts";
import { noScore, resultText } from "../metering/disposition.ts";
import { prepareLookup } from "../metering/single.ts";
import type { Deps } from "../products/deps.ts";
import type { View } from "../products/views.ts";
import type { Policy } from "../risk/policy.ts";
import { type Checked, checkedOf } from "./check-output.ts";
import { bodyOf, questionOf } from "./check-question.ts";
import type { GivenValue } from "./check-values.ts";
import { failureLine } from "./failure-line.ts";
import { inOrder } from "./in-order.ts";

/** Lookups at work at once. */
const AT_ONCE = 32;

type Many = { readonly deps: Deps; readonly view: View; readonly policy: Policy | null };

/** Looks values up, some at once, and gives the answers in the order of the values; as many are kept as are at work. */
export const checkMany = (values: AsyncIterable<GivenValue>, many: Many): AsyncGenerator<Checked> =>
  inOrder(values, { start: ({ text }) => checkOne(text, many), window: AT_ONCE });

async function checkOne(input: string, { deps, ...form }: Many): Promise<Checked> {
  let kind: string | null = null;
  try {
    const question = questionOf(input);
    const { product } = question;
    kind = product.cli.word;
    if (form.policy !== null && !product.isScored)
      throw new InvalidValue("no_score", noScore(form.policy.name, product.name).msg);
    const lookup = prepareLookup(product, bodyOf(question));
    const result = await lookup.run(deps, {
      signal: new AbortController().signal,
      deadlineMs: deps.clock.monotonicMs() + product.deadlineMs,
    });
    const json = resultText(result, form).join("");
    return checkedOf({ input, kind, target: lookup.text, json }, result.failure);
  } catch (error) {
    // A value that is wrong is one line of many; a fault of ours ends them all.
    if (error instanceof InvalidValue || error instanceof Refusal) {
      return { input, kind, target: null, state: "invalid", json: null, error: failureLine(error) };
    }
    throw error;
  }
}
