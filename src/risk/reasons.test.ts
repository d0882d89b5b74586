import { describe, expect, test } from "vitest";
import { COMPUTED_AT, consultationOf, engine, hit } from "../../test/verdicts.ts";
import type { Verdict } from "../engines/kind.ts";
import { scoreTarget } from "./score.ts";

const factorOf = (verdict: Verdict) =>
  scoreTarget({
    consultation: consultationOf({ verdicts: [verdict] }),
    signals: [],
    sharedInfrastructure: null,
    isBogon: false,
    computedAt: COMPUTED_AT,
  }).factors[0];

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
