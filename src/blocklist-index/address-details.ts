import { createColumn, type NumberColumn, narrowed } from "./columns.ts";
import { type Sections, type Uints, u32Section, uintSection } from "./snapshot.ts";

/**
 * Which entries of which list have a detail. Few do, so it stands apart from the intervals: per list the rows
 * (network, prefix length, detail), sorted, 9 bytes or less for IPv4.
 */
export type AddressDetailCollector = {
  /** In ascending order of networks, then prefix lengths. */
  readonly add: (words: Uint32Array, rank: number, detail: number) => void;
  readonly sections: (prefix: string, listCount: number) => Sections;
};

/** Finds the detail of an entry of a list, 0 where it has none. */
export type AddressDetails = {
  readonly find: (list: number, network: readonly number[], prefix: number) => number;
};

/** An empty collector for addresses of `width` words; ranks are prefix length × 65,536 + list. */
export function createAddressDetailCollector(width: number): AddressDetailCollector {
  const words = Array.from({ length: width }, createColumn);
  const ranks = createColumn();
  const details = createColumn();
  return {
    add: (network, rank, detail) => {
      for (let w = 0; w < width; w++) words[w]?.push(network[w] ?? 0);
      ranks.push(rank);
      details.push(detail);
    },
    sections: (prefix, listCount) => {
      const { order, starts } = rowsByList(ranks, listCount);
      const sorted = (column: NumberColumn) => order.map((row) => column.at(row));
      return {
        [`${prefix}.starts`]: starts,
        ...Object.fromEntries(words.map((column, w) => [`${prefix}.word${w}`, sorted(column)])),
        [`${prefix}.prefixes`]: Uint8Array.from(order, (row) => ranks.at(row) >>> 16),
        [`${prefix}.details`]: narrowed(sorted(details)),
      };
    },
  };
}

function rowsByList(ranks: NumberColumn, listCount: number): { order: Uint32Array; starts: Uint32Array } {
  const starts = new Uint32Array(listCount + 1);
  for (const rank of ranks.values()) {
    const next = (rank & 0xffff) + 1;
    starts[next] = (starts[next] ?? 0) + 1;
  }
  for (let list = 1; list <= listCount; list++) starts[list] = (starts[list] ?? 0) + (starts[list - 1] ?? 0);
  const places = starts.slice();
  const order = new Uint32Array(ranks.length());
  for (const [row, rank] of ranks.values().entries()) {
    const place = places[rank & 0xffff] ?? 0;
    order[place] = row;
    places[rank & 0xffff] = place + 1;
  }
  return { order, starts };
}

/** The rows that a collector of `width` words wrote under `prefix`. */
export function openAddressDetails(sections: Sections, prefix: string, width: number): AddressDetails {
  const starts = u32Section(sections, `${prefix}.starts`);
  const words = Array.from({ length: width }, (_, w) => u32Section(sections, `${prefix}.word${w}`));
  const prefixes = uintSection(sections, `${prefix}.prefixes`);
  const details: Uints = uintSection(sections, `${prefix}.details`);
  const compare = (row: number, network: readonly number[], length: number): number => {
    for (let w = 0; w < width; w++) {
      const difference = (words[w]?.[row] ?? 0) - (network[w] ?? 0);
      if (difference !== 0) return difference;
    }
    return (prefixes[row] ?? 0) - length;
  };
  return {
    find: (list, network, length) => {
      let low = starts[list] ?? 0;
      let high = starts[list + 1] ?? 0;
      while (low < high) {
        const middle = (low + high) >>> 1;
        const order = compare(middle, network, length);
        if (order === 0) return details[middle] ?? 0;
        if (order < 0) low = middle + 1;
        else high = middle;
      }
      return 0;
    },
  };
}
