import { expect, test } from "vitest";
import { failureIn } from "./no-answer.ts";

const TIMED_OUT = "timeout: no engine answered in time";
const FAILED = "upstream_error: no engine answered";

test.each([
  ["standard", { engines_unavailable: [{ status: "timeout" }, { status: "timeout" }] }, TIMED_OUT],
  ["standard", { engines_unavailable: [{ status: "timeout" }, { status: "error" }] }, FAILED],
  ["compact", { unanswered: { timeout: ["a", "b"] } }, TIMED_OUT],
  ["compact", { unanswered: { timeout: ["a"], error: ["b"] } }, FAILED],
])("why no engine answered is read from the view %s", (_view, blacklists, text) => {
  expect(failureIn({ blacklists })).toBe(text);
});

test("why a registration is unknown is read from its error", () => {
  const error = { code: "timeout", message: "No server answered in time" };
  expect(failureIn({ lookup_status: "error", error })).toBe("timeout: No server answered in time");
});

test("an answer that does not say why has a text all the same", () => {
  expect(failureIn({ unanswered_count: 3 })).toBe("upstream_error: no answer");
});
