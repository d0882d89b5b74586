import type { Clock } from "../base/clock.ts";
import { DAY_MS } from "../base/durations.ts";
import type { RegistryLookup } from "./outcome.ts";

/** How long answers are good for, milliseconds. */
export type Lifetimes = { readonly okMs: number; readonly notFoundMs: number; readonly errorMs: number };

/** Answers of registries by what was asked, in memory. */
export type LookupCache<T> = {
  /** One within its life; null when there is none. */
  readonly fresh: (key: string | number) => RegistryLookup<T> | null;
  /** An `ok` past its life, at most 7 days old. */
  readonly old: (key: string | number) => RegistryLookup<T> | null;
  /** Keeps an outcome, and gives what to answer: for a failure the old answer, where there is one (design 10). */
  readonly keep: (key: string | number, lookup: RegistryLookup<T>) => RegistryLookup<T>;
};

const OLD_MS = 7 * DAY_MS;

/** Greatest size of what one cache keeps, characters of JSON: a registry may send a megabyte for one name. */
const MAX_SIZE = 24 * 1024 * 1024;

type Entry<T> = {
  readonly lookup: RegistryLookup<T>;
  readonly size: number;
  freshUntilMs: number;
  readonly oldUntilMs: number;
};

/** A cache bounded by size; the answer longest unused goes first. */
export function createLookupCache<T>(
  clock: Pick<Clock, "monotonicMs">,
  lifetimes: Lifetimes,
): LookupCache<T> {
  const entries = new Map<string | number, Entry<T>>();
  let totalSize = 0;
  const drop = (key: string | number) => {
    totalSize -= entries.get(key)?.size ?? 0;
    entries.delete(key);
  };
  const put = (key: string | number, entry: Entry<T>) => {
    drop(key);
    entries.set(key, entry);
    totalSize += entry.size;
    for (const oldest of entries.keys()) {
      if (totalSize <= MAX_SIZE) break;
      drop(oldest);
    }
  };
  const use = (key: string | number): Entry<T> | null => {
    const entry = entries.get(key);
    if (entry === undefined) return null;
    drop(key);
    if (clock.monotonicMs() >= Math.max(entry.freshUntilMs, entry.oldUntilMs)) return null;
    put(key, entry);
    return entry;
  };
  const old = (key: string | number) => {
    const entry = use(key);
    return entry !== null && clock.monotonicMs() < entry.oldUntilMs ? shownFrom(entry, true) : null;
  };
  return {
    fresh: (key) => {
      const entry = use(key);
      if (entry === null || clock.monotonicMs() >= entry.freshUntilMs) return null;
      return shownFrom(entry, entry.lookup.stale);
    },
    old,
    keep: (key, lookup) => {
      const nowMs = clock.monotonicMs();
      const kept = lookup.status === "error" ? old(key) : null;
      const lifeMs = { ok: lifetimes.okMs, not_found: lifetimes.notFoundMs, error: lifetimes.errorMs }[
        lookup.status
      ];
      const answer = kept ?? lookup;
      const oldUntilMs = kept === null ? oldUntil(lookup, nowMs) : (entries.get(key)?.oldUntilMs ?? nowMs);
      put(key, { lookup: answer, size: sizeOf(key, answer), freshUntilMs: nowMs + lifeMs, oldUntilMs });
      return answer;
    },
  };
}

/** The answer of an entry, as a cached one. */
const shownFrom = <T>({ lookup }: Entry<T>, stale: boolean): RegistryLookup<T> => ({
  ...lookup,
  cached: true,
  stale,
});

const oldUntil = (lookup: RegistryLookup<unknown>, nowMs: number): number =>
  lookup.status === "ok" ? nowMs + OLD_MS : Number.NEGATIVE_INFINITY;

const sizeOf = (key: string | number, lookup: RegistryLookup<unknown>): number =>
  String(key).length + JSON.stringify(lookup).length;
