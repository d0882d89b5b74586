import { InvalidValue, Refusal } from "../base/failure.ts";
import { prepareLookup } from "../metering/single.ts";
import { PRODUCTS } from "../products/all.ts";
import type { Deps } from "../products/deps.ts";
import type { SealedProduct } from "../products/product.ts";
import { recogniseTarget } from "../products/recognise.ts";
import type { View } from "../products/views.ts";
import type { Checked } from "./check-output.ts";
import type { GivenValue } from "./check-values.ts";
import { failureLine } from "./failure-line.ts";

/** Lookups at work at once. */
const AT_ONCE = 32;

type Many = { readonly deps: Deps; readonly view: View };

/** The product that takes a recognised value, and the value for it. Throws InvalidValue. */
export function questionOf(text: string): { readonly product: SealedProduct; readonly value: string } {
  const { word, value } = recogniseTarget(text);
  const product = PRODUCTS.find(({ cli }) => cli.word === word);
  if (product === undefined) throw new Error(`No product has the word "${word}"`);
  return { product, value };
}

/** Looks values up, some at once, and gives the answers in the order of the values; as many are kept as are at work. */
export async function* checkMany(values: AsyncIterable<GivenValue>, many: Many): AsyncGenerator<Checked> {
  const working: Promise<Checked>[] = [];
  for await (const given of values) {
    working.push(checkOne(given.text, many));
    const first = working.length >= AT_ONCE ? working.shift() : undefined;
    if (first !== undefined) yield await first;
  }
  for (const one of working) yield await one;
}

async function checkOne(input: string, { deps, view }: Many): Promise<Checked> {
  let kind = "unrecognised";
  try {
    const { product, value } = questionOf(input);
    kind = product.cli.word;
    const lookup = prepareLookup(product, { [product.field]: value });
    const result = await lookup.run(deps, {
      signal: new AbortController().signal,
      deadlineMs: deps.clock.monotonicMs() + product.deadlineMs,
    });
    return { input, kind, json: result.json(view), error: result.failure };
  } catch (error) {
    // A value that is wrong is one line of many; a fault of ours ends them all.
    if (error instanceof InvalidValue || error instanceof Refusal) {
      return { input, kind, json: null, error: failureLine(error) };
    }
    throw error;
  }
}
