import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { PAGES } from "../scripts/build-docs.ts";

test.each(PAGES)("$file says what the code says: `npm run docs` makes it anew", async ({ file, make }) => {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
  expect(readFileSync(path, "utf8")).toBe(await make());
});

test("the pages know the service's answers as they are: `npm run web:types`", () => {
  const script = fileURLToPath(new URL("../scripts/web-types.ts", import.meta.url));
  expect(execFileSync(process.execPath, [script, "--check"], { encoding: "utf8" })).toBe("");
});
