/** A seeded 64-bit hash in two halves, without an object or a BigInt per text. Not for secrets. */
export type TextHash = {
  /** Hashes a text; `high` and `low` tell of the latest one. */
  readonly update: (text: string) => void;
  /** Upper 32 bits, unsigned. */
  readonly high: () => number;
  /** Lower 32 bits, unsigned. */
  readonly low: () => number;
};

/** A hash that differs with each pair of seeds (u32), so that texts cannot be crafted that meet in one bucket. */
export function createTextHash(seeds: readonly [number, number]): TextHash {
  let high = 0;
  let low = 0;
  return {
    update: (text) => {
      let a = seeds[0] ^ text.length;
      let b = seeds[1];
      for (let i = 0; i < text.length; i++) {
        const code = text.charCodeAt(i);
        // Rotations carry what the multiplications moved up back down, and each half feeds the other.
        a = Math.imul(a ^ code, 0x9e3779b1);
        a = (((a << 13) | (a >>> 19)) + b) | 0;
        b = Math.imul(b ^ code, 0x85ebca77) ^ a;
        b = (b << 17) | (b >>> 15);
      }
      // Every step can be undone, so that the halves lose nothing of the state.
      high = mixBits(a + Math.imul(b, 0x27d4eb2f));
      low = mixBits(b + Math.imul(high, 0x165667b1));
    },
    high: () => high,
    low: () => low,
  };
}

/** The finalizer of MurmurHash3: every bit of the input reaches every bit of the result. */
export function mixBits(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
