import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRunner, expectFailure } from "./cli-runner.ts";
import { putSnapshots } from "./prepared-snapshots.ts";

const folder = mkdtempSync(join(tmpdir(), "repute-exports-explain-"));
const cli = createRunner(folder, {
  REPUTE_DATA_DIR: join(folder, "data"),
  REPUTE_CONFIG: join(folder, "repute.yaml"),
});

const LISTED = {
  own_names: { target: "domain", lines: ["evil.net", "bad.good.evil.net", "allowed.org"] },
  own_boxes: { target: "email", lines: ["bad@evil.net", "boxes.org"] },
  own_pages: { target: "url", lines: ["http://evil.net/a", "http://pages.org/a"] },
} as const;
const EXPORTS = [
  { name: "names", target: "domain" },
  { name: "all_names", target: "domain", subtract: [] },
  { name: "boxes", target: "email" },
  { name: "pages", target: "url" },
] as const;
const NOTHING = { name: "nothing", target: "domain", min_score: 100 };

/** The values that each file holds. */
const written = new Map<string, readonly string[]>();

beforeAll(async () => {
  await putSnapshots(join(folder, "data"));
  const list = (key: string, target: string, lines: readonly string[]) => {
    writeFileSync(join(folder, key), `${lines.join("\n")}\n`);
    return { key, target, url: pathToFileURL(join(folder, key)).href, format: "plain" };
  };
  const feeds = Object.entries(LISTED).map(([key, { target, lines }]) => ({
    ...list(key, target, lines),
    category: "c2",
    confidence: "high",
  }));
  const allowlists = [list("own_good", "domain", ["good.evil.net", "allowed.org"])];
  const config = { engines: { builtin: false, feeds }, allowlists, exports: [...EXPORTS, NOTHING] };
  writeFileSync(join(folder, "repute.yaml"), JSON.stringify(config));
  for (const { name } of EXPORTS) {
    const { status, out, error } = await cli.repute(["exports", "write", name, "--format", "txt?head=0"]);
    expect({ name, status, error }).toEqual({ name, status: 0, error: "" });
    written.set(name, out.trimEnd().split("\n"));
  }
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  // In the file, or below what is.
  ["names", "evil.net", "in: "],
  ["names", "deep.evil.net", "in: "],
  ["names", "x.bad.good.evil.net", "in: "],
  ["boxes", "bad@evil.net", "in: "],
  ["boxes", "any@boxes.org", "in: "],
  ["pages", "http://PAGES.org:80/a", "in: "],
  // With a score by what stands around it alone.
  ["names", "pages.org", "not in: no list names it by itself, scores "],
  ["names", "x.pages.org", "not in: no list "],
  ["boxes", "any@evil.net", "not in: no list names it by itself, scores "],
  ["boxes", "evil.net", "not in: no list names it by itself, scores "],
  ["pages", "http://pages.org/b", "not in: no list names it by itself, scores "],
  ["pages", "http://evil.net/", "not in: no list names it by itself, scores "],
  // Exempt, though what stands above is in the file.
  ["names", "good.evil.net", "not in: allowlisted by own_good, would be "],
  ["names", "x.good.evil.net", "not in: allowlisted by own_good, would be "],
  ["all_names", "x.good.evil.net", "in: "],
  ["names", "x.allowed.org", "not in: allowlisted by own_good, would be "],
])("%s %s: %s…", async (name, value, says) => {
  const { status, out } = await cli.repute(["exports", "explain", name, value]);
  expect({ status, out: out.slice(0, says.length) }).toEqual({ status: 0, out: says });
});

test("the files hold what lists name, and nothing that stands near it", () => {
  expect(Object.fromEntries(written)).toEqual({
    names: ["bad.good.evil.net", "evil.net"],
    all_names: ["bad.good.evil.net", "evil.net"],
    boxes: ["bad@evil.net", "boxes.org"],
    pages: ["http://evil.net/a", "http://pages.org/a"],
  });
});

test("an export of nothing is not said to be one that can be released", async () => {
  const { out } = await cli.repute(["exports", "list"]);
  expect(out.replaceAll(/\s+/g, " ")).toContain(
    "0 entries, fewer than 1; a list of nothing is never put in force",
  );
  expect(out).not.toContain("release");
  const { error } = await cli.repute(["exports", "release", "nothing"]);
  expect(error).toContain("never put in force");
});

test("an option that is given twice in a format is refused, as by the route", async () => {
  expectFailure(
    await cli.repute(["exports", "write", "names", "--format", "txt?head=0&head=0"]),
    2,
    "Expected of head: 0",
  );
});
