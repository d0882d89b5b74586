import { parseIpv4Value } from "../../src/targets/ip.ts";

/** The plain design: for each list a Set of its addresses and its networks as sorted ranges, asked one by one. IPv4. */
export function createSets(
  lists: readonly (readonly string[])[],
  keys: readonly string[],
): (text: string) => readonly string[] {
  const tables = lists.map((lines, list) => {
    const entries = lines.filter((line) => !line.includes(":"));
    return {
      key: keys[list] ?? "",
      addresses: new Set(entries.filter((line) => !line.includes("/"))),
      ranges: rangesOf(entries.filter((line) => line.includes("/"))),
    };
  });
  return (text) => {
    const value = parseIpv4Value(text);
    if (value === null) return [];
    const found: string[] = [];
    for (const { key, addresses, ranges } of tables) {
      if (addresses.has(text) || isIn(ranges, value)) found.push(key);
    }
    return found;
  };
}

type Ranges = { readonly starts: Uint32Array; readonly ends: Uint32Array };

/** Sorted, overlapping ones merged. */
function rangesOf(networks: readonly string[]): Ranges {
  const pairs = networks
    .map((network) => {
      const [address = "", length = "32"] = network.split("/");
      const start = parseIpv4Value(address) ?? 0;
      return { start, end: start + 2 ** (32 - Number(length)) - 1 };
    })
    .sort((a, b) => a.start - b.start);
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of pairs) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return {
    starts: Uint32Array.from(merged, ({ start }) => start),
    ends: Uint32Array.from(merged, ({ end }) => end),
  };
}

function isIn({ starts, ends }: Ranges, value: number): boolean {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low > 0 && value <= (ends[low - 1] ?? 0);
}
