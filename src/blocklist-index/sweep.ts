import { type IndexRows, sorted, visitEqual } from "./rows.ts";
import type { SetCollector } from "./sets.ts";

/** What the sweep tells, in ascending order of addresses. */
export type SweepSink = {
  /** Longer prefixes are the deep layer. */
  readonly layerPrefix: number;
  /** From `words` on the set holds. */
  readonly boundary: (words: Uint32Array, set: number, deep: boolean) => void;
  /** Of two details of one list's entry, the one to keep. */
  readonly newer: (one: number, other: number) => number;
  /** An entry that has a detail; each network of a list once. */
  readonly detail: (words: Uint32Array, rank: number, detail: number) => void;
};

type Node = { readonly words: Uint32Array; prefix: number; set: number };

/** The networks around the present address, outermost first: the first `depth` of `stack`. */
type Walk = { readonly stack: readonly Node[]; depth: number };

/**
 * Walks all entries of all lists at once. CIDRs are nested or apart, never crossing, so the networks that cover
 * an address are a stack. Every network begins with a boundary; its end gets one only where a network of the
 * same layer goes on around it. Where nothing does, the reader sees the end by the prefix length (builder.ts).
 */
export function sweep(collected: IndexRows, sets: SetCollector, sink: SweepSink): void {
  const rows = sorted(collected);
  const walk = startWalk(rows.words.length);
  const next = new Uint32Array(rows.words.length);
  const visit = {
    newer: sink.newer,
    entry: (rank: number, detail: number) => {
      sets.add(rank & 0xffff, rank >>> 16);
      if (detail !== 0) sink.detail(next, rank, detail);
    },
  };
  for (let i = 0; i < rows.order.length; ) {
    const row = rows.order[i] ?? 0;
    for (let w = 0; w < next.length; w++) next[w] = rows.words[w]?.[row] ?? 0;
    const prefix = (rows.ranks[row] ?? 0) >>> 16;
    closeUntil(walk, next, sink);
    sets.begin();
    i = visitEqual(rows, i, visit);
    const node = walk.stack[walk.depth++];
    if (node === undefined) throw new Error("More networks inside each other than an address has bits");
    node.set = sets.extend(walk.stack[walk.depth - 2]?.set ?? 0);
    node.prefix = prefix;
    node.words.set(next);
    sink.boundary(next, node.set, prefix > sink.layerPrefix);
  }
  closeUntil(walk, null, sink);
}

const startWalk = (width: number): Walk => ({
  stack: Array.from({ length: width * 32 + 1 }, () => ({ words: new Uint32Array(width), prefix: 0, set: 0 })),
  depth: 0,
});

/** Closes the networks that do not contain `next`, innermost first; all of them at the end. */
function closeUntil(walk: Walk, next: Uint32Array | null, sink: SweepSink): void {
  for (; walk.depth > 0; walk.depth--) {
    const node = walk.stack[walk.depth - 1];
    if (node === undefined || (next !== null && contains(node, next))) return;
    const around = walk.stack[walk.depth - 2];
    if (around !== undefined) closeInside(around, node, sink);
  }
}

function closeInside(around: Node, node: Node, sink: SweepSink): void {
  const deep = node.prefix > sink.layerPrefix;
  if (around.prefix > sink.layerPrefix !== deep) return;
  // The closed network's words are not needed again: they become the first address after it.
  const wrapped = advance(node.words, node.prefix);
  // Where both end together, the end of the outer one says what follows.
  if (!wrapped && contains(around, node.words)) sink.boundary(node.words, around.set, deep);
}

function contains(node: Node, words: Uint32Array): boolean {
  const whole = node.prefix >>> 5;
  for (let w = 0; w < whole; w++) if (node.words[w] !== words[w]) return false;
  const rest = node.prefix & 31;
  return rest === 0 || ((node.words[whole] ?? 0) ^ (words[whole] ?? 0)) >>> (32 - rest) === 0;
}

/** Adds the size of a network to its address; true when that runs past the last address. */
function advance(words: Uint32Array, prefix: number): boolean {
  if (prefix === 0) return true;
  let word = (prefix - 1) >>> 5;
  words[word] = (words[word] ?? 0) + 2 ** (31 - ((prefix - 1) & 31)); // wraps at 2^32
  let carry = words[word] === 0;
  // A carry out of a word leaves it zero, as the bits below the prefix are zero already.
  while (carry && word > 0) {
    word--;
    words[word] = (words[word] ?? 0) + 1;
    carry = words[word] === 0;
  }
  return carry;
}
