import { expect, test } from "vitest";
import { feed } from "../../../test/feed-world.ts";
import type { FeedDefinition } from "../feed.ts";
import type { Previous } from "../state.ts";
import { judgeContent } from "./validate-content.ts";

const judged = (text: string, more: Partial<FeedDefinition>, previous: Previous) =>
  judgeContent(feed("https://lists.test/", more), Buffer.from(text), { previous });

test.each([
  ["20.0.0.7 has exceeded its quota.\n", "plain", "ip"],
  ["20.0.0.7 is making too many requests, try again in 60 minutes!", "netset", "ip"],
  ["2001:db8::7 has been blocked\r\n", "plain", "ip"],
  ["lists.example.net is down for maintenance", "plain", "domain"],
] as const)("takes no sentence for the list that several entries were in: %s", (text, format, target) => {
  const more = { format, target };
  for (const [entries, state] of [
    [0, "passed"],
    [1, "passed"],
    [2, "rejected"],
    [90, "rejected"],
  ] as const) {
    const previous = { entries, isSameDefinition: true };
    expect([entries, judged(text, more, previous).state]).toEqual([entries, state]);
  }
});

test.each([
  "20.0.0.7 # has exceeded its quota\n",
  "20.0.0.7 ssh bruteforce\n",
  "20.0.0.7\n",
  "20.0.0.7 was seen at our door\n20.0.0.8 was seen at our door\n",
  "# 20.0.0.0 is what this is of\n20.0.0.7 was seen here today\n",
])("takes a short list with remarks for one: %s", (text) => {
  expect(judged(text, { format: "plain" }, { entries: 40, isSameDefinition: true }).state).toBe("passed");
});
