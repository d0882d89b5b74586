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
