import { Refusal } from "../base/failure.ts";
import { onBehalfOf, partyOfAccount } from "../net/party.ts";
import { turn } from "../net/turns.ts";
import type { LookupContext, ProductLookup, ProductResult, SealedProduct } from "../products/product.ts";
import { assertAffordable, settleCall } from "./charge.ts";
import { resultText } from "./disposition.ts";
import { assertReady, type Call, type CallAnswer, type CallParts, type CallSubject } from "./metered-call.ts";
import { besides, refusalOf, validateBody } from "./read-input.ts";

/** Reads a body for a product, in a shape of its own or the product's; throws the 422 with all its faults. */
export function prepareLookup(product: SealedProduct, body: unknown, input = product.input): ProductLookup {
  const shaped = validateBody(input, body);
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
  request: unknown,
  call: Call,
): Promise<CallAnswer> {
  const lookup = besides(call.faults, () => prepareLookup(product, request));
  const target = parts.storeTargets ? lookup.text : null;
  const subject: CallSubject = { targetKind: product.targetKind, target, items: 1 };
  call.describe(subject);
  assertAffordable(call.caller, product.price);
  assertReady(parts.missingParts());
  const deadlineMs = parts.clock.monotonicMs() + product.deadlineMs;
  const context = { signal: call.signal, deadlineMs };
  const party = partyOfAccount(call.caller.accountId);
  const looked = onBehalfOf(party, () => lookUp(lookup, parts, context), call.work);
  const result = looked instanceof Promise ? await looked : looked;
  call.signal.throwIfAborted();
  const data = resultText(result, call);
  const rendered = call.render(data);
  const body = rendered instanceof Promise ? await rendered : rendered;
  if (!result.isCharged) {
    return { body, charged: 0, creditsRemaining: await balanceOfLiveKey(call) };
  }
  const answer = await settleCall(parts, call, { subject, cost: product.price, body });
  // Without what the product does not know: bodies may hold anything beside.
  call.keep?.({
    product: product.name,
    target: lookup.text,
    question: product.input.parse(request),
    data: data.join(""),
  });
  return answer;
}

/** In its account's turn. */
function lookUp(
  lookup: ProductLookup,
  { deps }: CallParts,
  context: LookupContext,
): Promise<ProductResult> | ProductResult {
  const waiting = turn();
  return waiting === undefined ? lookup.run(deps, context) : waiting.then(() => lookup.run(deps, context));
}

/** An answer that settles nothing still must not leave for a key that was revoked meanwhile. */
async function balanceOfLiveKey(call: Call): Promise<number> {
  const caller = await call.findAgain();
  if (caller === null) throw new Refusal("UNAUTHORIZED");
  return caller.credits;
}
