import { expect, test } from "vitest";
import { readFacts } from "./facts.ts";

test.each([
  ["<title>&#8203;&#xfeff; \n</title>", ""],
  ["<title>Pay\u200bPal\n log in</title>", "PayPal log in"],
  ["<title>\u2068Shop\u2069 \u200f </title>", "Shop"],
])("the title of %j is what a reader sees of it", (html, title) => {
  expect(readFacts(html).title).toBe(title);
});
