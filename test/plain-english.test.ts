import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "./source-files.ts";

// Spelt in parts, so that this file passes its own test.
const WORDS = ["no\u0062ody", "who\u0065ver", "who\u006d", "some\u0062ody", "m\u0065nd(?:s|ed|ing)?"];
const BANNED = new RegExp(`\\b(?:${WORDS.join("|")})\\b`, "i");

/** The account of that name in Unix, in addresses and in configurations, and a defaced page's own words. */
const NAMES =
  /nobody(?:@|\.example|:secret-word@)|-u", "nobody"|User nobody|Hacked by Nobody|^\s*"nobody",$|'nobody', 'n'/;

const FOLDERS = ["src", "web", "docs", "deploy", "scripts", "bench", "chaos", "test"];
const TEXT = /\.(?:tsx?|css|md|ya?ml|py|cfg|service|html)$/;

/** Pictures of pages, and decisions, which are never edited. */
const EXCLUDED = /^(?:browser\/output|decisions)\//;

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => TEXT.test(name) && !EXCLUDED.test(name))
    .map((name) => join(folder, name));

const own = readdirSync(ROOT).filter((name) => /\.md$|^Containerfile$/.test(name));

/** Lines of a text that hold one of the words, as `line: "word" in text`. */
function findings(text: string): readonly string[] {
  return text.split("\n").flatMap((line, i) => {
    const [word] = BANNED.exec(line) ?? [];
    return word === undefined || NAMES.test(line) ? [] : [`${i + 1}: "${word}" in ${line.trim()}`];
  });
}

describe("comments, messages, pages and docs are plain English: person-words for data are not used", () => {
  test.each([...FOLDERS, "."])("in %s", (folder) => {
    const files = folder === "." ? own : filesBelow(folder);
    expect(files.length).toBeGreaterThan(0);
    const found = files.flatMap((file) =>
      findings(readFileSync(join(ROOT, file), "utf8")).map((finding) => `${file}:${finding}`),
    );
    expect(found).toEqual([]);
  });

  test.each([
    ["what no\u0062ody asked for", 1],
    ["Who\u0065ver asks", 1],
    ["two faults\n1 more to m\u0065nd", 1],
    ["recommended, amended, sombrero", 0],
    ["postgres://no\u0062ody@127.0.0.1:1/none", 0],
  ])("%j: %d", (text, count) => {
    expect(findings(text)).toHaveLength(count);
  });
});
