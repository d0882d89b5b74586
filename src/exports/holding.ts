import { type Cidr, readCidr } from "../targets/cidr.ts";
import { createRowFinder } from "./decisions/lookup.ts";
import type { Generation } from "./generation.ts";
import { namesAbove } from "./naming.ts";
import { type ExportRow, eachRow } from "./rows.ts";

/**
 * The row of a generation that names a value in its canonical spelling: for an address or a network the one that holds all of
 * it, for a name its own or that of a name above it, which no public suffix is. Null: there is none.
 */
export function rowHolding(generation: Generation, value: string): ExportRow | null {
  const { target } = generation.facts;
  if (target === "ip") return rowOfNetwork(generation, readCidr(value));
  const names = new Set([value, ...(target === "domain" ? namesAbove(value) : [])]);
  for (const row of eachRow(generation)) if (names.has(row.value)) return row;
  return null;
}

function rowOfNetwork(generation: Generation, network: Cidr | null): ExportRow | null {
  const row = network === null ? null : createRowFinder(generation).covering(network);
  return row?.isChallenged === true ? null : row;
}
