import { createRequire } from "node:module";
import type { Document } from "yaml";

const require = createRequire(import.meta.url);

/** Where the value at a path begins, or as much of the path as the document has: the key of a mapping's member. */
export function offsetOf(document: Document, path: readonly PropertyKey[]): number | null {
  // Loaded only where something is wrong: a start without a file of the operator's does not need it.
  const { isMap, isPair, isScalar, isSeq }: typeof import("yaml") = require("yaml");
  let node: unknown = document.contents;
  let offset: number | null = null;
  for (const step of path) {
    const pair = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === step)
      : undefined;
    const child = isSeq(node) && typeof step === "number" ? node.items[step] : undefined;
    const at = startOf(pair?.key) ?? startOf(child);
    if (at === null) break;
    offset = at;
    node = isPair(pair) ? pair.value : child;
  }
  return offset;
}

function startOf(node: unknown): number | null {
  if (typeof node !== "object" || node === null || !("range" in node) || !Array.isArray(node.range))
    return null;
  const [start]: unknown[] = node.range;
  return typeof start === "number" ? start : null;
}
