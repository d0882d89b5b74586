import { describe, expect, test } from "vitest";
import { COMPUTED_AT, daysAgo, engine, hit, miss } from "../../test/verdicts.ts";
import { familyOf } from "../engines/family.ts";
import { CATEGORIES, type Verdict } from "../engines/kind.ts";
import { roundStrength, strengthOf } from "./strength.ts";

describe("strengthOf()", () => {
  const weights = {
    hijacked: 0.9,
    c2: 0.9,
    malware: 0.85,
    phishing: 0.85,
    attack: 0.6,
    abuse: 0.5,
    spam: 0.45,
    scanner: 0.35,
    proxy: 0.3,
    tor: 0.3,
    vpn: 0.1,
    suspicious: 0.4,
    aggregate: 0.5,
    policy: 0.05,
  };
  test.each(CATEGORIES)(
    "of a fresh exact hit in category %s of high confidence is the category's weight",
    (category) => {
      expect(strengthOf(hit(engine("x", { category, confidence: "high" })), COMPUTED_AT)).toBe(
        weights[category],
      );
    },
  );

  const halfLives = [
    ["hijacked", 180],
    ["c2", 30],
    ["malware", 14],
    ["phishing", 14],
    ["attack", 7],
    ["abuse", 14],
    ["spam", 14],
    ["scanner", 7],
    ["proxy", 3],
    ["tor", 3],
    ["vpn", 30],
    ["suspicious", 14],
    ["aggregate", 7],
  ] as const;
  test.each(halfLives)("halves in category %s within %i days", (category, days) => {
    const of = engine("x", { category, confidence: "high" });
    expect(strengthOf(hit(of, { lastSeen: daysAgo(days) }), COMPUTED_AT)).toBe(weights[category] / 2);
  });

  test.each<{ over: Partial<Verdict>; strength: number; why: string }>([
    { over: {}, strength: 0.375, why: "operator's defaults: abuse, medium" },
    { over: { confidence: "low" }, strength: 0.2, why: "low confidence" },
    { over: { category: "spam" }, strength: 0.3375, why: "the hit's category, not the list's" },
    { over: { matched: { value: "", level: "network" } }, strength: 0.375, why: "network" },
    { over: { matched: { value: "", level: "email" } }, strength: 0.375, why: "e-mail" },
    { over: { matched: { value: "", level: "registered_domain" } }, strength: 0.3, why: "registered domain" },
    { over: { matched: { value: "", level: "url_host" } }, strength: 0.225, why: "another URL of the host" },
    { over: { matched: { value: "", level: "embedded_ipv4" } }, strength: 0.1875, why: "embedded address" },
    { over: { lastSeen: daysAgo(28) }, strength: 0.09375, why: "two half-lives" },
    { over: { lastSeen: daysAgo(-3) }, strength: 0.375, why: "a date in the future is today" },
    { over: { lastSeen: "2026-11-07T12:00:00+00:00" }, strength: 0.1875, why: "a date with an offset" },
    { over: { lastSeen: "2026-11-07T12:00:00" }, strength: 0.1875, why: "a time without a zone is UTC" },
    { over: { lastSeen: "yesterday" }, strength: 0.375, why: "no date at all" },
    {
      over: { dataAgeS: 14 * 86_400 },
      strength: 0.375,
      why: "undated and fresh: the data's age does not count",
    },
    { over: { dataAgeS: 14 * 86_400, stale: true }, strength: 0.1875, why: "undated and stale: it does" },
    { over: { dataAgeS: 9e6, stale: true, lastSeen: daysAgo(14) }, strength: 0.1875, why: "stale but dated" },
    { over: { seed: true, lastSeen: daysAgo(365) }, strength: 0.1875, why: "a seed keeps half" },
    { over: { seed: true, lastSeen: daysAgo(0) }, strength: 0.375, why: "a fresh seed has all" },
    { over: { category: "policy", lastSeen: daysAgo(999) }, strength: 0.0375, why: "policy does not age" },
    { over: { detected: false }, strength: 0, why: "no hit" },
  ])("is $strength: $why", ({ over, strength }) => {
    expect(strengthOf(hit(engine("x"), over), COMPUTED_AT)).toBeCloseTo(strength, 12);
  });

  test("counts whole seconds of computed_at, as the answer shows it", () => {
    const verdict = hit(engine("x"), { lastSeen: "2026-11-20T12:00:00Z" });
    expect(strengthOf(verdict, new Date("2026-11-21T12:00:00.999Z"))).toBe(strengthOf(verdict, COMPUTED_AT));
  });
});

test.each([
  [0.424264, 0.4243],
  [0.42425, 0.4243],
  [0.424249, 0.4242],
  [0.00004, 0],
  [0.00005, 0.0001],
  [1, 0.99],
  [-1, 0],
])("roundStrength() of %d is %d", (strength, rounded) => {
  expect(roundStrength(strength)).toBe(rounded);
});

test.each([
  { over: {}, verdict: {}, family: "own", why: "its own" },
  { over: { aggregate: true }, verdict: {}, family: "aggregate", why: "an aggregate" },
  { over: { category: "policy" }, verdict: {}, family: "policy", why: "a policy list" },
  { over: {}, verdict: { category: "policy" }, family: "policy", why: "a policy code of a mixed zone" },
  {
    over: { category: "aggregate" },
    verdict: {},
    family: "own",
    why: "the category alone makes no aggregate",
  },
] as const)("familyOf() is $family: $why", ({ over, verdict, family }) => {
  expect(familyOf(hit(engine("x", { family: "own", ...over }), verdict))).toBe(family);
  expect(miss(engine("x")).detected).toBe(false);
});
