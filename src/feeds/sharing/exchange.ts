import type { FeedState } from "../state.ts";

/** How long a claim holds: a process that was killed keeps the others from its lists for no longer. */
export const CLAIM_LEASE_MS = 60_000;

/** A list as another machine retrieved it. */
export type Shared = { readonly key: string; readonly state: FeedState };

/**
 * What several processes with data folders of their own have in common: of each list one of them makes each attempt, and
 * the others take its outcome over. Every function rejects while the common place is away.
 */
export type FeedExchange = {
  /** Asks for the next attempt at a list; false while another process makes it. A claim that is not renewed ends by itself. */
  readonly claim: (key: string) => Promise<boolean>;
  /** Keeps the claims of this process on these lists. */
  readonly renew: (keys: readonly string[]) => Promise<void>;
  readonly release: (key: string) => Promise<void>;
  /** Publishes the outcome of a claimed attempt; `packed` is the content when it changed. */
  readonly publish: (shared: Shared & { readonly packed: Uint8Array | null }) => Promise<void>;
  /**
   * Gives each state that others published, for the keys given, to `take`, one after another. It counts as known once `take`
   * resolved, and is given again in the next call if it did not.
   */
  readonly takeChanges: (keys: readonly string[], take: (shared: Shared) => Promise<void>) => Promise<void>;
  /** Whether content of that hash is there for the others. */
  readonly hasContent: (key: string, hash: string) => Promise<boolean>;
  /** The packed content of that hash, or null when it was replaced meanwhile. */
  readonly content: (key: string, hash: string) => Promise<Uint8Array | null>;
};
