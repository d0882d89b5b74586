import type { RecordObject } from "../../enrichment/dns-facts/records.ts";
import type { Resolved } from "../../enrichment/dns-facts/resolve.ts";
import type { RecordType } from "../../net/dns/dns-types.ts";

type TypeRecords = readonly [type: RecordType, records: readonly RecordObject[]];

/**
 * The records by type, cut so that their JSON stays within `maxBytes`: small types are whole, the large ones share
 * what is left in equal parts, each from its first record on. Source: security P22.
 */
export function boundRecords(
  answered: readonly Pick<Resolved<RecordType>, "type" | "records">[],
  maxBytes: number,
): TypeRecords[] {
  const sized = answered.map(({ type, records }) => ({ type, records, sizes: records.map(bytesOf) }));
  const smallestFirst = sized.toSorted((a, b) => sum(a.sizes) - sum(b.sizes));
  const counts = new Map<RecordType, number>();
  let leftBytes = maxBytes;
  for (const [i, { type, sizes }] of smallestFirst.entries()) {
    const count = countWithin(sizes, Math.floor(leftBytes / (smallestFirst.length - i)));
    counts.set(type, count);
    leftBytes -= sum(sizes.slice(0, count));
  }
  return answered.map(({ type, records }) => [type, records.slice(0, counts.get(type))]);
}

const bytesOf = (record: RecordObject): number => Buffer.byteLength(JSON.stringify(record)) + 1;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** How many of the first fit. */
function countWithin(sizes: readonly number[], maxBytes: number): number {
  let total = 0;
  const end = sizes.findIndex((size) => {
    total += size;
    return total > maxBytes;
  });
  return end < 0 ? sizes.length : end;
}
