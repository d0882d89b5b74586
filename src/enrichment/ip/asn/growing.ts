/** Numbers of 32 bits that are appended one by one: 4 bytes each, where an array of JavaScript takes 8 and more. */
export type GrowingUints = {
  readonly push: (value: number) => void;
  readonly length: () => number;
  /** The value at a place; 0 where nothing was appended yet. */
  readonly at: (place: number) => number;
  /** What was appended so far; a view, good until the next `push`. */
  readonly values: () => Uint32Array;
};

export function createGrowingUints(): GrowingUints {
  let values = new Uint32Array(1 << 16);
  let length = 0;
  return {
    push: (value) => {
      if (length === values.length) {
        const larger = new Uint32Array(2 * length);
        larger.set(values);
        values = larger;
      }
      values[length++] = value;
    },
    length: () => length,
    at: (place) => values[place] ?? 0,
    values: () => values.subarray(0, length),
  };
}
