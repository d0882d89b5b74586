import { expect, test } from "vitest";
import { parseScopes, readScope, scopesFrom } from "./token-scopes.ts";

test.each([
  ["gate", "gate"],
  ["decisions", "decisions"],
  ["exports:edge", "exports:edge"],
  ["exports:a", "exports:a"],
  ["exports:edge-v4_2", "exports:edge-v4_2"],
  ["exports:", null],
  ["exports", null],
  ["exports:Edge", null],
  ["exports:a b", null],
  ["exports:../x", null],
  ["exports:-a", null],
  [`exports:${"a".repeat(63)}`, `exports:${"a".repeat(63)}`],
  [`exports:${"a".repeat(64)}`, null],
  ["Gate", null],
  ["lookups", null],
  ["", null],
])("readScope(%j) is %j", (text, scope) => {
  expect(readScope(text)).toBe(scope);
});

test("parseScopes() keeps the order, drops repetitions and names the first unknown one", () => {
  expect(parseScopes(["gate", "exports:b", "gate", "decisions"])).toEqual(["gate", "exports:b", "decisions"]);
  expect(() => parseScopes(["gate", "lookups", "x"])).toThrow('Unknown scope "lookups": known are gate');
  expect(() => parseScopes([])).toThrow("at least one scope");
  expect(() => parseScopes(Array.from({ length: 51 }, () => "gate"))).toThrow("At most 50");
});

test("scopesFrom() takes nothing from what it does not know", () => {
  expect(scopesFrom("gate reports exports:x")).toEqual(["gate", "exports:x"]);
});
