import { z } from "zod";
import { Blacklists, BlacklistsFull } from "../engines/shapes.ts";
import { compactShapeOf } from "./compact.ts";
import type { SealedProduct } from "./product.ts";
import { DispositionShape } from "./shapes.ts";
import type { View } from "./views.ts";

/** The shapes of a product's report on the wire, by view. */
export function viewShapesOf({
  output,
  verdict,
  isScored,
}: Pick<SealedProduct, "output" | "verdict" | "isScored">): Readonly<Record<View, z.ZodType>> {
  const judged = isScored ? withDisposition : (shape: z.ZodType) => shape;
  return {
    standard: judged(output),
    full: judged(fullShape(output)),
    compact: judged(compactShapeOf(output)),
    verdict: judged(verdict.output),
  };
}

function withDisposition(shape: z.ZodType): z.ZodType {
  if (!(shape instanceof z.ZodObject)) return shape;
  const disposition = DispositionShape.optional().describe("Only where the call names a policy");
  return shape.extend({ disposition }).meta({ id: shape.meta()?.id ?? "" });
}

function fullShape(output: z.ZodType): z.ZodType {
  if (!(output instanceof z.ZodObject) || output.shape["blacklists"] !== Blacklists) return output;
  return output.extend({ blacklists: BlacklistsFull }).meta({ id: `${output.meta()?.id ?? ""}Full` });
}
