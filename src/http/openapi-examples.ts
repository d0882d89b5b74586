import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { SealedProduct } from "../products/product.ts";
import { VIEWS, type View } from "../products/views.ts";

/** The example of an operation in OpenAPI: `example`, or `examples` by view; empty where none is kept. */
export type Examples = Readonly<Record<string, unknown>>;

/** A real answer, kept by `test/openapi-examples.test.ts`. */
export function exampleOf(id: string): Examples {
  const example = readExample(id);
  return example === null ? {} : { example };
}

/** The name of the file that keeps a product's answer in a view, without its extension. */
export const exampleName = (product: string, view: View): string =>
  view === "standard" ? product : `${product}.${view}`;

/** Real answers of a product, by view. */
export const viewExamples = ({ name }: SealedProduct): Examples => byView(name, (answer) => answer);

/** Answers of a batch of one item, which hold what the single call answers. */
export function bulkExamples({ name, price, field, example }: SealedProduct): Examples {
  const input: unknown = Reflect.get(example, field);
  return byView(name, ({ data, ...call }) => {
    const item = { input, status: "success", error: null, result: data };
    const counts = { product: name, total_items: 1, successful: 1, failed: 0, credits_charged: price };
    return { ...call, data: { ...counts, elapsed_ms: 1, results: [item] } };
  });
}

const envelopeSchema = z.looseObject({ data: z.looseObject({}) });
type Envelope = z.output<typeof envelopeSchema>;

function byView(product: string, make: (answer: Envelope) => object): Examples {
  const standard = readExample(product);
  const kept = VIEWS.flatMap((view) => {
    const own = readExample(exampleName(product, view));
    if (own === null) return [];
    // Of the view `full` only `blacklists` is kept: all else is that of the default view.
    const answer = view === "full" ? { ...standard, data: { ...standard?.data, ...own.data } } : own;
    return [[view, { value: make(answer) }] as const];
  });
  return { examples: Object.fromEntries(kept) };
}

function readExample(name: string): Envelope | null {
  const file = join(import.meta.dirname, "examples", `${name}.json`);
  return existsSync(file) ? envelopeSchema.parse(JSON.parse(readFileSync(file, "utf8"))) : null;
}
