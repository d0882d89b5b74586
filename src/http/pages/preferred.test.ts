import { expect, test } from "vitest";
import { prefersHtml } from "./preferred.ts";

test.each([
  [undefined, false],
  ["", false],
  ["*/*", false],
  ["application/json", false],
  ["text/html", true],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true],
  ["text/html, application/json", false],
  ["text/html;q=0.5, application/json;q=0.4", true],
  ["text/html;q=0.4, */*;q=0.5", false],
  ["TEXT/HTML ; Q=1", true],
  ["text/*", true],
  ["text/html;q=2", false],
  ["text/html;q=0", false],
])("Accept: %s prefers HTML: %s", (accept, html) => {
  expect(prefersHtml(accept)).toBe(html);
});
