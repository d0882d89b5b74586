import fc from "fast-check";
import { expect, test } from "vitest";
import { COMPUTED_AT, consultationOf, daysAgo, engine, hit, miss } from "../../test/verdicts.ts";
import { CATEGORIES, CONFIDENCES, type Verdict } from "../engines/kind.ts";
import { type ScoreInput, type Signal, scoreTarget } from "./score.ts";
import type { RiskScore } from "./shapes.ts";

const LEVELS = [
  "ip",
  "network",
  "embedded_ipv4",
  "domain",
  "registered_domain",
  "url",
  "url_host",
  "email",
] as const;

const verdictAt = (key: string): fc.Arbitrary<Verdict> =>
  fc
    .record({
      family: fc.constantFrom("f1", "f2", "f3", key),
      category: fc.constantFrom(...CATEGORIES),
      confidence: fc.constantFrom(...CONFIDENCES),
      level: fc.constantFrom(...LEVELS),
      aggregate: fc.boolean(),
      ageDays: fc.option(fc.double({ min: -5, max: 200, noNaN: true })),
      dataAgeS: fc.nat({ max: 3e6 }),
      stale: fc.boolean(),
      seed: fc.boolean(),
      detected: fc.boolean(),
    })
    .map(({ family, category, confidence, level, aggregate, ageDays, detected, ...rest }) => {
      const of = engine(key, { family, aggregate, category, confidence });
      const lastSeen = ageDays === null ? null : daysAgo(ageDays);
      const matched = { value: "192.0.2.7", level };
      return detected ? hit(of, { ...rest, matched, lastSeen }) : miss(of, rest);
    });

const verdicts = fc
  .uniqueArray(fc.constantFrom(..."abcdefghijkl"), { maxLength: 12 })
  .chain((keys) => fc.tuple(...keys.map(verdictAt)));

const signals: fc.Arbitrary<Signal[]> = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom("tor", "proxy", "vpn", "parked", "sinkholed"),
    strength: fc.constantFrom(0, 0.03, 0.1, 0.29, 0.3, 0.6, 0.99),
    reason: fc.constant("It is so"),
    repeats: fc.array(fc.constantFrom(..."abcdefghijkl"), { maxLength: 3 }),
  }),
  { selector: ({ name }) => name, maxLength: 4 },
);

const allowlists = fc.array(
  fc
    .constantFrom(...LEVELS)
    .map((level) => miss(engine("good", { kind: "allow" }), { matched: { value: "192.0.2.7", level } })),
  { maxLength: 2 },
);

const inputs: fc.Arbitrary<ScoreInput> = fc.record({
  consultation: fc.record({ verdicts, allowlists }).map(consultationOf),
  signals,
  sharedInfrastructure: fc.constantFrom(null, "A CDN"),
  isBogon: fc.boolean(),
  computedAt: fc.constant(COMPUTED_AT),
});

const sum = (rows: readonly { readonly points: number }[]) =>
  rows.reduce((total, { points }) => total + points, 0);

test("scoreTarget() explains its result to the point, and stays within 0 to 100", () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const score = scoreTarget(input);
      expect(sum(score.factors)).toBe(score.base);
      expect(score.base + sum(score.adjustments)).toBe(score.result);
      expect(score.result).toBeGreaterThanOrEqual(0);
      expect(score.base).toBeLessThanOrEqual(100);
      expect(score.factors.every(({ points }) => points >= 0 && Number.isInteger(points))).toBe(true);
      expect(score.adjustments.every(({ points }) => points < 0)).toBe(true);
      expect(score.factors.map(({ points }) => points)).toEqual(
        score.factors.map(({ points }) => points).sort((a, b) => b - a),
      );
    }),
    { numRuns: 1000 },
  );
});

test("scoreTarget() does not depend on the order of verdicts and signals", () => {
  const withOrder = inputs.chain((input) =>
    fc.record({
      input: fc.constant(input),
      verdicts: fc.shuffledSubarray([...input.consultation.verdicts], {
        minLength: input.consultation.verdicts.length,
      }),
      signals: fc.shuffledSubarray([...input.signals], { minLength: input.signals.length }),
    }),
  );
  fc.assert(
    fc.property(withOrder, ({ input, verdicts: shuffled, signals: mixed }) => {
      const consultation = { ...input.consultation, verdicts: shuffled };
      expect(scoreTarget({ ...input, consultation, signals: mixed })).toEqual(scoreTarget(input));
    }),
  );
});

test("scoreTarget() never has a lower base for one more detection", () => {
  const notRepeating = inputs.map((input) => ({
    ...input,
    signals: input.signals.map((signal) => ({ ...signal, repeats: [] })),
  }));
  fc.assert(
    fc.property(notRepeating, verdictAt("m"), (input, one) => {
      const more = {
        ...input.consultation,
        verdicts: [...input.consultation.verdicts, { ...one, detected: true }],
      };
      expect(scoreTarget({ ...input, consultation: more }).base).toBeGreaterThanOrEqual(
        scoreTarget(input).base,
      );
    }),
    { numRuns: 500 },
  );
});

test("scoreTarget() is what design 4 gives when it is followed line by line", () => {
  fc.assert(
    fc.property(inputs, (input) => {
      expect(essence(scoreTarget(input))).toEqual(naiveScore(input));
    }),
    { numRuns: 2000 },
  );
});

const essence = ({ base, result, factors, adjustments }: RiskScore) => ({
  base,
  result,
  factors: factors.map(({ key, points, strength, engines }) => [key, points, strength, engines]),
  adjustments: adjustments.map(({ key, points }) => [key, points]),
});

