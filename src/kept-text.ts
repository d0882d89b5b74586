/**
 * The JSON text of objects that stand in many answers, made once for each object and dropped with it. What the text
 * is made of must not change afterwards.
 */
export function keepText<T extends object>(make: (value: T) => string): (value: T) => string {
  const texts = new WeakMap<T, string>();
  return (value) => {
    const known = texts.get(value);
    if (known !== undefined) return known;
    const text = make(value);
    texts.set(value, text);
    return text;
  };
}
