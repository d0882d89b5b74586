import { prepareLookup } from "../calls/single.ts";
import { PRODUCTS } from "../products/all.ts";
import { defineCommand, JSON_OPTION } from "./command.ts";
import { withLookups } from "./lookups.ts";

/** `repute check`: the lookup of any product, without an account. */
export const check = defineCommand({
  arguments: [
    { name: "kind", summary: "What the value is", choices: PRODUCTS.map(({ cli }) => cli.word) },
    { name: "value", summary: "The value to look up" },
  ],
  options: [JSON_OPTION],
  run: async ({ argument, has }, context) => {
    const product = PRODUCTS.find(({ cli }) => cli.word === argument("kind"));
    if (product === undefined) throw new Error(`No product has the word "${argument("kind")}"`);
    const lookup = prepareLookup(product, { [product.field]: argument("value") });
    const result = await withLookups(context, ({ deps }) =>
      lookup.run(deps, {
        signal: new AbortController().signal,
        deadlineMs: context.clock.monotonicMs() + product.deadlineMs,
      }),
    );
    if (has("json")) context.printJson(result.report);
    else context.print(result.print(context.style).trimEnd());
    if (result.failure === null) return 0;
    context.warn(`error: ${result.failure}`);
    return 1;
  },
});
