import { z } from "zod";
import { compactShapeOf } from "./compact.ts";
import type { SealedProduct } from "./product.ts";
import { Blacklists, BlacklistsFull } from "./shapes.ts";
import type { View } from "./views.ts";

/** The shapes of a product's report on the wire, by view. */
export const viewShapesOf = ({
  output,
  verdict,
}: Pick<SealedProduct, "output" | "verdict">): Readonly<Record<View, z.ZodType>> => ({
  standard: output,
  full: fullShape(output),
  compact: compactShapeOf(output),
  verdict: verdict.output,
});

function fullShape(output: z.ZodType): z.ZodType {
  if (!(output instanceof z.ZodObject) || output.shape["blacklists"] !== Blacklists) return output;
  return output.extend({ blacklists: BlacklistsFull }).meta({ id: `${output.meta()?.id ?? ""}Full` });
}
