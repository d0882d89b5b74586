import { expect, test } from "vitest";
import { defineEngines } from "./definitions.ts";
import { enginesOptionsSchema } from "./options.ts";
import { urgencyOf } from "./urgency.ts";

const common = { format: "plain", url: "https://lists.test/" };
const define = (feeds: readonly object[]) =>
  defineEngines({
    engines: enginesOptionsSchema.parse({
      builtin: false,
      feeds: feeds.map((feed) => ({ ...common, target: "ip", ...feed })),
    }),
    allowlists: [],
    switches: new Map(),
  });

test("lists that matter come first: by confidence, addresses and names before URLs, single lists before collections", () => {
  const order = ["sure", "names", "pages", "likely", "weak", "many"];
  const feeds = [
    { key: "many", confidence: "high", aggregate: true },
    { key: "weak", confidence: "low" },
    { key: "pages", confidence: "high", target: "url" },
    { key: "likely", confidence: "medium" },
    { key: "names", confidence: "high", target: "domain" },
    { key: "sure", confidence: "high" },
  ];
  const urgency = urgencyOf(define(feeds));
  const sorted = feeds.map(({ key }) => key).toSorted((a, b) => urgency(a) - urgency(b));
  expect(sorted.slice(2)).toEqual(order.slice(2));
  expect(sorted.slice(0, 2).toSorted()).toEqual(["names", "sure"]);
  expect(urgency("names_of_nothing")).toBeGreaterThan(urgency("many"));
});
