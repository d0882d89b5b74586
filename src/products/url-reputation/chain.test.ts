import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { absent, COMPUTED_AT, consultationOf, engine, hit, miss } from "../../../test/verdicts.ts";
import type { Consultation, MatchLevel, Verdict } from "../../engines/kind.ts";
import { detectionsOf } from "../../engines/tally.ts";
import { scoreTarget } from "../../risk/score.ts";
import type { RiskScore } from "../../risk/shapes.ts";
import { type ConsultedHop, clearancesOf, mergeChain, type RedirectChain } from "./chain.ts";

type Said = "miss" | "absent" | "none" | { readonly level: MatchLevel; readonly dataAgeS: number };

const ENGINES = [
  engine("a", { category: "phishing", confidence: "high" }),
  engine("b", { category: "malware", confidence: "high", family: "a" }),
  engine("c", { category: "abuse", confidence: "medium" }),
  engine("d", { category: "spam", confidence: "low" }),
  engine("e", { category: "policy", confidence: "high" }),
];
const ALLOW = engine("good", { kind: "allow" });

const SIGNALS = [{ name: "non_standard_port", strength: 0.1, reason: "" }];

const LEVELS = ["domain", "registered_domain", "url", "url_host"] as const;

const said: fc.Arbitrary<Said> = fc.oneof(
  fc.constantFrom("miss", "miss", "absent", "none"),
  fc.record({ level: fc.constantFrom(...LEVELS), dataAgeS: fc.constantFrom(60, 5_000_000) }),
);

type Place = {
  readonly said: readonly Said[];
  readonly allowed: "url" | "domain" | null;
  readonly shared: string | null;
};

const place: fc.Arbitrary<Place> = fc.record({
  said: fc.array(said, { minLength: ENGINES.length, maxLength: ENGINES.length }),
  allowed: fc.constantFrom("url", "domain", null, null),
  shared: fc.constantFrom("A link shortener", null),
});

function consultationAt({ said: all, allowed }: Place): Consultation {
  const verdicts: Verdict[] = [];
  const absences: Consultation["absences"][number][] = [];
  for (const [i, of] of ENGINES.entries()) {
    const one = all[i] ?? "none";
    if (one === "miss") verdicts.push(miss(of));
    else if (one === "absent") absences.push(absent(of, "timeout"));
    else if (one !== "none") {
      const { level, dataAgeS } = one;
      verdicts.push(hit(of, { matched: { value: level, level }, dataAgeS }));
    }
  }
  const allowlists = allowed === null ? [] : [miss(ALLOW, { matched: { value: "x", level: allowed } })];
  return consultationOf({ verdicts, absences, allowlists });
}

function chainOf([first, ...rest]: readonly Place[]): RedirectChain {
  const target: Place = first ?? { said: [], allowed: null, shared: null };
  return {
    first: consultationAt(target),
    sharedInfrastructure: target.shared,
    hops: rest.map(
      (one, hop): ConsultedHop => ({
        hop,
        text: `http://${hop}.example/`,
        consultation: consultationAt(one),
        sharedInfrastructure: one.shared,
      }),
    ),
    signals: SIGNALS,
    computedAt: COMPUTED_AT,
  };
}

const scoreOf = ({ hops, ...chain }: RedirectChain, consultation: Consultation): RiskScore =>
  scoreTarget({ ...chain, consultation, hops: clearancesOf(hops), isBogon: false });

/** Every hit of the chain, each at its place. */
const hitsOf = ({ first, hops }: RedirectChain): readonly Verdict[] => [
  ...detectionsOf(first),
  ...hops.flatMap(({ hop, consultation }) =>
    detectionsOf(consultation).map((one) =>
      one.matched === null ? one : { ...one, matched: { ...one.matched, hop } },
    ),
  ),
];

const chains = fc.array(place, { minLength: 1, maxLength: 4 }).map(chainOf);

