import type { Clock } from "../../base/clock.ts";
import type { CountLook } from "../../base/metrics.ts";
import { joinParty, onBehalfOfAll, type Party, sharedParty } from "../party.ts";

/** An answer and how long it may be kept; 0 seconds: not at all. */
export type Cacheable<T> = { readonly value: T; readonly ttlS: number };

/** Answers by key, bounded, with a time to live each. */
export type AnswerCache<T> = {
  /** The kept answer, else null. Found counts as a look; not found does when it is asked for. */
  readonly peek: (key: string | number) => T | null;
  /** Keeps an answer that was not asked for here, and returns it. */
  readonly keep: (key: string | number, answer: Cacheable<T>) => T;
  /** What `ask` resolves to; equal keys under way at the same time share one question. */
  readonly ask: (key: string | number, ask: () => Promise<Cacheable<T>>) => Promise<T>;
};

/**
 * A cache of at most `maxEntries` answers; the one longest unused goes first, by uses since it was half full. Only what `ask` gives a time to
 * live is kept: errors and time-outs have none.
 */
export function createAnswerCache<T>(
  clock: Pick<Clock, "monotonicMs">,
  maxEntries: number,
  count: CountLook | null = null,
): AnswerCache<T> {
  const kept = new Map<string | number, { readonly value: T; readonly untilMs: number }>();
  const underWay = new Map<string | number, { readonly answer: Promise<T>; readonly party: Party }>();
  const keep = (key: string | number, { value, ttlS }: Cacheable<T>): T => {
    if (ttlS <= 0) return value;
    kept.delete(key);
    kept.set(key, { value, untilMs: clock.monotonicMs() + ttlS * 1000 });
    if (kept.size > maxEntries) forgetOldest(kept, Math.ceil(maxEntries / 16));
    return value;
  };
  return {
    keep,
    peek: (key) => {
      const entry = kept.get(key);
      if (entry === undefined) return null;
      const isAlive = entry.untilMs > clock.monotonicMs();
      if (isAlive) count?.(true);
      // Nothing goes for long while there is room: then the order may stay.
      if (isAlive && kept.size < maxEntries / 2) return entry.value;
      kept.delete(key);
      if (!isAlive) return null;
      kept.set(key, entry);
      return entry.value;
    },
    ask: (key, ask) => {
      count?.(false);
      const running = underWay.get(key);
      if (running !== undefined) {
        joinParty(running.party);
        return running.answer;
      }
      const party = sharedParty();
      const answer = onBehalfOfAll(party, ask).then(
        (asked) => {
          underWay.delete(key);
          return keep(key, asked);
        },
        (error: unknown) => {
          underWay.delete(key);
          throw error;
        },
      );
      underWay.set(key, { answer, party });
      return answer;
    },
  };
}

/** Many at a time: a map steps over all that was deleted before it comes to its first entry. */
function forgetOldest(entries: Map<string | number, unknown>, count: number): void {
  let left = count;
  for (const key of entries.keys()) {
    if (left-- === 0) return;
    entries.delete(key);
  }
}
