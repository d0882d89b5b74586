import { registeredDomainOf } from "../../targets/domain.ts";
import type { Generation } from "../generation.ts";
import { eachRow } from "../rows.ts";

/**
 * Names as Squid's `dstdomain` reads them: `.evil.example` is the name with all below it. A public suffix, and a name with an
 * allowed one or a public suffix below it, stand for themselves alone, without the dot. What a dotted name covers is not written again: of two
 * that cover one another Squid takes one and warns. Source: https://www.squid-cache.org/Doc/config/acl/ (dstdomain).
 */
export function* dottedNames(generation: Generation): Generator<string> {
  const aboveIslands = new Set(generation.islands.flatMap(namesAbove));
  const covering = new Set<string>();
  for (const { value } of eachRow(generation)) {
    if (registeredDomainOf(value) !== null && !aboveIslands.has(value)) covering.add(value);
  }
  for (const { value } of eachRow(generation)) {
    if (namesAbove(value).some((name) => covering.has(name))) continue;
    yield covering.has(value) ? `.${value}` : value;
  }
}

/** `a.b.c` to `b.c`, `c`. */
export const namesAbove = (name: string): readonly string[] => {
  const labels = name.split(".");
  return labels.slice(1).map((_, i) => labels.slice(i + 1).join("."));
};
