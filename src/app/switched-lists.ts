import type { FeedDefinition } from "../feeds/feed.ts";
import { type Lists, type ListsDeps, openLists } from "./live-index.ts";

/** Lists of which there may be others at another time. */
export type SwitchedLists = Lists & {
  /** Goes over to these lists. What was in force answers until their index is there. Rejects when that cannot be made. */
  readonly reopen: (feeds: readonly FeedDefinition[]) => Promise<void>;
};

type Opened = {
  readonly feeds: readonly FeedDefinition[];
  readonly lists: Lists;
  readonly stop: AbortController;
  running: Promise<void> | null;
};

function openOnce(deps: ListsDeps, feeds: readonly FeedDefinition[]): Opened {
  const stop = new AbortController();
  const signal = AbortSignal.any([deps.signal, stop.signal]);
  return { feeds, lists: openLists({ ...deps, feeds, signal }), stop, running: null };
}

/** Opens the lists as `openLists` does. */
export function openSwitchedLists(deps: ListsDeps): SwitchedLists {
  const listeners: (() => void)[] = [];
  const open = (feeds: readonly FeedDefinition[]): Opened => {
    const opened = openOnce(deps, feeds);
    for (const listener of listeners) opened.lists.onChange(listener);
    return opened;
  };
  let current = open(deps.feeds);
  let isRunning = false;
  return {
    listings: () => current.lists.listings(),
    isMissing: () => current.lists.isMissing(),
    prepare: () => current.lists.prepare(),
    takeOver: () => current.lists.takeOver(),
    update: (keys, onDone) => current.lists.update(keys, onDone),
    stateOf: (key) => current.lists.stateOf(key),
    version: () => current.lists.version(),
    onChange: (listener) => {
      listeners.push(listener);
      current.lists.onChange(listener);
    },
    progress: () => current.lists.progress(),
    get keys() {
      return current.lists.keys;
    },
    run: async () => {
      isRunning = true;
      current.running = current.lists.run();
      // Those that follow end by the same signal.
      for (let seen: Opened | null = null; seen !== current; ) {
        seen = current;
        await seen.running;
        if (!deps.signal.aborted) await ended(deps.signal);
      }
    },
    reopen: async (feeds) => {
      const before = current;
      const next = open(feeds);
      // Both write to the same files.
      before.stop.abort();
      await before.running;
      try {
        await next.lists.prepare();
        current = next;
      } catch (error) {
        current = open(before.feeds);
        throw error;
      } finally {
        if (isRunning) current.running = current.lists.run();
      }
    },
  };
}

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