describe("mergeChain()", () => {
  test("gives the target's own consultation where nothing redirects", () => {
    const chain = chainOf([{ said: ["miss"], allowed: null, shared: null }]);
    expect(mergeChain(chain)).toBe(chain.first);
  });

  test("has one result of each engine: what lists something, else no answer, else not listed", () => {
    fc.assert(
      fc.property(chains, (chain) => {
        const { verdicts, absences, allowlists } = mergeChain(chain);
        const places = [chain.first, ...chain.hops.map(({ consultation }) => consultation)];
        expect(allowlists).toBe(chain.first.allowlists);
        for (const { key } of ENGINES) {
          const own = verdicts.filter((one) => one.engine.key === key);
          const silent = absences.filter((one) => one.engine.key === key);
          const isListing = places.some(({ verdicts: all }) =>
            all.some((one) => one.engine.key === key && one.detected),
          );
          const isAbsent = places.some(({ absences: all }) => all.some((one) => one.engine.key === key));
          const isAsked =
            isAbsent || places.some(({ verdicts: all }) => all.some((one) => one.engine.key === key));
          expect([own.length, silent.length]).toEqual(
            isListing ? [1, 0] : isAbsent ? [0, 1] : [isAsked ? 1 : 0, 0],
          );
          expect(own.some(({ detected }) => detected)).toBe(isListing);
        }
        const keys = verdicts.map((one) => one.engine.key);
        expect(keys).toEqual(keys.toSorted());
      }),
      { numRuns: 500 },
    );
  });

  test("never scores less than any hit alone at its own place", () => {
    fc.assert(
      fc.property(chains, (chain) => {
        const whole = scoreOf(chain, mergeChain(chain)).result;
        for (const one of hitsOf(chain)) {
          const alone = { ...chain.first, verdicts: [one] };
          expect(whole).toBeGreaterThanOrEqual(scoreOf(chain, alone).result);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("is capped by nothing that clears another place than that of each hit", () => {
    fc.assert(
      fc.property(chains, (chain) => {
        const merged = mergeChain(chain);
        const clearedBy = (key: string, hop: number | undefined): boolean => {
          const at = hop === undefined ? chain : chain.hops[hop];
          const { allowlists } =
            hop === undefined ? chain.first : (chain.hops[hop]?.consultation ?? chain.first);
          return key === "allowlisted" ? allowlists.length > 0 : at?.sharedInfrastructure != null;
        };
        for (const { key } of scoreOf(chain, merged).adjustments) {
          if (key !== "allowlisted" && key !== "shared_infrastructure") continue;
          for (const { matched } of detectionsOf(merged)) expect(clearedBy(key, matched?.hop)).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe("what clears a place of the chain", () => {
  const listed: Said = { level: "url", dataAgeS: 60 };
  const host: Said = { level: "domain", dataAgeS: 60 };
  const weak = { said: ["none", "none", host, "none", "none"], allowed: null, shared: null } as const;
  const strong = { said: [listed, "none", "none", "none", "none"], allowed: null, shared: null } as const;
  const clear = { said: ["miss", "miss", "miss", "miss", "miss"], allowed: null, shared: null } as const;

  const PLACES: readonly (readonly [readonly Place[], number, string])[] = [
    [[{ ...clear, allowed: "domain" }, weak], 44, "an allowed shortener that leads to a listed host"],
    [[{ ...clear, allowed: "domain" }, strong], 87, "an allowed shortener that leads to a listed URL"],
    [[{ ...clear, allowed: "url" }, strong], 87, "an allowed URL that leads to a listed URL"],
    [[weak, { ...clear, allowed: "domain" }], 44, "a listed host that leads to an allowed one"],
    [[{ ...weak, allowed: "domain" }, clear], 9, "an allowed and listed host that leads elsewhere"],
    [
      [clear, { ...weak, allowed: "domain" }],
      10,
      "a host that leads to an allowed and listed one: the signal stays",
    ],
    [[clear, { ...strong, allowed: "domain" }], 87, "a host that leads to a listed URL on an allowed host"],
    [[clear, { ...strong, allowed: "url" }], 10, "a host that leads to a listed URL that is allowed itself"],
    [[{ ...weak, allowed: "domain" }, weak], 44, "two listed hosts, the first allowed"],
    [
      [
        { ...clear, shared: "A link shortener" },
        { ...weak, said: ["none", "none", host, host, "none"] },
      ],
      54,
      "a shared host that leads to one with two weak listings",
    ],
    [
      [clear, { ...weak, said: ["none", "none", host, host, "none"], shared: "A link shortener" }],
      49,
      "a host that leads to a shared one with two weak listings",
    ],
  ];

  test.each(PLACES.map(([places, result, why]) => [why, result, places] as const))(
    "%s: %i",
    (_, result, places) => {
      const chain = chainOf(places);
      expect(scoreOf(chain, mergeChain(chain)).result).toBe(result);
    },
  );
});
