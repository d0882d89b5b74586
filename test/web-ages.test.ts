import { describe, expect, test } from "vitest";
import { ageText } from "../src/products/terminal.ts";
import { dataAge } from "../web/api/sources.gen.ts";
import { duration } from "../web/api/spans.gen.ts";
import { formatRelative, formatSpan } from "../web/ui/format.ts";

const MIN = 60;
const HOUR = 3_600;
const DAY = 86_400;

describe("an age", () => {
  test.each([
    [0, "0 s", "0 s"],
    [59.9, "59 s", "59 s"],
    [119, "1 min", "1 min"],
    [HOUR - 1, "59 min", "59 min"],
    [HOUR + 59 * MIN, "1 h", "1 h"],
    [DAY - 1, "23 h", "23 h"],
    [47 * HOUR, "1 d", "1 day"],
    [169 * DAY + 23 * HOUR, "169 d", "169 days"],
  ])("of %d s counts whole units: %s, %s", (seconds, short, long) => {
    expect(formatSpan(seconds)).toBe(short);
    expect(duration(seconds)).toBe(long);
  });

  test.each([61, HOUR + 1, 169.9 * DAY, 1_496 * DAY])("of %d s is the same in the terminal", (seconds) => {
    expect(formatSpan(seconds)).toBe(ageText(seconds));
  });
});

test.each([
  [0, "data as of this report"],
  [1, "data 1 s old"],
  [2, "data 2 s old"],
  [61, "data 1 min old"],
])("data of an engine that is %d s old, a list or a zone: %s", (seconds, text) => {
  expect(dataAge(seconds)).toBe(text);
});

describe("formatRelative() of a time ahead goes to the nearest unit", () => {
  const now = Date.parse("2026-11-22T09:00:00Z");
  test.each([
    [30 * DAY - 20 * MIN, "in 30 d"],
    [14 * DAY - 1, "in 14 d"],
    [29.4 * DAY, "in 29 d"],
    [DAY - 10, "in 1 d"],
    [HOUR - 10, "in 1 h"],
    [31 * MIN, "in 31 min"],
    [-(30 * DAY - 20 * MIN), "29 d ago"],
  ])("%d s: %s", (seconds, text) => {
    expect(formatRelative(new Date(now + 1000 * seconds).toISOString(), now)).toBe(text);
  });
});
