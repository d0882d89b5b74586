import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IPV4_SPACE, IPV6_SPACE, type Space } from "./ranges.ts";

/** The rule itself: the widest network that begins at `first`, is aligned and ends within `last`; of all addresses, a half. */
function widest(bits: number, first: bigint, last: bigint): { prefix: number; end: bigint } {
  for (let prefix = 1; ; prefix++) {
    const size = 1n << BigInt(bits - prefix);
    if (first % size === 0n && first + size - 1n <= last) return { prefix, end: first + size - 1n };
  }
}

const networkOf = <T extends number | bigint>({ network }: Space<T>, first: T, last: T) => {
  const { prefix, end } = network(first, last);
  return { prefix, end: BigInt(end) };
};

/** Two addresses in order, often of round numbers. */
const stretch = (bits: number) => {
  const top = (1n << BigInt(bits)) - 1n;
  const round = fc
    .tuple(fc.bigInt(0n, top), fc.integer({ min: 0, max: bits }))
    .map(([value, zeros]) => (value >> BigInt(zeros)) << BigInt(zeros));
  const one = fc.oneof(
    round,
    round.map((value) => top - value),
    fc.bigInt(0n, top),
  );
  return fc.tuple(one, one).map(([a, b]) => (a < b ? ([a, b] as const) : ([b, a] as const)));
};

describe("the widest network at the start of a stretch", () => {
  it("of IPv4 is the one of the rule", () => {
    fc.assert(
      fc.property(stretch(32), ([first, last]) => {
        expect(networkOf(IPV4_SPACE, Number(first), Number(last))).toEqual(widest(32, first, last));
      }),
      { numRuns: 3000, examples: [[[0n, 0xffff_ffffn]], [[0n, 0n]], [[0x8000_0000n, 0xffff_ffffn]]] },
    );
  });

  it("of IPv6 is the one of the rule", () => {
    const top = (1n << 128n) - 1n;
    fc.assert(
      fc.property(stretch(128), ([first, last]) => {
        expect(networkOf(IPV6_SPACE, first, last)).toEqual(widest(128, first, last));
      }),
      { numRuns: 3000, examples: [[[0n, top]], [[0n, 0n]], [[1n << 127n, top]], [[0n, 1n << 32n]]] },
    );
  });
});
