import { Refusal } from "../base/failure.ts";
import { FREE_CALLERS, onBehalfOf } from "../net/party.ts";
import type { LookupContext, PageOnly, SealedProduct } from "../products/product.ts";
import { publicReport } from "../products/public-report.ts";
import { assertReady, type CallParts } from "./metered-call.ts";
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
  const result = await onBehalfOf(FREE_CALLERS, () => lookup.run(parts.deps, contextOf(parts, signal)));
  const reduced = result.free();
  if (reduced === null) throw new Refusal("NOT_FOUND");
  return reduced;
}

/** The report of a free tool, and the whole one where strangers see that. */
export type PublicAnswer = { readonly report: object; readonly full: object | null };

/** As a free tool is called, with the whole report beside the reduced one: of one lookup, which asks no more hosts. */
export async function callWhole(
  parts: CallParts,
  product: SealedProduct,
  body: unknown,
  signal: AbortSignal,
): Promise<PublicAnswer> {
  const lookup = prepareLookup(product, body);
  assertReady(parts.missingParts());
  const { deps } = parts;
  const result = await onBehalfOf(FREE_CALLERS, () => lookup.run(deps, contextOf(parts, signal)));
  const report = result.free();
  if (report === null) throw new Refusal("NOT_FOUND");
  return { report, full: publicReport(JSON.parse(result.json("standard").join("")), deps.engines.ownKeys) };
}

/** A free report that the public page alone has. */
export function callPageOnly(
  parts: CallParts,
  run: ReturnType<PageOnly["prepare"]>,
  signal: AbortSignal,
): Promise<object> {
  assertReady(parts.missingParts());
  return onBehalfOf(FREE_CALLERS, () => run(parts.deps, contextOf(parts, signal)));
}

const contextOf = ({ clock }: Pick<CallParts, "clock">, signal: AbortSignal): LookupContext => ({
  signal,
  deadlineMs: clock.monotonicMs() + FREE_DEADLINE_MS,
  isReduced: true,
});
