import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CATEGORIES, type Category, type Verdict } from "../engines/kind.ts";
import { judge, type PolicyInput } from "./policy.ts";
import { definePolicies, policiesOptionsSchema } from "./policy-options.ts";
import { bandOf } from "./score.ts";
import type { RiskScore } from "./shapes.ts";

const policyOf = (options: object) => {
  const policy = definePolicies(policiesOptionsSchema.parse({ edge: options })).get("edge");
  if (policy === undefined) throw new Error("There is no policy");
  return policy;
};

type Source = { readonly key: string; readonly category?: Category };

const verdictOf = ({ key, category = "attack" }: Source): Verdict => ({
  engine: {
    ...{ key, name: key, kind: "feed", target: "ip", category, confidence: "high", family: key },
    ...{
      aggregate: false,
      provider: null,
      reference: null,
      homepage: null,
      builtin: true,
      refreshMinutes: 60,
      disabled: null,
      disabledClass: null,
      licence: null,
    },
  },
  ...{ detected: true, matched: null, category, confidence: "high", codes: [], reason: null },
  ...{ firstSeen: null, lastSeen: null, dataAgeS: 1, stale: false, seed: false, elapsedMs: 0 },
});

/** A score that some sources gave; a source called signal_… has no list. */
function judgedOf(
  result: number,
  sources: readonly Source[] = [],
  part: Partial<RiskScore> = {},
): PolicyInput {
  const factors = sources.map(({ key }) => ({
    ...{ key, points: 1, reason: "", strength: 0.5 },
    engines: key.startsWith("signal_") ? [] : [key],
  }));
  const band = bandOf(result);
  const score = { result, band, verdict: band, coverage: 1, factors, adjustments: [], base: result };
  const lists = sources.filter(({ key }) => !key.startsWith("signal_"));
  return {
    score: { ...score, formula: "noisy-or-1", ...part },
    consultation: { verdicts: lists.map(verdictOf) },
  };
}

const A: Source = { key: "a" };
const SPAM: Source = { key: "s", category: "spam" };
const TOR: Source = { key: "signal_tor" };
const allowlisted = { base: 90, adjustments: [{ key: "allowlisted", points: -81, reason: "" }] };
const unknown = { verdict: "unknown" } as const;

describe("judge()", () => {
  test.each([
    ["the default blocks at 75", {}, judgedOf(75, [A]), "block", ["a"]],
    ["and challenges at 50", {}, judgedOf(74, [A]), "challenge", ["a"]],
    ["and allows below", {}, judgedOf(49, [A]), "allow", []],
    [
      "a low block_at without challenge_at challenges nothing",
      { block_at: 40 },
      judgedOf(39, [A]),
      "allow",
      [],
    ],
    ["null challenges nothing", { challenge_at: null }, judgedOf(74, [A]), "allow", []],
    ["all sources are named, in their order", {}, judgedOf(80, [A, SPAM]), "block", ["a", "s"]],
    [
      "categories: only sources of them count",
      { categories: ["spam"] },
      judgedOf(80, [A, SPAM]),
      "block",
      ["s"],
    ],
    ["categories: none of them", { categories: ["c2"] }, judgedOf(80, [A, SPAM]), "allow", ["categories"]],
    [
      "a signal counts as its category",
      { categories: ["tor"] },
      judgedOf(80, [TOR]),
      "block",
      ["signal_tor"],
    ],
    ["families_min: enough", { families_min: 2 }, judgedOf(80, [A, SPAM]), "block", ["a", "s"]],
    ["families_min: too few", { families_min: 2 }, judgedOf(80, [A]), "allow", ["families_min"]],
    [
      "both: too few of the category",
      { families_min: 2, categories: ["spam"] },
      judgedOf(80, [A, SPAM]),
      "allow",
      ["categories"],
    ],
    ["an allowlist is named where it saved", {}, judgedOf(9, [A], allowlisted), "allow", ["allowlisted"]],
    [
      "unknown is allowed unless the policy says otherwise",
      {},
      judgedOf(0, [], unknown),
      "allow",
      ["unknown"],
    ],
    ["unknown, blocked", { on_unknown: "block" }, judgedOf(5, [A], unknown), "block", ["unknown"]],
    ["unknown, challenged", { on_unknown: "challenge" }, judgedOf(5, [A], unknown), "challenge", ["unknown"]],
    [
      "a private address",
      { on_unknown: "block" },
      judgedOf(0, [], { verdict: "not_applicable" }),
      "allow",
      ["not_applicable"],
    ],
  ] as const)("%s", (_why, options, judged, action, because) => {
    expect(judge(policyOf(options), judged)).toEqual({ policy: "edge", action, because });
  });

  const RANK = { allow: 0, challenge: 1, block: 2 } as const;
  const sources = fc.array(fc.constantFrom(...CATEGORIES), { maxLength: 4 });

  test("a higher score never does less, and a stricter policy never does less", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 2, max: 100 }),
        sources,
        fc.integer({ min: 1, max: 4 }),
        (a, b, block, categories, families) => {
          const named = categories.map((category, i) => ({ key: `f${i}`, category }));
          const rankOf = (result: number, options: object) =>
            RANK[judge(policyOf(options), judgedOf(result, named)).action];
          const options = { block_at: block, challenge_at: block - 1, families_min: families };
          const [low, high] = [Math.min(a, b), Math.max(a, b)];
          expect(rankOf(high, options)).toBeGreaterThanOrEqual(rankOf(low, options));
          const strict = { ...options, families_min: 1, challenge_at: 1 };
          expect(rankOf(a, strict)).toBeGreaterThanOrEqual(rankOf(a, options));
        },
      ),
    );
  });
});

describe("`policies:`", () => {
  test.each([
    [{ edge: { challenge_at: 80 } }, "challenge_at"],
    [{ edge: { block_at: 0 } }, "block_at"],
    [{ edge: { block_at: 101 } }, "block_at"],
    [{ edge: { categories: [] } }, "categories"],
    [{ edge: { categories: ["evil"] } }, "categories"],
    [{ edge: { families_min: 0 } }, "families_min"],
    [{ edge: { on_unknown: "drop" } }, "on_unknown"],
    [{ "Edge 1": {} }, "name"],
    [{ edge: { blockat: 3 } }, "blockat"],
  ])("%j is refused", (options, says) => {
    const { success, error } = policiesOptionsSchema.safeParse(options);
    expect(success).toBe(false);
    expect(JSON.stringify(error?.issues)).toContain(says);
  });

  test("`default` is always there, and can be changed", () => {
    expect(definePolicies({}).get("default")).toMatchObject({
      blockAt: 75,
      challengeAt: 50,
      onUnknown: "allow",
    });
    const own = definePolicies(policiesOptionsSchema.parse({ default: { block_at: 30 } }));
    expect([...own.keys()]).toEqual(["default"]);
    expect(own.get("default")).toMatchObject({ blockAt: 30, challengeAt: null });
  });
});
