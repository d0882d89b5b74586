import type { Listings } from "../blocklist-index/types.ts";
import type { EngineDefinition } from "../engines/definitions.ts";
import { ageOf } from "../engines/feed.ts";
import { classifyingRows } from "../enrichment/ip/classifying-rows.ts";
import type { FeedDefinition } from "../feeds/feed.ts";

export type Answerable = {
  readonly definitions: readonly EngineDefinition[];
  /** Lists that only classify. */
  readonly classifying: readonly FeedDefinition[];
};

/** Keys of the lists in the index that are young enough to answer, sorted: what is made of them depends on which those are. */
export function answeringLists(
  { definitions, classifying }: Answerable,
  listings: Listings,
  nowMs: number,
): readonly string[] {
  const states = new Map(listings.lists.map((state) => [state.key, state]));
  const engines = definitions.flatMap(({ engine }) => {
    const state = states.get(engine.key);
    const answers =
      engine.disabled === null && state?.loaded === true && ageOf(state, engine, nowMs).expiredSince === null;
    return answers ? [engine.key] : [];
  });
  const others = classifyingRows(classifying, listings, nowMs)
    .filter(({ status }) => status === "ok" || status === "stale")
    .map(({ key }) => key);
  return [...new Set([...engines, ...others])].sort();
}
