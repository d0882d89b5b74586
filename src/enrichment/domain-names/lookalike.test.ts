import { expect, test } from "vitest";
import { parseDomain } from "../../targets/domain.ts";
import { loadBrands } from "./brands.ts";
import { lookalikeOf } from "./lookalike.ts";

test.each([
  ["bịnance.com", "typo"],
  ["аррӏе.com", "typo"],
  ["gøøgle.com", "typo"],
  ["micrösoft.net", "typo"],
  ["nеtfӏіх.com", "typo"],
  ["pаypal-lоgin.com", "combo"],
  ["sécure-bịnance.com", "combo"],
  ["über.de", null],
  ["bücher.de", null],
  ["müller.de", null],
  ["почта.com", null],
  ["日本語.com", null],
])("%s, read as its letters look, is a %s", (unicode, kind) => {
  const { name } = parseDomain(unicode);
  const found = lookalikeOf(name.split(".")[0] ?? "", name, loadBrands([]))?.kind ?? null;
  expect(found).toBe(kind);
});
