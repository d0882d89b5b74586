/** One holder at a time, first come first served. */
export type Mutex = {
  readonly isHeld: () => boolean;
  /** Resolves when the caller holds it; the caller calls the release it gets, once. */
  readonly acquire: () => Promise<() => void>;
};

/** A lock inside this process, for the one SQLite connection. */
export function createMutex(): Mutex {
  const waiting: ((release: () => void) => void)[] = [];
  let held = false;
  const releaseOnce = () => {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const next = waiting.shift();
      if (next === undefined) held = false;
      else next(releaseOnce());
    };
  };
  return {
    isHeld: () => held,
    acquire: () => {
      if (held) return new Promise((resolve) => waiting.push(resolve));
      held = true;
      return Promise.resolve(releaseOnce());
    },
  };
}
