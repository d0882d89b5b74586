import { formatIpv4, formatIpv6 } from "../src/targets/ip.ts";

/** Text of a dump of RIPE RIS: lines of origin, prefix and the number of peers that see it, behind the publisher's remarks. */
export const risDump = (lines: readonly string[]): string =>
  ["% This is a dump of routes as seen by collectors.", "%", ...lines, ""].join("\n");

/** One line: `15169\t8.8.8.0/24\t390`. */
export const risLine = (origin: number | string, prefix: string, peers = 300): string =>
  `${origin}\t${prefix}\t${peers}`;

/** The same numbers of 32 bits in every run: xorshift32. */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** So many IPv4 prefixes, hardly one twice, most of them /24, as a routing table has them; the same in every run. */
export function ipv4Dump(count: number): string {
  const next = numbers(20_261_123);
  const lines: string[] = [];
  for (let i = 0; i < count; i++) {
    // From 1.0.0.0 to 223.255.255.0 in equal steps, so that all are different.
    const slash24 = 65_536 + Math.floor((i * (223 * 65_536)) / count);
    const length = next() % 10 < 6 ? 24 : 16 + (next() % 8);
    const start = (slash24 * 256) & (-1 << (32 - length));
    const prefix = `${formatIpv4(start >>> 0)}/${length}`;
    // One in fifty has a second origin.
    for (let origins = i % 50 === 0 ? 2 : 1; origins > 0; origins--) {
      lines.push(risLine(1 + (next() % 80_000), prefix, 1 + (next() % 400)));
    }
  }
  return risDump(lines);
}

/** The same of IPv6, most of them /48. */
export function ipv6Dump(count: number): string {
  const next = numbers(20_261_124);
  const lines: string[] = [];
  for (let i = 0; i < count; i++) {
    const upper = 0x2400_0000 + Math.floor((i * 0x0600_0000) / count);
    const length = next() % 10 < 6 ? 48 : 32 + (next() % 16);
    const lower = length === 32 ? 0 : (next() & (-1 << (64 - length))) >>> 0;
    const prefix = `${formatIpv6([upper, lower, 0, 0])}/${length}`;
    lines.push(risLine(1 + (next() % 80_000), prefix, 1 + (next() % 400)));
  }
  return risDump(lines);
}

/** Names of AS numbers from 1 on. */
export const asNames = (count: number): string =>
  Array.from({ length: count }, (_, i) => `${i + 1} EXAMPLE-${i + 1} Example Networks ${i + 1}, NL\n`).join(
    "",
  );
