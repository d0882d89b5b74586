import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { PAGES } from "../scripts/build-docs.ts";
import { CATEGORY_WEIGHTS } from "../src/risk/strength.ts";

test.each(PAGES)("$file says what the code says: `npm run docs` makes it anew", async ({ file, make }) => {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
  expect(readFileSync(path, "utf8")).toBe(await make());
});

test("the pages know the service's answers as they are: `npm run web:types`", () => {
  const script = fileURLToPath(new URL("../scripts/web-types.ts", import.meta.url));
  expect(execFileSync(process.execPath, [script, "--check"], { encoding: "utf8" })).toBe("");
});

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MARKDOWN = [
  ...readdirSync(ROOT).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");

test.each(MARKDOWN)("%s links to files and headings that exist", (file) => {
  const links = [...readFileSync(join(ROOT, file), "utf8").matchAll(/\]\(([^)\s]+)\)/g)].map(
    ([, link = ""]) => link,
  );
  const broken = links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? join(ROOT, file) : join(ROOT, dirname(file), path);
    if (!existsSync(target)) return true;
    if (anchor === undefined) return false;
    const headings = [...readFileSync(target, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
      anchorOf(heading),
    );
    return !headings.includes(anchor);
  });
  expect(broken).toEqual([]);
});

test("docs/README.md links to every page of docs/", () => {
  const index = readFileSync(join(ROOT, "docs/README.md"), "utf8");
  const pages = readdirSync(join(ROOT, "docs")).filter(
    (name) => name.endsWith(".md") && name !== "README.md",
  );
  expect(pages.filter((name) => !index.includes(`(${name})`))).toEqual([]);
});

test("docs/policies.md tells the score of a category's list, and what two policies do with it", () => {
  const page = readFileSync(join(ROOT, "docs", "policies.md"), "utf8");
  const rows = [...page.matchAll(/^\| (`[a-z0-9]+`(?:, `[a-z0-9]+`)*) \| (\d+) \| (\w+) \| (\w+) \|$/gm)];
  expect(rows.length).toBeGreaterThan(4);
  const weights = new Map<string, number>(
    Object.entries(CATEGORY_WEIGHTS).map(([category, { weight }]) => [category, weight]),
  );
  const doneAt = (score: number, blockAt: number): string =>
    score >= blockAt ? "blocked" : score >= 50 ? "challenged" : "allowed";
  for (const [, names = "", text = "", ...actions] of rows) {
    const score = Number(text);
    for (const name of names.replaceAll("`", "").split(", "))
      expect([name, (weights.get(name) ?? 0) * 100]).toEqual([name, score]);
    expect([names, ...actions]).toEqual([names, doneAt(score, 75), doneAt(score, 60)]);
  }
});
