import { expect, test } from "vitest";
import { parseEmailName } from "./account-rows.ts";

test.each([
  ["Ann@Example.com ", "ann@example.com"],
  ["owner@localhost", "owner@localhost"],
  ["jürgen@example.com", "jürgen@example.com"],
  ["ann@xn--exmple-cua.com", "ann@xn--exmple-cua.com"],
])("%j is kept as %j", (given, kept) => expect(parseEmailName(given)).toBe(kept));

test.each([
  ["ａnn@example.com", "ann@example.com", "a letter of full width"],
  ["ann@ｅxample.com", "ann@example.com", "the same in the domain"],
  ["ann@exämple.com", "ann@xn--exmple-cua.com", "a domain that is not in its ASCII form"],
  ["ﬁona@example.com", "fiona@example.com", "a ligature"],
  ["ju\u0308rgen@example.com", "jürgen@example.com", "a letter and its dots apart"],
])("%j is refused, and %j named: %s", (given, usual) =>
  expect(() => parseEmailName(given)).toThrow(`write "${usual}"`),
);
