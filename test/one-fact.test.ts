import { describe, expect, test } from "vitest";
import { PLAN_NAMES } from "../src/accounts/plans.ts";
import { EngineResult } from "../src/engines/shapes.ts";
import { ANONYMITY_FLAGS } from "../src/enrichment/facts.ts";
import { PRODUCTS } from "../src/products/all.ts";
import { readSourceFiles, type SourceFile } from "./source-files.ts";

// One fact stands in one place: these counts may fall, and a new place is a design to think over (CONTRIBUTING.md).

const isCounted = ({ path }: SourceFile): boolean =>
  !/\.test\.tsx?$|\.gen\.ts$|\/node_modules\/|\/migrations\//.test(path);
const files = [...readSourceFiles("src"), ...readSourceFiles("web"), ...readSourceFiles("scripts")].filter(
  isCounted,
);

/** Files that name these words, or all but one, in strings or as members. */
function placesOf(words: readonly string[]): readonly string[] {
  const patterns = words.map((word) => new RegExp(`(?<![\\w-])${word}(?![\\w-])`));
  return files
    .filter(({ text }) => patterns.filter((pattern) => pattern.test(text)).length >= words.length - 1)
    .map(({ path }) => path);
}

/** Schema, and what fills it. */
const FACTS: readonly {
  readonly what: string;
  readonly words: readonly string[];
  readonly places: string[];
}[] = [
  {
    what: "the flags of anonymity",
    words: ANONYMITY_FLAGS,
    places: ["src/enrichment/facts.ts", "src/enrichment/ip/classify.ts"],
  },
  { what: "the plans", words: PLAN_NAMES, places: ["src/accounts/plans.ts"] },
  {
    what: "the members of an engine's result",
    words: Object.keys(EngineResult.shape),
    places: ["src/engines/shapes.ts", "src/engines/verdict-report.ts"],
  },
  {
    what: "the products by name",
    words: PRODUCTS.map(({ name }) => name),
    places: ["src/products/all.ts"],
  },
];

test.each(FACTS)("$what are named in $places alone", ({ words, places }) => {
  expect(words.length).toBeGreaterThan(3);
  expect(placesOf(words)).toEqual(places);
});

/** Lists of texts, and unions of them, that say why a question had no answer: all of them have a timeout. */
function failureWords({ path, text }: SourceFile): readonly string[] {
  const written = text.matchAll(/\[\s*"[\w-]+"(?:,\s*"[\w-]+")*,?\s*\]|"[\w-]+"(?:\s*\|\s*"[\w-]+")+/g);
  return [...written].filter(([list]) => list.includes('"timeout"')).map(() => path);
}

describe("reasons for no answer", () => {
  test("are listed in ten places at most", () => {
    expect(files.flatMap(failureWords).length).toBeLessThanOrEqual(10);
  });

  test("are found as a union and as a list", () => {
    const count = (text: string) => failureWords({ path: "", text, code: text, imports: [] }).length;
    expect(count('type A = "ok" | "timeout";\nconst B = ["ok",\n  "timeout",\n];')).toBe(2);
    expect(count('if (a === "timeout") return ["ok"];')).toBe(0);
  });
});
