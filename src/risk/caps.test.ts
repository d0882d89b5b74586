import { describe, expect, test } from "vitest";
import { COMPUTED_AT, consultationOf, daysAgo, engine, hit, miss } from "../../test/verdicts.ts";
import type { MatchLevel, Verdict } from "../engines/kind.ts";
import { type Signal, scoreTarget } from "./score.ts";
import { isStrongHit } from "./strength.ts";

type Row = {
  readonly hits?: readonly Verdict[];
  readonly signals?: readonly Signal[];
  readonly allowed?: readonly MatchLevel[];
  readonly shared?: string;
  readonly expected: readonly (readonly [string, number])[];
  readonly result: number;
  readonly why: string;
};

function check({ hits = [], signals = [], allowed = [], shared, expected, result }: Row): void {
  const allowlists = allowed.map((level, i) =>
    miss(engine(`allow_${i}`, { kind: "allow" }), { matched: { value: "example", level } }),
  );
  const score = scoreTarget({
    consultation: consultationOf({ verdicts: hits, allowlists }),
    signals,
    sharedInfrastructure: shared ?? null,
    isBogon: false,
    computedAt: COMPUTED_AT,
  });
  expect(score.adjustments.map(({ key, points }) => [key, points])).toEqual(expected);
  expect(score.result).toBe(result);
}

const signal = (name: string, strength: number, repeats: readonly string[] = []): Signal => ({
  name,
  strength,
  reason: name,
  repeats,
});
/** 0.85, a strong hit. */
const strong = (key: string, over: Partial<Verdict> = {}) =>
  hit(engine(key, { category: "malware", confidence: "high" }), over);
/** 0.85, high but on a network: no strong hit. */
const wide = (key: string) => strong(key, { matched: { value: "192.0.2.0/24", level: "network" } });
/** 0.6375 */
const medium = (key: string) => hit(engine(key, { category: "malware" }));
/** 0.34 */
const low = (key: string) => hit(engine(key, { category: "malware", confidence: "low" }));
const policy = hit(engine("pbl", { category: "policy", confidence: "high" }));

describe("isStrongHit()", () => {
  test.each<{ over: Partial<Verdict>; strong: boolean; why: string }>([
    { over: {}, strong: true, why: "high, exact, data a minute old" },
    { over: { confidence: "medium" }, strong: false, why: "medium confidence" },
    { over: { category: "policy" }, strong: false, why: "policy" },
    { over: { category: "aggregate" }, strong: false, why: "aggregate" },
    { over: { matched: { value: "", level: "domain" } }, strong: true, why: "exact name" },
    { over: { matched: { value: "", level: "url" } }, strong: true, why: "exact URL" },
    { over: { matched: { value: "", level: "network" } }, strong: false, why: "network" },
    { over: { matched: { value: "", level: "embedded_ipv4" } }, strong: false, why: "embedded" },
    { over: { matched: { value: "", level: "registered_domain" } }, strong: false, why: "registered domain" },
    { over: { matched: { value: "", level: "url_host" } }, strong: false, why: "another URL" },
    { over: { matched: { value: "", level: "email" } }, strong: false, why: "e-mail address" },
    { over: { lastSeen: daysAgo(7) }, strong: true, why: "seen exactly seven days ago" },
    { over: { lastSeen: daysAgo(7 + 1 / 86_400) }, strong: false, why: "seen a second earlier" },
    { over: { lastSeen: daysAgo(-1) }, strong: true, why: "dated in the future" },
    { over: { lastSeen: "2026-11-14" }, strong: false, why: "a date is its midnight, 7.5 days ago" },
    { over: { lastSeen: "2026-11-15" }, strong: true, why: "6.5 days ago" },
    { over: { dataAgeS: 604_800 }, strong: true, why: "undated, data exactly seven days old" },
    { over: { dataAgeS: 604_801 }, strong: false, why: "undated, data older" },
    {
      over: { dataAgeS: 604_801, lastSeen: daysAgo(1) },
      strong: true,
      why: "the date counts, not the data's age",
    },
    { over: { seed: true }, strong: false, why: "a seed" },
    { over: { detected: false, matched: null }, strong: false, why: "no hit" },
  ])("is $strong for: $why", ({ over, strong: expected }) => {
    expect(isStrongHit(strong("x", over), COMPUTED_AT)).toBe(expected);
  });
});

describe("allowlisted", () => {
  test.each<Row>([
    {
      hits: [strong("a"), wide("b")],
      allowed: ["ip"],
      expected: [["allowlisted", -89]],
      result: 9,
      why: "one strong hit",
    },
    {
      hits: [strong("a"), strong("b")],
      allowed: ["ip"],
      expected: [],
      result: 98,
      why: "two families have one",
    },
    {
      hits: [
        hit(engine("a", { family: "f", category: "malware", confidence: "high" })),
        hit(engine("b", { family: "f", category: "malware", confidence: "high" })),
      ],
      allowed: ["network"],
      expected: [["allowlisted", -76]],
      result: 9,
      why: "two strong hits of one family",
    },
    { signals: [signal("low", 0.09)], allowed: ["ip"], expected: [], result: 9, why: "9 is not lowered" },
    {
      signals: [signal("low", 0.1)],
      allowed: ["ip"],
      expected: [["allowlisted", -1]],
      result: 9,
      why: "10 is",
    },
    {
      hits: [strong("a", { matched: { value: "http://x.example/", level: "url" } })],
      allowed: ["domain", "registered_domain", "ip", "network", "url_host"],
      expected: [],
      result: 85,
      why: "a strong hit on the URL, allowlists of its host",
    },
    {
      hits: [strong("a", { matched: { value: "http://x.example/", level: "url" } })],
      allowed: ["domain", "url"],
      expected: [["allowlisted", -76]],
      result: 9,
      why: "an allowlist of the very URL",
    },
    {
      hits: [
        hit(engine("a", { category: "malware" }), { matched: { value: "http://x.example/", level: "url" } }),
      ],
      allowed: ["registered_domain"],
      expected: [["allowlisted", -55]],
      result: 9,
      why: "a hit on the URL that is not strong",
    },
    { hits: [strong("a")], expected: [], result: 85, why: "no allowlist" },
  ])("$expected of $result: $why", check);
});

