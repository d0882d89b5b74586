/** Gives what was made for a key before, or makes it. */
export type Memory<T> = (key: string, make: () => T) => T;

/** Remembers what is made for keys that come again and again; at `max` of them it begins anew. */
export function createMemory<T>(max: number): Memory<T> {
  const known = new Map<string, T>();
  return (key, make) => {
    const value = known.get(key);
    if (value !== undefined) return value;
    const made = make();
    if (known.size >= max) known.clear();
    known.set(key, made);
    return made;
  };
}

/** How many addresses it is remembered of what was said of them: many callers are behind one and come again. */
export const REMEMBERED_ADDRESSES = 20_000;

/** What was used last, by key. */
export type Recent<T> = {
  readonly get: (key: string | number) => T | undefined;
  readonly set: (key: string | number, value: T) => void;
};

/** Remembers at least the `max` / 2 values used last and never more than `max`: a generation goes when the next is full. */
export function createRecent<T>(max: number): Recent<T> {
  let young = new Map<string | number, T>();
  let old = new Map<string | number, T>();
  const set = (key: string | number, value: T): void => {
    if (young.size >= max / 2) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  };
  return {
    set,
    get: (key) => {
      const value = young.get(key);
      if (value !== undefined) return value;
      const before = old.get(key);
      if (before !== undefined) set(key, before);
      return before;
    },
  };
}
