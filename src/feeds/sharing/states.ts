import {
  dropOtherContents,
  folderChangedMs,
  hasContent,
  readState,
  stateSignature,
  writeState,
} from "../feed-store.ts";
import { type FeedState, NEVER_TRIED } from "../state.ts";
import type { Retrieved } from "../table.ts";

/** The states of all lists that are retrieved, in memory and in the folder, which other processes write to as well. */
export type FeedStates = {
  /** Null: never tried. */
  readonly of: (key: string) => FeedState | null;
  /** Counts changes: a view made at one version holds until the next. */
  readonly version: () => number;
  /** Takes a state into memory and into the folder. Rejects when the folder refuses; memory has it all the same. */
  readonly put: (key: string, state: FeedState) => Promise<void>;
  /** Reads what other processes wrote of these lists, of all unless some are named; cheap when there is nothing. */
  readonly reload: (only?: readonly string[]) => void;
};

/** Reads the states of the folder. One whose content is gone starts anew: nothing is believed without it (P21). */
export function openStates(dir: string, feeds: readonly Retrieved[]): FeedStates {
  const keys = feeds.flatMap(({ key, source }) => (source.kind === "seed" ? [] : [key]));
  const states = new Map<string, FeedState>();
  /** What the folder did not take: memory knows better until it does. */
  const unsaved = new Set<string>();
  /** What each file was when it was read. */
  const read = new Map<string, string>();
  let version = 0;
  let seenMs = -1;
  const readOne = (key: string): void => {
    const signature = stateSignature(dir, key);
    const known = states.get(key) ?? null;
    if (read.get(key) === signature && withoutLostContent(dir, key, known) === known) return;
    read.set(key, signature);
    const state = withoutLostContent(dir, key, readState(dir, key));
    if (state === null || JSON.stringify(state) === JSON.stringify(known)) return;
    states.set(key, state);
    version++;
  };
  const reload = (only?: readonly string[]): void => {
    const changedMs = folderChangedMs(dir);
    if (changedMs === seenMs) return;
    if (only === undefined) seenMs = changedMs;
    for (const key of only ?? keys) {
      if (!unsaved.has(key)) readOne(key);
    }
  };
  reload();
  return {
    of: (key) => states.get(key) ?? null,
    version: () => version,
    put: async (key, state) => {
      states.set(key, state);
      version++;
      unsaved.add(key);
      await writeState(dir, key, state);
      unsaved.delete(key);
      dropOtherContents(dir, key, state.contentHash);
    },
    reload,
  };
}

function withoutLostContent(dir: string, key: string, state: FeedState | null): FeedState | null {
  if (state?.contentHash == null || hasContent(dir, key, state.contentHash)) return state;
  const { lastAttempt, lastError, tries } = state;
  return { ...NEVER_TRIED, lastAttempt, lastError, tries };
}
