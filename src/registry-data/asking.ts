import type { Clock } from "../base/clock.ts";
import type { CountLook } from "../base/metrics.ts";
import { type Deadline, startDeadline } from "../net/deadline.ts";
import { createSharing, promised } from "../net/sharing.ts";
import { within } from "../net/within.ts";
import { createLookupCache, type Lifetimes } from "./cache.ts";
import { failedLookup, type RegistrationContext, type RegistryLookup } from "./outcome.ts";

/** All that is done for one question; callers wait as long as they like, 12 s at most. */
const WORK_MS = 11_000;

/** Kept back of a deadline for putting the answer together. */
const REPORT_MS = 20;

/** How long a lookup may take, and whether a caller waits for it. */
export type Limit = Deadline & { readonly isAside: boolean };

/** How one kind of question is put to a registry. */
export type Registry<S, T> = {
  readonly lookUp: (subject: S, limit: Limit) => Promise<RegistryLookup<T>>;
  /** Whether the registry would turn a question aside away now. */
  readonly isShut: (subject: S) => boolean;
};

/** Questions of one kind, by key. */
export type Asking<S, T> = {
  /** What is known, at once; a promise of what has to be asked. */
  readonly ask: (
    key: string | number,
    subject: S,
    context: RegistrationContext,
  ) => RegistryLookup<T> | Promise<RegistryLookup<T>>;
  readonly close: () => void;
};

const AWAY = failedLookup<never>("unreachable", "The registry is not to be asked now");

type Keeping = {
  readonly clock: Clock;
  readonly lifetimes: Lifetimes;
  readonly count: CountLook | null;
};

/** Cache first; then one question for all who ask the same at the time. */
export function createAsking<S, T>(
  { clock, lifetimes, count }: Keeping,
  { lookUp, isShut }: Registry<S, T>,
): Asking<S, T> {
  const cache = createLookupCache<T>(clock, lifetimes);
  const sharing = createSharing<RegistryLookup<T> | null>(null);
  const askAnew = async (
    key: string | number,
    subject: S,
    { signal, deadlineMs, isAside = false }: RegistrationContext,
  ): Promise<RegistryLookup<T>> => {
    const start = async (end: AbortSignal) => {
      const deadline = startDeadline(clock, WORK_MS, end);
      try {
        const lookup = await lookUp(subject, { ...deadline, isAside });
        // What a hurried or a leaving asker missed says nothing about the registry.
        return end.aborted || (isAside && lookup.status === "error") ? lookup : cache.keep(key, lookup);
      } finally {
        deadline.end();
      }
    };
    // An aside question goes on for the cache when its asker is gone, and those who wait do not depend on it.
    const asked = sharing.ask(
      isAside ? `${key} aside` : String(key),
      promised(start),
      isAside ? undefined : signal,
    );
    const withinMs = deadlineMs - REPORT_MS - clock.monotonicMs();
    const lookup = await within(asked, null, { signal, withinMs, clock });
    return lookup ?? cache.old(key) ?? failedLookup("timeout", "No answer in time");
  };
  return {
    ask: (key, subject, context) => {
      const fresh = cache.fresh(key);
      if (fresh !== null) {
        count?.(true);
        return fresh;
      }
      if (context.isAside && isShut(subject)) return cache.old(key) ?? AWAY;
      count?.(false);
      return askAnew(key, subject, context);
    },
    close: sharing.close,
  };
}
