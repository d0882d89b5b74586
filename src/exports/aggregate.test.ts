import fc from "fast-check";
import { expect, test } from "vitest";
import { eachIpv4Network, eachNetwork, promote } from "./aggregate.ts";
import { createIpv4Ranges, IPV4_SPACE, type Ipv4Ranges } from "./ranges.ts";

const SPAN = 1024;
/** Close to both ends of the space and inside it. */
const bases = fc.constantFrom(0, 0x7fff_fe00, 2 ** 32 - SPAN);

/** What is said of each of the addresses from `base` on: 0 is nothing, 1 and 2 are listed, 3 is challenged. */
const addresses = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 0, max: 3 })), { maxLength: 30 })
  .map((runs) => runs.flatMap(([length, entry]) => new Array<number>(length).fill(entry)).slice(0, SPAN));

function rangesOf(base: number, said: readonly number[]): Ipv4Ranges {
  const ranges = createIpv4Ranges();
  for (const [i, entry] of said.entries()) if (entry !== 0) ranges.push(base + i, base + i, entry);
  return ranges;
}

const isListed = (entry: number): boolean => entry !== 3;
const combine = (members: readonly number[]): number => Math.max(...members) + 100;

test("promotion lists exactly the networks whole of which enough is listed and nothing is allowed", () => {
  fc.assert(
    fc.property(
      bases,
      addresses,
      fc.constantFrom(24, 26, 29),
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.nat(SPAN - 1), { maxLength: 3 }),
      (base, said, prefix, count, allowedAt) => {
        const size = 2 ** (32 - prefix);
        const wanted = Array.from({ length: SPAN }, (_, i) => said[i] ?? 0);
        let added = 0;
        for (let block = 0; block < SPAN; block += size) {
          const members = wanted.slice(block, block + size).filter((entry) => entry !== 0 && isListed(entry));
          const isAllowed = allowedAt.some((at) => at >= block && at < block + size);
          if (members.length < count || members.length === size || isAllowed) continue;
          wanted.fill(combine(members), block, block + size);
          added += size - members.length;
        }
        const allowed = createIpv4Ranges();
        for (const at of allowedAt.sort((a, b) => a - b)) allowed.push(base + at, base + at, 0);
        const { ranges, unlisted } = promote(rangesOf(base, said), {
          prefix,
          count,
          allowed,
          combine,
          isListed,
        });
        const found = new Array<number>(SPAN).fill(0);
        const { firsts, lasts, entries } = ranges.columns();
        for (const [row, first] of firsts.entries())
          found.fill(entries[row] ?? 0, first - base, (lasts[row] ?? 0) - base + 1);
        expect([found, unlisted]).toEqual([wanted, added]);
        expect(ranges.length()).toBe(rangesOf(base, wanted).length());
      },
    ),
    { numRuns: 500 },
  );
});

test("IPv4 read from columns comes out as the networks that the rule for both families gives", () => {
  fc.assert(
    fc.property(bases, addresses, fc.boolean(), (base, said, isExact) => {
      const ranges = rangesOf(base, said);
      const mayJoin = (one: number, next: number): boolean =>
        isExact ? isListed(one) === isListed(next) : one === next;
      const [fast, plain]: [number[][], number[][]] = [[], []];
      eachIpv4Network(ranges, { mayJoin, combine }, (...row) => fast.push(row));
      eachNetwork(ranges, IPV4_SPACE, { mayJoin, combine }, (...row) => plain.push(row));
      expect(fast).toEqual(plain);
    }),
    { numRuns: 500 },
  );
});
