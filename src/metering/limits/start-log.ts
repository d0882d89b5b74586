/** Times of starts, oldest first, in a ring: nothing is allocated per start (performance 7.9). */
export type StartLog = {
  /** Drops every start at or before the instant: the window is half-open. */
  readonly forget: (untilMs: number) => void;
  /** Notes a start. `capacity`: how many the caller's limit may keep; the ring grows to it and never shrinks. */
  readonly add: (atMs: number, capacity: number) => void;
  /** Drops the newest start that is not after the instant, if there is one. */
  readonly drop: (atMs: number) => void;
  readonly count: () => number;
  /** The start with that index, 0 the oldest; Infinity where there is none. */
  readonly at: (index: number) => number;
};

/** An empty log with room for `capacity` starts. */
export function createStartLog(capacity: number): StartLog {
  let ring = new Float64Array(Math.max(1, Math.floor(capacity)));
  let head = 0;
  let count = 0;

  const at = (index: number): number =>
    index < 0 || index >= count ? Number.POSITIVE_INFINITY : (ring[(head + index) % ring.length] ?? 0);

  // A plan can change inside a window: starts made under the old limit still count under the new one.
  const grow = (wanted: number): void => {
    const larger = new Float64Array(Math.max(wanted, ring.length * 2));
    for (let i = 0; i < count; i++) larger[i] = at(i);
    ring = larger;
    head = 0;
  };

  return {
    forget: (untilMs) => {
      while (count > 0 && (ring[head] ?? 0) <= untilMs) {
        head = head + 1 === ring.length ? 0 : head + 1;
        count--;
      }
    },
    add: (atMs, wanted) => {
      if (count === ring.length) grow(wanted);
      ring[(head + count) % ring.length] = atMs;
      count++;
    },
    drop: (atMs) => {
      let index = count - 1;
      while (index >= 0 && at(index) > atMs) index--;
      if (index < 0) return;
      for (; index < count - 1; index++) ring[(head + index) % ring.length] = at(index + 1);
      count--;
    },
    count: () => count,
    at,
  };
}
