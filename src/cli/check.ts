import { prepareLookup } from "../calls/single.ts";
import { InvalidValue } from "../failure.ts";
import { PRODUCTS } from "../products/all.ts";
import type { SealedProduct } from "../products/product.ts";
import { recogniseTarget } from "../products/recognise.ts";
import { VIEWS, type View } from "../products/views.ts";
import { defineCommand, JSON_OPTION } from "./command.ts";
import { withLookups } from "./lookups.ts";

const TYPED = PRODUCTS.flatMap(({ cli: { word, type } }) =>
  type === undefined ? [] : [`for ${word}: ${type.takes}`],
).join("; ");

/** `repute check`: lookups of any product, without an account. */
export const check = defineCommand({
  arguments: [
    {
      name: "value",
      summary: `What to look up; before a single value, what it is: ${PRODUCTS.map(({ cli }) => cli.word).join(", ")}`,
      isRepeated: true,
    },
  ],
  options: [
    { flags: "--type <type>", summary: `What is asked for; ${TYPED}` },
    { flags: "--view <view>", summary: `How much is told: ${VIEWS.join(", ")}; default: standard` },
    JSON_OPTION,
  ],
  run: async ({ repeated, option, has }, context) => {
    const view = viewOf(option("view") ?? "standard");
    const lookups = questionsOf(repeated("value")).map(({ product, value }) => ({
      product,
      lookup: prepareLookup(product, { [product.field]: value, ...bodyOfType(product, option("type")) }),
    }));
    return withLookups(context, async ({ deps }) => {
      let status = 0;
      for (const { product, lookup } of lookups) {
        const result = await lookup.run(deps, {
          signal: new AbortController().signal,
          deadlineMs: context.clock.monotonicMs() + product.deadlineMs,
        });
        if (has("json")) context.printJson(JSON.parse(result.json(view)));
        else context.print(result.print(context.style, view).trimEnd());
        if (result.failure !== null) context.warn(`error: ${result.failure}`);
        if (result.failure !== null) status = 1;
      }
      const trouble = deps.resolverTrouble();
      if (status === 0 && trouble?.kind === "untrue" && !has("json")) {
        context.warn(`warning: ${trouble.sentence}`);
      }
      return status;
    });
  },
});

type Question = { readonly product: SealedProduct; readonly value: string };

/** One value behind a product's word, or values that are recognised. Throws InvalidValue. */
function questionsOf(values: readonly string[]): readonly Question[] {
  const [first = "", second] = values;
  const named = productOf(first);
  if (named !== undefined && values.length < 3) {
    if (second === undefined) throw new InvalidValue("missing", `A value is missing after "${first}"`);
    return [{ product: named, value: second }];
  }
  if (values.length === 0) throw new InvalidValue("missing", "A value to look up is missing");
  return values.map((text) => {
    const { word, value } = recogniseTarget(text);
    const product = productOf(word);
    if (product === undefined) throw new Error(`No product has the word "${word}"`);
    return { product, value };
  });
}

const productOf = (word: string): SealedProduct | undefined => PRODUCTS.find(({ cli }) => cli.word === word);

function viewOf(word: string): View {
  const view = VIEWS.find((one) => one === word);
  if (view === undefined) {
    throw new InvalidValue("unknown_view", `"${word}" is no view; known are ${VIEWS.join(", ")}`);
  }
  return view;
}

function bodyOfType({ cli }: SealedProduct, type: string | null): Readonly<Record<string, string>> {
  if (type === null) return {};
  if (cli.type !== undefined) return { [cli.type.member]: type };
  throw new InvalidValue("unknown_option", `"check ${cli.word}" takes no --type`);
}
