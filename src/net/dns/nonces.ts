import type { Random } from "../../base/clock.ts";

/** Unpredictable numbers for questions: ids, ports, letter case. */
export type Nonces = {
  /** From 0 to `count` - 1, all as likely where `count` is a power of two; at most 65,536. */
  readonly below: (count: number) => number;
  /** Octets that are given out once. */
  readonly octets: (count: number) => Uint8Array;
};

/** Drawn at a time: a draw of a few octets costs as much as one of all these. */
const POOL_OCTETS = 4096;

/** Numbers of the given chance. */
export function createNonces(random: Pick<Random, "bytes">): Nonces {
  let pool = new Uint8Array(0);
  let next = 0;
  const octets = (count: number): Uint8Array => {
    if (next + count > pool.length) {
      pool = Uint8Array.from(random.bytes(POOL_OCTETS));
      next = 0;
    }
    next += count;
    return pool.subarray(next - count, next);
  };
  return {
    octets,
    below: (count) => {
      const [high = 0, low = 0] = octets(2);
      return (high * 256 + low) % count;
    },
  };
}
