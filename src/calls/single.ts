import { Refusal } from "../failure.ts";
import type { Lookup, SealedProduct } from "../products/product.ts";
import { assertReady, type Call, type CallAnswer, type CallParts, type CallSubject } from "./call.ts";
import { assertAffordable, settleCall } from "./settle.ts";
import { refusalOf, validateBody } from "./validate.ts";

/** Reads a body for a product; throws the 422 with all its faults. */
export function prepareLookup(product: SealedProduct, body: unknown): Lookup {
  const shaped = validateBody(product.input, body);
  try {
    return product.prepare(shaped);
  } catch (error) {
    throw refusalOf(error, product.field, shaped);
  }
}

/** One metered call: shape, affordability, work, settlement, in the order of design 13.1. */
export async function callProduct(
  parts: CallParts,
  product: SealedProduct,
  body: unknown,
  call: Call,
): Promise<CallAnswer> {
  const lookup = prepareLookup(product, body);
  assertAffordable(call.caller, product.price);
  assertReady(parts.missingParts());
  const deadlineMs = parts.clock.monotonicMs() + product.deadlineMs;
  const result = await lookup.run(parts.deps, { signal: call.signal, deadlineMs });
  call.signal.throwIfAborted();
  if (!result.isCharged) {
    return { data: result.report, charged: 0, creditsRemaining: await balanceOfLiveKey(parts, call) };
  }
  const subject: CallSubject = {
    targetKind: product.targetKind,
    target: parts.storeTargets ? lookup.text : null,
    items: 1,
  };
  return { data: result.report, ...(await settleCall(parts, call, subject, product.price)) };
}

/** An answer that settles nothing still must not leave for a key that was revoked meanwhile. */
async function balanceOfLiveKey(parts: CallParts, call: Call): Promise<number> {
  const caller = await parts.ledger.findCaller(call.credential);
  if (caller === null) throw new Refusal("UNAUTHORIZED");
  return caller.credits;
}