describe("shared_infrastructure", () => {
  test.each<Row>([
    {
      hits: [wide("a")],
      shared: "A CDN",
      expected: [["shared_infrastructure", -36]],
      result: 49,
      why: "no strong hit",
    },
    { hits: [strong("a")], shared: "A CDN", expected: [], result: 85, why: "a strong hit" },
    { hits: [wide("a")], expected: [], result: 85, why: "not shared" },
    { signals: [signal("x", 0.49)], shared: "A CDN", expected: [], result: 49, why: "49 is not lowered" },
    {
      signals: [signal("x", 0.5)],
      shared: "A CDN",
      expected: [["shared_infrastructure", -1]],
      result: 49,
      why: "50 is",
    },
    {
      hits: [medium("a"), medium("b")],
      shared: "A CDN",
      allowed: ["ip"],
      expected: [["allowlisted", -78]],
      result: 9,
      why: "the allowlist came first and cut deeper",
    },
  ])("$expected of $result: $why", check);
});

describe("uncorroborated", () => {
  test.each<Row>([
    {
      hits: [medium("a")],
      expected: [["uncorroborated", -15]],
      result: 49,
      why: "one family of medium confidence",
    },
    {
      hits: [medium("a"), policy],
      expected: [["uncorroborated", -17]],
      result: 49,
      why: "policy does not corroborate",
    },
    {
      hits: [medium("a")],
      signals: [signal("tor", 0.3)],
      expected: [["uncorroborated", -26]],
      result: 49,
      why: "signals do not corroborate",
    },
    {
      hits: [medium("a")],
      signals: [signal("phishing_heuristic", 0.6)],
      expected: [["uncorroborated", -26]],
      result: 60,
      why: "never below what the signals alone give",
    },
    { hits: [medium("a"), medium("b")], expected: [], result: 87, why: "two families" },
    {
      hits: [medium("a"), hit(engine("b", { category: "proxy" }), { lastSeen: "2000-01-01" })],
      expected: [["uncorroborated", -15]],
      result: 49,
      why: "a family whose strength has gone to 0 is none",
    },
    { hits: [wide("a")], expected: [], result: 85, why: "a list of high confidence" },
    {
      hits: [
        hit(engine("a", { family: "f", category: "malware" })),
        hit(engine("b", { family: "f", category: "vpn", confidence: "high" }), { lastSeen: daysAgo(30) }),
      ],
      expected: [],
      result: 64,
      why: "any list of the family being of high confidence",
    },
    {
      hits: [medium("a"), hit(engine("agg", { aggregate: true, category: "aggregate" }))],
      expected: [],
      result: 77,
      why: "the aggregates are a family like any other",
    },
    {
      hits: [policy],
      signals: [signal("x", 0.8)],
      expected: [],
      result: 81,
      why: "no family but policy and signals",
    },
    {
      hits: [medium("a")],
      signals: [signal("malware", 0.7, ["a"])],
      expected: [["uncorroborated", -21]],
      result: 49,
      why: "a signal that joined the family is no signal family",
    },
    {
      hits: [medium("a")],
      shared: "A CDN",
      expected: [["shared_infrastructure", -15]],
      result: 49,
      why: "the earlier cap took it all",
    },
  ])("$expected of $result: $why", check);
});

describe("weak_only", () => {
  test.each<Row>([
    { hits: [low("a"), low("b")], expected: [["weak_only", -37]], result: 19, why: "only low confidence" },
    { hits: [low("a"), policy], expected: [["weak_only", -18]], result: 19, why: "low and policy" },
    { hits: [policy], expected: [], result: 5, why: "policy alone is below the cap" },
    { hits: [low("a"), medium("b")], expected: [], result: 76, why: "one of medium confidence" },
    {
      hits: [low("a"), low("b")],
      signals: [signal("tor", 0.3)],
      expected: [],
      result: 70,
      why: "a signal of 0.3",
    },
    {
      hits: [low("a")],
      signals: [signal("tor", 0.3, ["a"])],
      expected: [],
      result: 34,
      why: "also one that joined a family",
    },
    {
      hits: [low("a"), low("b")],
      signals: [signal("x", 0.29)],
      expected: [["weak_only", -40]],
      result: 29,
      why: "a weaker one, but never below what the signals alone give",
    },
    { signals: [signal("x", 0.25)], expected: [], result: 25, why: "nothing detects" },
    {
      hits: [hit(engine("a", { category: "c2", confidence: "low" })), policy],
      signals: [signal("x", 0.25), signal("y", 0.2), signal("z", 0.2)],
      expected: [["uncorroborated", -19]],
      result: 52,
      why: "both caps give way to the signals",
    },
    {
      hits: [hit(engine("a", { family: "f", category: "c2", confidence: "low" }))],
      signals: [signal("c2", 0.29), signal("vpn", 0.1), signal("joined", 0.28, ["a"])],
      expected: [
        ["uncorroborated", -10],
        ["weak_only", -13],
      ],
      result: 36,
      why: "both caps in turn",
    },
  ])("$expected of $result: $why", check);
});
