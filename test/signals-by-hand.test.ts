import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { IP_SIGNALS } from "../src/products/check-ip/signals.ts";
import { DOMAIN_SIGNALS } from "../src/products/domain-reputation/signals.ts";
import { EMAIL_SIGNALS } from "../src/products/email-reputation/signals.ts";

// The tests that recompute scores know nothing of the product: without this one they would pass over a signal that never
// fires in them.
test.each([
  ["IP_SIGNALS", IP_SIGNALS, "score-by-hand.ts"],
  ["DOMAIN_SIGNALS", DOMAIN_SIGNALS, "name-scores-by-hand.ts"],
  ["EMAIL_SIGNALS", EMAIL_SIGNALS, "name-scores-by-hand.ts"],
] as const)("every signal of %s has its rule in the scores by hand", (_of, signals, file) => {
  const rules = readFileSync(new URL(file, import.meta.url), "utf8");
  const absent = Object.keys(signals).filter((name) => !new RegExp(`\\b${name}\\b`).test(rules));
  expect(absent, `Write the rule of each, from the answer's fields alone, into test/${file}`).toEqual([]);
});