/** Design 4.1 to 4.4 once more, from the text and from nothing else: tables, names and order are its own. */
function naiveScore({ consultation, signals: given, sharedInfrastructure, computedAt }: ScoreInput) {
  const w: Record<string, [number, number]> = {
    hijacked: [0.9, 180],
    c2: [0.9, 30],
    malware: [0.85, 14],
    phishing: [0.85, 14],
    attack: [0.6, 7],
    abuse: [0.5, 14],
    spam: [0.45, 14],
    scanner: [0.35, 7],
    proxy: [0.3, 3],
    tor: [0.3, 3],
    vpn: [0.1, 30],
    suspicious: [0.4, 14],
    aggregate: [0.5, 7],
    policy: [0.05, Number.POSITIVE_INFINITY],
  };
  const c: Record<string, number> = { high: 1, medium: 0.75, low: 0.4 };
  const m: Record<string, number> = { registered_domain: 0.8, url_host: 0.6, embedded_ipv4: 0.5 };
  const days = (verdict: Verdict) =>
    verdict.lastSeen === null
      ? null
      : Math.max(0, (computedAt.getTime() - Date.parse(verdict.lastSeen)) / 86_400_000);
  const round4 = (s: number) => Math.floor(Math.min(s, 0.99) * 10 ** 4 + 0.5 + 1e-9) / 10 ** 4;
  const s = (verdict: Verdict) => {
    const [weight, half] = w[verdict.category]!;
    const age = days(verdict) ?? (verdict.stale ? verdict.dataAgeS / 86_400 : 0);
    const d = 0.5 ** (age / half);
    return round4(
      weight *
        c[verdict.confidence]! *
        (m[verdict.matched!.level] ?? 1) *
        (verdict.seed && d < 0.5 ? 0.5 : d),
    );
  };
  const family = (verdict: Verdict) =>
    verdict.engine.aggregate ? "aggregate" : verdict.category === "policy" ? "policy" : verdict.engine.family;

  const detecting = consultation.verdicts.filter(({ detected }) => detected);
  const strengths: Record<string, number> = {};
  const count = (name: string, strength: number) => {
    strengths[name] = Math.max(strengths[name] ?? 0, strength);
  };
  for (const verdict of detecting) count(family(verdict), s(verdict));
  const engineFamilies = new Set(detecting.map(family));
  for (const one of given) {
    const repeated = detecting.filter(({ engine: { key } }) => one.repeats?.includes(key));
    const strongest = Math.max(...repeated.map(s));
    const chosen = repeated
      .filter((verdict) => s(verdict) === strongest)
      .map(({ engine: { key } }) => key)
      .sort()[0];
    const joined = repeated.find(({ engine: { key } }) => key === chosen);
    count(joined === undefined ? `signal_${one.name}` : family(joined), round4(one.strength));
  }
  const names = Object.keys(strengths)
    .filter((name) => strengths[name]! > 0)
    .sort();

  const rawOf = (members: string[]) =>
    100 * (1 - members.reduce((product, name) => product * (1 - strengths[name]!), 1));
  const baseOf = (members: string[]) => Math.floor(rawOf(members) + 1e-9 + 0.5);
  const logs = names.reduce((total, name) => total + Math.log(1 - strengths[name]!), 0);
  const shares = names.map((name) => {
    const share = Number(((rawOf(names) * Math.log(1 - strengths[name]!)) / logs).toFixed(9));
    return { name, points: Math.floor(share), rest: Number((share - Math.floor(share)).toFixed(9)) };
  });
  const base = baseOf(names);
  for (let left = base - sum(shares); left > 0; left--) {
    let best = shares[0]!;
    for (const share of shares) if (share.rest > best.rest) best = share;
    best.points++;
    best.rest = -1;
  }

  const strongHits = detecting.filter(
    (verdict) =>
      verdict.confidence === "high" &&
      !["policy", "aggregate"].includes(verdict.category) &&
      ["ip", "domain", "url"].includes(verdict.matched!.level) &&
      (days(verdict) ?? verdict.dataAgeS / 86_400) <= 7 &&
      !verdict.seed,
  );
  const signalBase = baseOf(names.filter((name) => !engineFamilies.has(name)));
  const others = names.filter((name) => name !== "policy" && engineFamilies.has(name));
  const inOnly = detecting.filter((verdict) => family(verdict) === others[0]);
  const isUrlHit = strongHits.some(({ matched }) => matched!.level === "url");
  const speaking = consultation.allowlists.filter(({ matched }) => !isUrlHit || matched!.level === "url");
  const caps: [string, number, boolean][] = [
    ["allowlisted", 9, speaking.length > 0 && new Set(strongHits.map(family)).size < 2],
    ["shared_infrastructure", 49, sharedInfrastructure !== null && strongHits.length === 0],
    [
      "uncorroborated",
      Math.max(49, signalBase),
      others.length === 1 &&
        !inOnly.some(({ confidence }) => confidence === "high") &&
        strongHits.length === 0,
    ],
    [
      "weak_only",
      Math.max(19, signalBase),
      detecting.length > 0 &&
        detecting.every(({ confidence, category }) => confidence === "low" || category === "policy") &&
        !given.some(({ strength }) => strength >= 0.3),
    ],
  ];
  let result = base;
  const adjustments: [string, number][] = [];
  for (const [key, cap, applies] of caps) {
    if (!applies || cap >= result) continue;
    adjustments.push([key, cap - result]);
    result = cap;
  }
  const enginesOf = (name: string) =>
    detecting
      .filter((verdict) => family(verdict) === name)
      .map(({ engine: { key } }) => key)
      .sort();
  const factors = shares
    .sort((a, b) => b.points - a.points || (a.name < b.name ? -1 : 1))
    .map(({ name, points }) => [name, points, strengths[name], enginesOf(name)]);
  return { base, result, factors, adjustments };
}
