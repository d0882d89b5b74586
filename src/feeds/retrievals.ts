import type { Listings, ListState } from "../blocklist-index/types.ts";
import type { FeedState } from "./state.ts";

/**
 * The index with each list's state as its retrievals are now: the index is compiled anew when a content changes, and not at the
 * word that it is the same. Whatever judges the ages of lists has to go by this.
 */
export const withRetrievals = (listings: Listings, stateOf: (key: string) => FeedState | null): Listings => ({
  ...listings,
  lists: listings.lists.map((list) => withRetrieval(list, stateOf(list.key))),
});

/** A retrieval is one of the index's content only when it found that very content. */
function withRetrieval(list: ListState, state: FeedState | null): ListState {
  if (state === null) return list;
  const { lastAttempt, lastError, nextAttempt, trouble } = state;
  const isSame = state.contentHash !== null && state.contentHash === list.contentHash && !list.seed;
  // Its dates as well: another definition may read others from the same content, which is not compiled anew.
  const { retrievedAt, publishedAt, changedAt } = isSame ? state : list;
  return {
    ...list,
    lastAttempt,
    lastError: lastError ?? list.fault ?? null,
    nextAttempt,
    retrievedAt,
    publishedAt,
    changedAt,
    trouble,
  };
}
