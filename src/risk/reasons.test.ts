import { describe, expect, test } from "vitest";
import { COMPUTED_AT, consultationOf, engine, hit } from "../../test/verdicts.ts";
import type { Verdict } from "../engines/kind.ts";
import { scoreTarget } from "./score.ts";
import type { Factor } from "./shapes.ts";

const factorsOf = (verdict: Verdict): readonly Factor[] =>
  scoreTarget({
    ...{ consultation: consultationOf({ verdicts: [verdict] }), signals: [], sharedInfrastructure: null },
    ...{ isBogon: false, computedAt: COMPUTED_AT },
  }).factors;

const factorOf = (verdict: Verdict) => factorsOf(verdict)[0];

describe("the count of an entry", () => {
  test("is in its factor's reason, and an aggregate of category attack stays in the aggregates' family", () => {
    const strong = engine("ipsum_8", { aggregate: true, category: "attack", confidence: "high" });
    const factor = factorOf(hit(strong, { reason: "Named by 10 lists" }));
    expect(factor).toMatchObject({ key: "aggregate", strength: 0.6, points: 60 });
    expect(factor?.reason).toMatch(/ \(exact address\), named by 10 lists$/);
  });

  test("fresh and on five lists gives 50, without a rounding", () => {
    const five = engine("ipsum_5", { aggregate: true, category: "aggregate", confidence: "high" });
    expect(factorOf(hit(five, { reason: "Named by 5 lists" }))).toMatchObject({ strength: 0.5, points: 50 });
  });

  test("is not made of other words of a list", () => {
    const odd = hit(engine("odd"), { reason: "Named by 10 lists of fools" });
    expect(factorOf(odd)?.reason).not.toMatch(/named by|fools/i);
  });
});

describe("reasons:", () => {
  test.each([
    ["network", "192.0.2.0/24", "Listed as malware by X (network 192.0.2.0/24)"],
    ["embedded_ipv4", "192.0.2.7", "Listed as malware by X (embedded IPv4 address 192.0.2.7)"],
    ["domain", "a.example", "Listed as malware by X (exact name)"],
    ["registered_domain", "a.example", "Listed as malware by X (registered domain a.example)"],
    ["url", "http://a.example/", "Listed as malware by X (exact URL)"],
    ["url_host", "http://a.example/b", "Listed as malware by X (another URL on this host)"],
    ["email", "a@b.example", "Listed as malware by X (exact e-mail address)"],
  ] as const)("a hit at level %s says what matched", (level, value, reason) => {
    const [factor] = factorsOf(hit(engine("x", { category: "malware" }), { matched: { value, level } }));
    expect(factor?.reason).toBe(reason);
  });

  test.each([
    ["url", "Redirects to a listed URL: listed as malware by X (exact URL, redirect 3)"],
    [
      "url_host",
      "Redirects to the host of a listed URL: listed as malware by X (another URL on this host, redirect 3)",
    ],
    ["domain", "Redirects to a listed host: listed as malware by X (exact name, redirect 3)"],
    [
      "registered_domain",
      "Redirects to a listed host: listed as malware by X (registered domain a.example, redirect 3)",
    ],
    ["ip", "Redirects to a listed host: listed as malware by X (exact address, redirect 3)"],
  ] as const)("a hit at level %s of a redirect says which one", (level, reason) => {
    const matched = { value: "a.example", level, hop: 2 };
    const [factor] = factorsOf(hit(engine("x", { category: "malware" }), { matched }));
    expect(factor?.reason).toBe(reason);
  });
});
