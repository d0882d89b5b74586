import { expect, test } from "vitest";
import { counted, daysAgo } from "./counted.ts";

test.each([
  [0, "0 lists"],
  [1, "1 list"],
  [2, "2 lists"],
  [1200, "1200 lists"],
])("%i: %s", (count, text) => expect(counted(count, "list")).toBe(text));

test.each([
  [0, "less than a day ago"],
  [1, "1 day ago"],
  [29, "29 days ago"],
])("%i days: %s", (days, text) => expect(daysAgo(days)).toBe(text));
