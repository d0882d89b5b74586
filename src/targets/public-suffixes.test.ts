import { expect, test } from "vitest";
import { registeredDomainOf } from "./domain.ts";
import { publicSuffixes } from "./public-suffixes.ts";

const suffixes = publicSuffixes();

test("each is a public suffix by the very rules that names are read by", () => {
  expect(suffixes.length).toBeGreaterThan(5000);
  expect(new Set(suffixes).size).toBe(suffixes.length);
  expect(suffixes.filter((name) => registeredDomainOf(name) !== null)).toEqual([]);
});

test.each([
  ["of a registry", "co.uk"],
  ["of a company", "github.io"],
  ["below a registered domain", "s3.amazonaws.com"],
  ["behind the star of a rule", "compute.amazonaws.com"],
  ["behind the star, with an exception below", "kawasaki.jp"],
  ["with other letters", "xn--55qx5d.cn"],
])("there is one %s", (_, name) => {
  expect(suffixes).toContain(name);
});

test.each(["com", "amazonaws.com", "city.kawasaki.jp", "evil.co.uk"])("%s is none of them", (name) => {
  expect(suffixes).not.toContain(name);
});
