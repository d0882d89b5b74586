import { expect, test } from "vitest";
import { AUDIT_ACTIONS, auditWords } from "./audit-actions.ts";

test("every action has words of its own, which begin a sentence", () => {
  const words = Object.keys(AUDIT_ACTIONS).map(auditWords);
  expect(new Set(words).size).toBe(words.length);
  for (const one of words) expect(one).toMatch(/^[A-Z][a-z-]+( [A-Za-z -]+)?$/);
});

test.each(["engine.switch_sideways", "constructor", ""])("an unknown action stays as it is: %j", (action) => {
  expect(auditWords(action)).toBe(action);
});
