/** A bounded number of places, given in the order of asking. */
export type Slots = {
  /** The function that gives a free place back; null: none is free. */
  readonly take: () => (() => void) | null;
  /** Resolves with the function that gives the place back, or with null when the signal aborted first. */
  readonly acquire: (signal: AbortSignal) => Promise<(() => void) | null>;
};

/** Places for `count` holders at a time; who finds none free waits. */
export function createSlots(count: number): Slots {
  let free = count;
  const waiting = new Set<() => void>();
  const release = () => {
    free++;
    for (const wake of waiting) {
      wake();
      return;
    }
  };
  const takeOne = () => {
    free--;
    let held = true;
    return () => {
      if (held) release();
      held = false;
    };
  };
  const take = () => (free > 0 && waiting.size === 0 ? takeOne() : null);
  const acquire = (signal: AbortSignal): Promise<(() => void) | null> => {
    if (signal.aborted) return Promise.resolve(null);
    const taken = take();
    if (taken !== null) return Promise.resolve(taken);
    return new Promise((resolve) => {
      const settle = (given: (() => void) | null) => {
        waiting.delete(wake);
        signal.removeEventListener("abort", leave);
        resolve(given);
      };
      const wake = () => settle(takeOne());
      const leave = () => settle(null);
      waiting.add(wake);
      signal.addEventListener("abort", leave, { once: true });
    });
  };
  return { take, acquire };
}
