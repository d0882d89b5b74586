import type { Caller } from "../accounts/accounts.ts";
import type { Clock } from "../base/clock.ts";
import type { Work } from "../base/work.ts";
import { sentenceOf } from "../metering/read-input.ts";
import { prepareLookup } from "../metering/single.ts";
import { onBehalfOf, partyOfAccount } from "../net/party.ts";
import { turn } from "../net/turns.ts";
import type { Deps } from "../products/deps.ts";
import type { SealedProduct } from "../products/product.ts";

/** A line to be looked up. */
export type BatchLine = { readonly line: number; readonly target: string };

/** What came of a line: an answer that is to be paid, or why there is none. */
export type BatchOutcome = BatchLine &
  (
    | { readonly state: "done"; readonly question: object; readonly data: string }
    | { readonly state: "failed" | "invalid"; readonly note: string }
  );

/** Lookups of a product without a bulk endpoint that are at work at once. */
const CONCURRENCY = 4;

type BatchParts = { readonly deps: Deps; readonly clock: Clock };

type BatchCall = {
  readonly caller: Caller;
  readonly work: Work;
  readonly signal: AbortSignal;
  /** No line is begun after it, but for those that begin at once. */
  readonly endMs: number;
};

/** Looks lines of one product up, a few at once, on behalf of the account that pays; what was not begun is left out. Throws the signal's reason. */
export async function lookUpBatch(
  product: SealedProduct,
  lines: readonly BatchLine[],
  parts: BatchParts,
  { caller, work, signal, endMs }: BatchCall,
): Promise<readonly BatchOutcome[]> {
  const outcomes: BatchOutcome[] = [];
  const queue = lines.values();
  const take = async (): Promise<void> => {
    for (const line of queue) {
      signal.throwIfAborted();
      await turn();
      await parts.deps.pace(signal);
      signal.throwIfAborted();
      outcomes.push(await lookUpLine(product, line, parts, signal));
      if (parts.clock.monotonicMs() >= endMs) return;
    }
  };
  const takers = Array.from({ length: product.bulk?.concurrency ?? CONCURRENCY }, () => take);
  const all = () => Promise.all(takers.map((one) => one()));
  await onBehalfOf(partyOfAccount(caller.accountId), all, work);
  signal.throwIfAborted();
  return outcomes;
}

async function lookUpLine(
  product: SealedProduct,
  { line, target }: BatchLine,
  { deps, clock }: BatchParts,
  signal: AbortSignal,
): Promise<BatchOutcome> {
  const question = { [product.field]: target };
  try {
    const lookup = prepareLookup(product, question);
    const result = await lookup.run(deps, { signal, deadlineMs: clock.monotonicMs() + product.deadlineMs });
    return result.isCharged
      ? { line, target, state: "done", question, data: result.json("standard").join("") }
      : { line, target, state: "failed", note: result.failure ?? "upstream_error: no source answered" };
  } catch (error) {
    signal.throwIfAborted();
    // Rules may have changed since the line was added.
    const note = sentenceOf(error);
    if (note !== null) return { line, target, state: "invalid", note };
    deps.log.error({ err: error }, "A line of a bulk run failed");
    return { line, target, state: "failed", note: "internal_error: the lookup failed" };
  }
}
