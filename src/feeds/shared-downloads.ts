import type { FeedSource } from "./feed.ts";
import { definitionHashOf, type FeedState } from "./state.ts";
import type { Retrieved } from "./table.ts";

/** Lists that are made of one and the same URL or file: it is retrieved once for all of them. */
export type SharedSource = {
  readonly source: Exclude<FeedSource, { readonly kind: "seed" }>;
  readonly feeds: readonly [Retrieved, ...Retrieved[]];
  readonly definitionHashes: ReadonlyMap<string, string>;
};

/** The sources of all lists that are retrieved, in the order of their first lists. */
export function sourcesOf(feeds: readonly Retrieved[]): readonly SharedSource[] {
  const groups = new Map<string, SharedSource>();
  for (const feed of feeds) {
    const { source } = feed;
    if (source.kind === "seed") continue;
    const id = JSON.stringify(source);
    const known = groups.get(id);
    const hashes = [...(known?.definitionHashes ?? []), [feed.key, definitionHashOf(feed)] as const];
    groups.set(id, {
      source,
      feeds: known === undefined ? [feed] : [...known.feeds, feed],
      definitionHashes: new Map(hashes),
    });
  }
  return [...groups.values()];
}

type StateOf = (key: string) => FeedState | null;

/**
 * Whether a source is to be tried now: by its plan, or at once when a list of it was never tried by its definition of
 * today. An attempt in the future means that the clock went back, and no plan of then holds.
 */
export const isDue = ({ feeds, definitionHashes }: SharedSource, stateOf: StateOf, nowMs: number): boolean =>
  feeds.some(({ key }) => {
    const state = stateOf(key);
    if (state?.lastAttempt == null || state.nextAttempt === null) return true;
    if (state.triedHash !== definitionHashes.get(key)) return true;
    return Date.parse(state.lastAttempt) > nowMs + 60_000 || Date.parse(state.nextAttempt) <= nowMs;
  });

/**
 * The state whose validators may be sent: that of all lists of the source, if each has content that its definition of
 * today accepted from the same version. Else null, and the source is asked for all of it.
 */
export function commonState({ feeds, definitionHashes }: SharedSource, stateOf: StateOf): FeedState | null {
  const [first, ...others] = feeds.map(({ key }) => {
    const state = stateOf(key);
    return state?.contentHash != null && state.definitionHash === definitionHashes.get(key) ? state : null;
  });
  const isCommon = others.every(
    (other) =>
      other?.etag === first?.etag &&
      other?.lastModified === first?.lastModified &&
      other?.downloadHash === first?.downloadHash,
  );
  return isCommon ? (first ?? null) : null;
}
