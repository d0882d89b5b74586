import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { markedLines } from "../scripts/marked-lines.ts";

/** The pages of the consumers. */
const CONSUMER_DOCS = fileURLToPath(new URL("../docs/consumers", import.meta.url));

/** Every page by its file's name. */
export const consumerPages = (): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(CONSUMER_DOCS)
      .sort()
      .map((name) => [name, readFileSync(join(CONSUMER_DOCS, name), "utf8")]),
  );

/** Pages beside those of the consumers that have lines too. */
const others = ["bouncers.md", "first-block.md"].map((name) =>
  readFileSync(join(CONSUMER_DOCS, "..", name), "utf8"),
);

const blocks = new Map([...consumerPages().values(), ...others].flatMap((text) => [...markedLines(text)]));

/** Every mark of lines that a test is to run. */
export const lineMarks = (): readonly string[] => [...blocks.keys()];

/** The block of lines that stands under a mark in one of the pages, as it stands there. */
export function linesOf(mark: string): string {
  const lines = blocks.get(mark);
  if (lines === undefined) throw new Error(`The pages have no lines "${mark}"`);
  return lines;
}
