import { describe, expect, test } from "vitest";
import { absent, COMPUTED_AT, consultationOf, daysAgo, engine, hit, miss } from "../../test/verdicts.ts";
import type { Absence, Verdict } from "../engines/kind.ts";
import { bandOf, type ScoreInput, type Signal, scoreTarget } from "./score.ts";
import type { RiskScore } from "./shapes.ts";

type Parts = {
  readonly hits?: readonly Verdict[];
  readonly absences?: readonly Absence[];
  readonly signals?: readonly Signal[];
  readonly allowlists?: readonly Verdict[];
  readonly shared?: string;
  readonly isBogon?: boolean;
};

function scoreOf(parts: Parts): RiskScore {
  const input: ScoreInput = {
    consultation: consultationOf({
      verdicts: parts.hits ?? [],
      absences: parts.absences ?? [],
      allowlists: parts.allowlists ?? [],
    }),
    signals: parts.signals ?? [],
    sharedInfrastructure: parts.shared ?? null,
    isBogon: parts.isBogon ?? false,
    computedAt: COMPUTED_AT,
  };
  return scoreTarget(input);
}

const signal = (name: string, strength: number, repeats: readonly string[] = []): Signal => ({
  name,
  strength,
  reason: `It is ${name}`,
  repeats,
});
const allow = (level: "ip" | "network" | "registered_domain" | "domain" | "url") =>
  miss(engine("good", { kind: "allow" }), { matched: { value: "192.0.2.0/24", level } });

describe("worked examples of design 4.6:", () => {
  test("A, two operator feeds list the address", () => {
    expect(scoreOf({ hits: [hit(engine("a")), hit(engine("b"))] })).toEqual({
      result: 61,
      band: "elevated",
      verdict: "elevated",
      coverage: 1,
      factors: [
        {
          key: "a",
          points: 31,
          strength: 0.375,
          engines: ["a"],
          reason: "Listed for abuse by A (exact address)",
        },
        {
          key: "b",
          points: 30,
          strength: 0.375,
          engines: ["b"],
          reason: "Listed for abuse by B (exact address)",
        },
      ],
      adjustments: [],
      base: 61,
      formula: "noisy-or-1",
    });
  });

  test("A, only one of the two lists it", () => {
    const score = scoreOf({ hits: [hit(engine("a")), miss(engine("b"))] });
    expect(score).toMatchObject({ result: 38, base: 38, band: "suspicious", adjustments: [] });
    expect(score.factors).toMatchObject([{ key: "a", points: 38 }]);
  });

  const hitsOfB = [
    hit(engine("attackers", { family: "net_attacks", category: "attack", confidence: "high" }), {
      lastSeen: daysAgo(3.5),
    }),
    hit(engine("spammers", { family: "mail_spam", category: "spam" })),
    hit(engine("many", { aggregate: true, category: "aggregate", confidence: "high" })),
    hit(engine("dynamic", { category: "policy", confidence: "high" })),
  ];

  test("B, four families", () => {
    const score = scoreOf({ hits: hitsOfB });
    expect(score).toMatchObject({ result: 82, base: 82, band: "high", adjustments: [] });
    expect(score.factors.map(({ key, points, strength }) => [key, points, strength])).toEqual([
      ["aggregate", 33, 0.5],
      ["net_attacks", 27, 0.4243],
      ["mail_spam", 20, 0.3375],
      ["policy", 2, 0.05],
    ]);
  });

  test("B, an allowlist names the address", () => {
    const score = scoreOf({ hits: hitsOfB, allowlists: [allow("network")] });
    expect(score).toMatchObject({ result: 9, base: 82, band: "low" });
    expect(score.adjustments).toEqual([
      { key: "allowlisted", points: -73, reason: 'Allowlist GOOD names "192.0.2.0/24"' },
    ]);
  });
});

