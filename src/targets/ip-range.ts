import { type Cidr, readCidr } from "./cidr.ts";
import { type Ip, ipv4Of, ipv6Of } from "./ip.ts";

/**
 * The fewest networks that make up the addresses from `first` to `last`, in order: at most 62 of IPv4, 254 of IPv6.
 * Empty when the two are of different versions or in the wrong order.
 */
export function cidrsOf(first: Ip, last: Ip): readonly Cidr[] {
  if (first.version !== last.version) return [];
  const bits = first.version === "v4" ? 32 : 128;
  const end = numberOf(last);
  const networks: Cidr[] = [];
  for (let start = numberOf(first); start <= end; ) {
    let size = 0;
    while (
      size < bits &&
      (start & ((1n << BigInt(size + 1)) - 1n)) === 0n &&
      start + (1n << BigInt(size + 1)) - 1n <= end
    ) {
      size++;
    }
    const network = readCidr(`${textOf(start, bits)}/${bits - size}`);
    if (network === null) break; // inside ::ffff:0:0/96: no network of its own
    networks.push(network);
    start += 1n << BigInt(size);
  }
  return networks;
}

const numberOf = (ip: Ip): bigint =>
  ip.version === "v4"
    ? BigInt(ip.value)
    : ip.words.reduce((value, word) => (value << 32n) | BigInt(word), 0n);

function textOf(value: bigint, bits: number): string {
  if (bits === 32) return ipv4Of(Number(value)).text;
  const word = (shift: bigint) => Number((value >> shift) & 0xffffffffn);
  return ipv6Of([word(96n), word(64n), word(32n), word(0n)]).text;
}
