import { prepareLookup } from "../calls/single.ts";
import { InvalidValue } from "../failure.ts";
import { PRODUCTS } from "../products/all.ts";
import type { SealedProduct } from "../products/product.ts";
import { VIEWS, type View } from "../products/views.ts";
import { defineCommand, JSON_OPTION } from "./command.ts";
import { withLookups } from "./lookups.ts";

const TYPED = PRODUCTS.flatMap(({ cli: { word, type } }) =>
  type === undefined ? [] : [`for ${word}: ${type.takes}`],
).join("; ");

/** `repute check`: the lookup of any product, without an account. */
export const check = defineCommand({
  arguments: [
    { name: "kind", summary: "What the value is", choices: PRODUCTS.map(({ cli }) => cli.word) },
    { name: "value", summary: "The value to look up" },
  ],
  options: [
    { flags: "--type <type>", summary: `What is asked for; ${TYPED}` },
    { flags: "--view <view>", summary: `How much is told: ${VIEWS.join(", ")}; default: standard` },
    JSON_OPTION,
  ],
  run: async ({ argument, option, has }, context) => {
    const product = PRODUCTS.find(({ cli }) => cli.word === argument("kind"));
    if (product === undefined) throw new Error(`No product has the word "${argument("kind")}"`);
    const type = bodyOfType(product, option("type"));
    const view = viewOf(option("view") ?? "standard");
    const lookup = prepareLookup(product, { [product.field]: argument("value"), ...type });
    const { result, resolverTrouble } = await withLookups(context, async ({ deps }) => ({
      result: await lookup.run(deps, {
        signal: new AbortController().signal,
        deadlineMs: context.clock.monotonicMs() + product.deadlineMs,
      }),
      resolverTrouble: deps.resolverTrouble(),
    }));
    if (has("json")) context.printJson(JSON.parse(result.json(view)));
    else context.print(result.print(context.style, view).trimEnd());
    if (result.failure === null) {
      if (resolverTrouble?.kind === "untrue" && !has("json")) {
        context.warn(`warning: ${resolverTrouble.sentence}`);
      }
      return 0;
    }
    context.warn(`error: ${result.failure}`);
    return 1;
  },
});

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