describe("families:", () => {
  test("lists of one family count once, as the strongest of them", () => {
    const score = scoreOf({
      hits: [
        hit(engine("weak", { family: "pub", confidence: "low" })),
        hit(engine("strong", { family: "pub", confidence: "high" })),
      ],
    });
    expect(score.factors).toEqual([
      {
        key: "pub",
        points: 50,
        strength: 0.5,
        engines: ["strong", "weak"],
        reason: "Listed for abuse by STRONG (exact address) and 1 more of the same source",
      },
    ]);
  });

  test("aggregates are one family and policy hits are one, whatever family they name", () => {
    const score = scoreOf({
      hits: [
        hit(engine("a1", { aggregate: true, category: "aggregate" })),
        hit(engine("a2", { aggregate: true, category: "attack" })),
        hit(engine("zen", { family: "spamhaus", category: "spam" }), { category: "policy" }),
        hit(engine("dul", { category: "policy" })),
      ],
    });
    expect(score.factors.map(({ key, engines }) => [key, engines])).toEqual([
      ["aggregate", ["a1", "a2"]],
      ["policy", ["dul", "zen"]],
    ]);
  });

  test("a signal is a family of its own", () => {
    expect(scoreOf({ signals: [signal("tor", 0.3)] })).toMatchObject({
      result: 30,
      factors: [{ key: "signal_tor", points: 30, strength: 0.3, engines: [], reason: "It is tor" }],
    });
  });

  test("a signal that repeats an engine joins its family, and the greater strength counts once", () => {
    const tor = hit(engine("tor_list", { family: "torproject", category: "tor", confidence: "low" }));
    expect(scoreOf({ hits: [tor], signals: [signal("tor", 0.3, ["tor_list"])] })).toMatchObject({
      result: 30,
      factors: [
        {
          key: "torproject",
          strength: 0.3,
          engines: ["tor_list"],
          reason: "It is tor (signal tor, which counts more than the list)",
        },
      ],
    });
  });

  test("a signal that repeats an engine which does not detect stands on its own", () => {
    expect(
      scoreOf({ hits: [miss(engine("tor_list"))], signals: [signal("tor", 0.3, ["tor_list"])] }).factors,
    ).toMatchObject([{ key: "signal_tor" }]);
  });

  test.each([
    { c1: "medium", c2: "high", joins: "fam_b", why: "the strongest engine" },
    { c1: "medium", c2: "medium", joins: "fam_a", why: "of equals the first by name" },
  ] as const)("a signal that repeats several engines joins $joins: $why", ({ c1, c2, joins }) => {
    const score = scoreOf({
      hits: [
        hit(engine("b", { family: "fam_b", category: "proxy", confidence: c2 })),
        hit(engine("a", { family: "fam_a", category: "proxy", confidence: c1 })),
      ],
      signals: [signal("proxy", 0.6, ["b", "a"])],
    });
    expect(score.factors.find(({ strength }) => strength === 0.6)?.key).toBe(joins);
    expect(score.factors).toHaveLength(2);
  });

  test("a family of strength 0 is left out, one whose points come out as 0 stays", () => {
    const ancient = hit(engine("old", { category: "proxy" }), { lastSeen: "2020-01-01" });
    expect(scoreOf({ hits: [ancient] })).toMatchObject({ result: 0, factors: [], verdict: "clean" });
    const faint = signal("faint", 0.0049);
    expect(
      scoreOf({ hits: [hit(engine("a", { confidence: "high" }))], signals: [faint] }).factors,
    ).toMatchObject([
      { key: "a", points: 50 },
      { key: "signal_faint", points: 0, strength: 0.0049 },
    ]);
  });

  test("a strength is capped at 0.99", () => {
    expect(scoreOf({ signals: [signal("sure", 1)] })).toMatchObject({
      result: 99,
      factors: [{ strength: 0.99 }],
    });
  });
});

describe("band and verdict:", () => {
  test.each([
    [0, "clean"],
    [1, "low"],
    [19, "low"],
    [20, "suspicious"],
    [49, "suspicious"],
    [50, "elevated"],
    [74, "elevated"],
    [75, "high"],
    [89, "high"],
    [90, "critical"],
    [100, "critical"],
  ])("bandOf() %i is %s", (result, band) => {
    expect(bandOf(result)).toBe(band);
  });

  const misses = (count: number, over: Partial<Verdict> = {}) =>
    Array.from({ length: count }, (_, i) => miss(engine(`m${i}`), over));
  const silent = (count: number, status: Absence["status"] = "timeout") =>
    Array.from({ length: count }, (_, i) => absent(engine(`s${i}`), status));
  const low = signal("low", 0.05);

  test.each<Parts & { verdict: string; coverage: number; why: string }>([
    { verdict: "unknown", coverage: 0, why: "nothing was asked" },
    { hits: misses(4), verdict: "clean", coverage: 1, why: "everybody says no" },
    { hits: misses(2), absences: silent(2), verdict: "clean", coverage: 0.5, why: "half answered" },
    {
      hits: misses(99),
      absences: silent(101),
      verdict: "unknown",
      coverage: 0.5,
      why: "0.495 is below half, though 0.5 on the wire",
    },
    { hits: misses(57), absences: silent(143), verdict: "unknown", coverage: 0.29, why: "0.285 goes up" },
    {
      hits: misses(4, { stale: true }),
      verdict: "unknown",
      coverage: 0,
      why: "stale data is not an answer about today",
    },
    {
      hits: misses(1),
      absences: silent(2, "stale"),
      verdict: "unknown",
      coverage: 0.33,
      why: "too old to answer",
    },
    {
      hits: misses(1),
      absences: silent(3),
      signals: [low],
      verdict: "unknown",
      coverage: 0.25,
      why: "low is no finding either",
    },
    {
      hits: [hit(engine("a"))],
      absences: silent(9),
      verdict: "suspicious",
      coverage: 0.1,
      why: "a hit stands",
    },
    { isBogon: true, verdict: "not_applicable", coverage: 0, why: "a bogon that nothing lists" },
    { isBogon: true, hits: [hit(engine("a"))], verdict: "suspicious", coverage: 1, why: "a listed bogon" },
    { isBogon: true, signals: [low], verdict: "unknown", coverage: 0, why: "a bogon whose result is not 0" },
  ])("verdict is $verdict at coverage $coverage: $why", ({ verdict, coverage, why: _why, ...parts }) => {
    expect(scoreOf(parts)).toMatchObject({ verdict, coverage });
  });
});
