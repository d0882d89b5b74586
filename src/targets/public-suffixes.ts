import { createRequire } from "node:module";
import { z } from "zod";

/** The rules of tldts, of which its own functions give the one that fits a name, and no list. */
const TRIE = "tldts/dist/cjs/src/data/trie.js";
const trieSchema = z.object({
  edgeStart: z.instanceof(Uint16Array),
  edgeLength: z.instanceof(Uint8Array),
  edgeChild: z.instanceof(Uint16Array),
  nodeFlags: z.instanceof(Uint8Array),
  labelText: z.string(),
  rulesRoot: z.number(),
});

/** Public suffixes of two labels or more, as A-labels; a rule with a star (`*.compute.amazonaws.com`) makes what stands behind it one. */
export function publicSuffixes(): readonly string[] {
  const { edgeStart, edgeLength, edgeChild, nodeFlags, labelText, rulesRoot } = trieSchema.parse(
    createRequire(import.meta.url)(TRIE),
  );
  const ends = new Uint32Array(edgeLength.length);
  for (const [edge, length] of edgeLength.entries()) ends[edge] = (ends[edge - 1] ?? 0) + length;
  const found = new Set<string>();
  const visit = (node: number, name: string): void => {
    for (let edge = edgeStart[node] ?? 0; edge < (edgeStart[node + 1] ?? 0); edge++) {
      const end = ends[edge] ?? 0;
      const label = labelText.slice(end - (edgeLength[edge] ?? 0), end);
      const child = edgeChild[edge] ?? 0;
      const below = name === "" ? label : `${label}.${name}`;
      if (nodeFlags[child] !== 0) found.add(label === "*" ? name : below);
      visit(child, below);
    }
  };
  visit(rulesRoot, "");
  return [...found].filter((name) => isAscii(name) && name.includes("."));
}

/** Rules with other letters stand there as A-labels too. */
const isAscii = (name: string): boolean => [...name].every((letter) => letter < "\u0080");
