import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { PAGES } from "../scripts/build-docs.ts";

test.each(PAGES)("$file says what the code says: `npm run docs` makes it anew", async ({ file, make }) => {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
  expect(readFileSync(path, "utf8")).toBe(await make());
});
