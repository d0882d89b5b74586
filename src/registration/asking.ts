import type { Clock } from "../clock.ts";
import type { CountLook } from "../metrics.ts";
import { type Deadline, startDeadline } from "../net/deadline.ts";
import { createSharing } from "../net/sharing.ts";
import { within } from "../net/within.ts";
import { createLookupCache, type Lifetimes } from "./cache.ts";
import { failedLookup, type Lookup, type RegistrationContext } from "./outcome.ts";

/** All that is done for one question; callers wait as long as they like, 12 s at most. */
const WORK_MS = 11_000;

/** Kept back of a deadline for putting the answer together. */
const REPORT_MS = 20;

/** How long a lookup may take, and whether somebody waits for it. */
export type Limit = Deadline & { readonly isAside: boolean };

type Question<T> = {
  readonly work: (limit: Limit) => Promise<Lookup<T>>;
  /** Whether the registry would turn a question aside away now. */
  readonly isShut: () => boolean;
};

/** Questions of one kind, by key. */
export type Asking<T> = {
  /** What is known, at once; a promise of what has to be asked. */
  readonly ask: (
    key: string | number,
    context: RegistrationContext,
    question: Question<T>,
  ) => Lookup<T> | Promise<Lookup<T>>;
  readonly close: () => void;
};

const AWAY = failedLookup<never>("unreachable", "The registry is not to be asked now");

/** Cache first; then one question for all who ask the same at the time. */
export function createAsking<T>(
  clock: Clock,
  lifetimes: Lifetimes,
  count: CountLook | null = null,
): Asking<T> {
  const cache = createLookupCache<T>(clock, lifetimes);
  const sharing = createSharing<Lookup<T> | null>(null);
  const askAnew = async (
    key: string | number,
    { signal, deadlineMs, isAside = false }: RegistrationContext,
    work: Question<T>["work"],
  ): Promise<Lookup<T>> => {
    const start = async (end: AbortSignal) => {
      const deadline = startDeadline(clock, WORK_MS, end);
      try {
        const lookup = await work({ ...deadline, isAside });
        // What a hurried or a leaving asker missed says nothing about the registry.
        return end.aborted || (isAside && lookup.status === "error") ? lookup : cache.keep(key, lookup);
      } finally {
        deadline.end();
      }
    };
    // An aside question goes on for the cache when its asker is gone, and those who wait do not depend on it.
    const asked = sharing.ask(isAside ? `${key} aside` : String(key), start, isAside ? undefined : signal);
    const withinMs = deadlineMs - REPORT_MS - clock.monotonicMs();
    const lookup = await within(asked, null, { signal, withinMs, clock });
    return lookup ?? cache.old(key) ?? failedLookup("timeout", "No answer in time");
  };
  return {
    ask: (key, context, { work, isShut }) => {
      const fresh = cache.fresh(key);
      if (fresh !== null) {
        count?.(true);
        return fresh;
      }
      if (context.isAside && isShut()) return cache.old(key) ?? AWAY;
      count?.(false);
      return askAnew(key, context, work);
    },
    close: sharing.close,
  };
}
