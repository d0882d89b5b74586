import { numberOfWords } from "../src/blocklist-index/regions.ts";
import { readCidr } from "../src/targets/cidr.ts";

/** Addresses from the first to the last, IPv6 behind all of IPv4, so that both families are one row of numbers. */
export type Range = { readonly first: bigint; readonly last: bigint };

const IPV6 = 1n << 128n;

/** The range of an address or a network. Throws for any other text. */
export function rangeOf(text: string): Range & { readonly prefix: number } {
  const cidr = readCidr(text, { hostBits: "drop" });
  if (cidr === null) throw new Error(`Neither an address nor a network: ${text}`);
  const { network, prefix } = cidr;
  const isV4 = network.version === "v4";
  const first = isV4 ? BigInt(network.value) : IPV6 + numberOfWords(network.words);
  return { first, last: first + (1n << BigInt((isV4 ? 32 : 128) - prefix)) - 1n, prefix };
}

/** The range of numbers as `RouteRanges` has them. */
export const rangeOfNumbers = ({ first, last }: { first: number | bigint; last: number | bigint }): Range =>
  typeof first === "bigint"
    ? { first: IPV6 + first, last: IPV6 + BigInt(last) }
    : { first: BigInt(first), last: BigInt(last) };

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** The same addresses, in ascending ranges that do not touch. */
export function union(ranges: readonly Range[]): readonly Range[] {
  const merged: { first: bigint; last: bigint }[] = [];
  for (const { first, last } of [...ranges].sort((a, b) => ascending(a.first, b.first))) {
    const before = merged.at(-1);
    if (before === undefined || first > before.last + 1n) merged.push({ first, last });
    else if (last > before.last) before.last = last;
  }
  return merged;
}

/** What two unions have in common. */
export function common(one: readonly Range[], other: readonly Range[]): readonly Range[] {
  const found: Range[] = [];
  let row = 0;
  for (const { first, last } of one) {
    while ((other[row]?.last ?? last) < first) row++;
    for (let at = row; at < other.length && (other[at]?.first ?? 0n) <= last; at++) {
      const { first: from = 0n, last: to = 0n } = other[at] ?? {};
      found.push({ first: from > first ? from : first, last: to < last ? to : last });
    }
  }
  return found;
}

/** How many addresses there are. */
export const sizeOf = (ranges: readonly Range[]): bigint =>
  ranges.reduce((sum, { first, last }) => sum + last - first + 1n, 0n);

/** Whether a union holds an address. */
export function holds(ranges: readonly Range[], address: bigint): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.last ?? 0n) < address) low = middle + 1;
    else high = middle;
  }
  return (ranges[low]?.first ?? address + 1n) <= address;
}

export type Nested<Kind> = ReturnType<typeof rangeOf> & { readonly kind: Kind };

/** Where the most specific network of one kind is not wider than the most specific one of the other kind. */
export function whereFirst<Kind>(networks: readonly Nested<Kind>[], kind: Kind): readonly Range[] {
  const sorted = [...networks].sort((a, b) => ascending(a.first, b.first) || a.prefix - b.prefix);
  const edges = [...new Set(networks.flatMap(({ first, last }) => [first, last + 1n]))].sort(ascending);
  const found: Range[] = [];
  let open: Nested<Kind>[] = [];
  let next = 0;
  for (const [i, first] of edges.entries()) {
    open = open.filter(({ last }) => last >= first);
    for (let one = sorted[next]; one !== undefined && one.first === first; one = sorted[++next])
      open.push(one);
    const most = (isKind: boolean) =>
      Math.max(-1, ...open.flatMap((one) => ((one.kind === kind) === isKind ? [one.prefix] : [])));
    const last = (edges[i + 1] ?? first) - 1n;
    if (most(true) >= 0 && most(true) >= most(false)) found.push({ first, last });
  }
  return union(found);
}
