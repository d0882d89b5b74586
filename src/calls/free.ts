import { Refusal } from "../failure.ts";
import type { SealedProduct } from "../products/product.ts";
import { assertReady, type CallParts } from "./call.ts";
import { prepareLookup } from "./single.ts";

/** Asynchronous parts of a free answer are given three seconds (design 12). */
const FREE_DEADLINE_MS = 3000;

/** One call of a free tool: the same lookup as the paid product, reduced. */
export async function callFree(
  parts: CallParts,
  product: SealedProduct,
  body: unknown,
  signal: AbortSignal,
): Promise<object> {
  const lookup = prepareLookup(product, body, product.free?.input);
  assertReady(parts.missingParts());
  const deadlineMs = parts.clock.monotonicMs() + Math.min(FREE_DEADLINE_MS, product.deadlineMs);
  const result = await lookup.run(parts.deps, { signal, deadlineMs, isReduced: true });
  const reduced = result.free();
  if (reduced === null) throw new Refusal("NOT_FOUND");
  return reduced;
}
