import type { Clock } from "../../base/clock.ts";

type SystemLookup = (name: string) => Promise<readonly string[]>;

/** How long a name that the system does not know is not asked for again. */
const REMEMBER_MS = 30_000;
const MAX_NAMES = 1000;

/**
 * The system's lookup, asked once for equal names under way, and not at all for one that failed just now: the platform
 * has four threads for it, and a network that is away takes seconds to say so.
 */
export function createSystemLookup(lookup: SystemLookup, clock: Pick<Clock, "monotonicMs">): SystemLookup {
  const underWay = new Map<string, Promise<readonly string[]>>();
  const failedUntilMs = new Map<string, number>();
  const ask = async (name: string): Promise<readonly string[]> => {
    try {
      return await lookup(name);
    } catch (error) {
      if (failedUntilMs.size >= MAX_NAMES) failedUntilMs.clear();
      failedUntilMs.set(name, clock.monotonicMs() + REMEMBER_MS);
      throw error;
    } finally {
      underWay.delete(name);
    }
  };
  return (name) => {
    if ((failedUntilMs.get(name) ?? Number.NEGATIVE_INFINITY) > clock.monotonicMs())
      return Promise.resolve([]);
    const asking = underWay.get(name) ?? ask(name);
    underWay.set(name, asking);
    return asking;
  };
}
