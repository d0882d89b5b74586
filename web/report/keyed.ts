/** Items with keys that are theirs alone, also where two items have the same text. */
export function keyed<T>(
  items: readonly T[],
  textOf: (item: T) => string,
): readonly { key: string; item: T }[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const text = textOf(item);
    const times = seen.get(text) ?? 0;
    seen.set(text, times + 1);
    return { key: `${text} ${times}`, item };
  });
}
