/** The second press of a double click comes within this. */
const DOUBLE_MS = 700;
/** The same again so soon was not meant. */
const SAME_MS = 2_000;

/** Tells presses apart that are meant from those that are not: each lookup costs credits. `nowMs`: for tests. */
export function createPresses(nowMs: () => number = () => performance.now()) {
  let last = { what: "", atMs: Number.NEGATIVE_INFINITY };
  return {
    /** Whether this is a second press for what was just begun; else it begins. */
    isRepeated: (what: string): boolean => {
      const atMs = nowMs();
      const sinceMs = atMs - last.atMs;
      if (what === last.what && sinceMs < SAME_MS) return true;
      last = { what, atMs };
      return false;
    },
    /** What was begun came to nothing: it may be begun again at once. */
    forget: (): void => {
      last = { what: "", atMs: last.atMs };
    },
    /** Whether something was begun so lately that a press may belong to its beginning: it must not end it. */
    isFresh: (): boolean => nowMs() - last.atMs < DOUBLE_MS,
  };
}
