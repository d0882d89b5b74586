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

export type Dueness = {
  /**
   * Whether a source is to be tried now: by its plan, or at once when a list of it was last tried by another definition than
   * that of today. An attempt in the future means that the clock went back, and no plan of then holds.
   */
  readonly isDue: (shared: SharedSource, nowMs: number) => boolean;
  /** This process made an attempt. */
  readonly tried: (shared: SharedSource, nowMs: number) => void;
};

/**
 * What is due by the states of one process. Two processes of different configurations or versions on one data folder would each try a
 * list at once whenever the other did, without end: what this process tried itself within the refresh time waits. `onForeign` is
 * told of it.
 */
export function createDueness(stateOf: StateOf, onForeign: (key: string) => void): Dueness {
  const triedMs = new Map<string, number>();
  const isAtOnce = ({ key, refreshMinutes }: Retrieved, nowMs: number): boolean => {
    const sinceMs = Math.abs(nowMs - (triedMs.get(key) ?? Number.NEGATIVE_INFINITY));
    if (sinceMs >= refreshMinutes * 60_000) return true;
    onForeign(key);
    return false;
  };
  return {
    isDue: ({ feeds, definitionHashes }, nowMs) =>
      feeds.some((feed) => {
        const state = stateOf(feed.key);
        if (state?.lastAttempt == null || state.nextAttempt === null) return true;
        if (state.triedHash !== definitionHashes.get(feed.key) && isAtOnce(feed, nowMs)) return true;
        return Date.parse(state.lastAttempt) > nowMs + 60_000 || Date.parse(state.nextAttempt) <= nowMs;
      }),
    tried: ({ feeds }, nowMs) => {
      for (const { key } of feeds) triedMs.set(key, nowMs);
    },
  };
}

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
