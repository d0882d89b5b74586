import { z } from "zod";

/**
 * Section 4 of the design once more, written from its text and from nothing else: nothing of the product is
 * imported, and only what stands in the answer is read. The score of an answer can be recomputed like this.
 */

const engineSchema = z.object({
  detected: z.literal(true),
  category: z.string(),
  confidence: z.enum(["high", "medium", "low"]),
  family: z.string(),
  matched: z.object({ value: z.string(), level: z.string(), hop: z.int().optional() }).nullable(),
  last_seen: z.string().nullable(),
  data_age_s: z.number(),
  stale: z.boolean(),
  seed: z.boolean(),
});

const levelled = z.object({ level: z.string() });

/** The member `blacklists` of every answer. */
export const blacklistsSchema = z.object({
  engines: z.record(
    z.string(),
    z.union([engineSchema, z.object({ detected: z.literal(false), stale: z.boolean() })]),
  ),
  engines_unavailable: z.array(z.object({ status: z.string() })),
  allowlists: z.record(z.string(), z.object({ matched: levelled })),
});
type Blacklists = z.infer<typeof blacklistsSchema>;

/** What the score is made of, in the answer of check-ip. */
const answerSchema = z.object({
  blacklists: blacklistsSchema,
  information: z.object({
    is_bogon: z.boolean(),
    is_fake_bot: z.boolean(),
    edge_service: z.string(),
    is_public_dns: z.boolean(),
    is_major_provider_spf_ip: z.boolean(),
    is_search_engine_bot: z.boolean(),
  }),
  anonymity: z.object({
    is_tor: z.boolean(),
    is_proxy: z.boolean(),
    is_residential_proxy: z.boolean(),
    is_webproxy: z.boolean(),
    is_vpn: z.boolean(),
    sources: z.record(z.string(), z.array(z.string())),
  }),
  vendor_enrichment: z.object({ listed: z.boolean(), dataset: z.string().nullish() }).optional(),
  freshness: z.object({ computed_at: z.string() }),
});
type Answer = z.infer<typeof answerSchema>;

/** A score as the answer has it, without its sentences. */
export type ScoreByHand = {
  readonly result: number;
  readonly band: string;
  readonly verdict: string;
  readonly coverage: number;
  readonly base: number;
  /** Family, points, strength, keys of its engines; points descending, then by family. */
  readonly factors: readonly (readonly [string, number, number, readonly string[]])[];
  readonly adjustments: readonly (readonly [string, number])[];
};

/** 4.1: w and h in days of each category. */
const WEIGHTS: Readonly<Record<string, readonly [w: number, h: number]>> = {
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
const CONFIDENCE = { high: 1, medium: 0.75, low: 0.4 };
const LEVEL: Readonly<Record<string, number>> = { registered_domain: 0.8, url_host: 0.6, embedded_ipv4: 0.5 };

/** One engine that names the target. */
type Hit = z.infer<typeof engineSchema> & {
  readonly key: string;
  /** The family that it counts for. */
  readonly source: string;
  readonly strength: number;
  readonly isStrong: boolean;
};
export type Fact = {
  readonly name: string;
  readonly strength: number;
  readonly repeats: readonly string[];
};
/** The target itself, or a URL that it redirects to. */
export type Place = {
  /** `matched.hop` of what is found there; absent of the target. */
  readonly hop?: number;
  /** Levels at which allowlists name it. */
  readonly allowedAt: readonly string[];
  readonly isShared: boolean;
};
/** All that a score is made of. */
export type Weighed = {
  readonly blacklists: Blacklists;
  readonly computedAt: string;
  readonly facts: readonly Fact[];
  /** The target first. */
  readonly places: readonly Place[];
  readonly isBogon: boolean;
};

const DAY_S = 86_400;

/** The score that an answer of check-ip comes to by its own facts. Throws when it lacks one of them. */
export function scoreByHand(report: unknown): ScoreByHand {
  const answer = answerSchema.parse(report);
  const { blacklists, freshness, information: of } = answer;
  const isShared =
    of.edge_service !== "" || of.is_public_dns || of.is_major_provider_spf_ip || of.is_search_engine_bot;
  return weighByHand({
    blacklists,
    computedAt: freshness.computed_at,
    facts: factsOf(answer),
    places: [{ allowedAt: allowedAtOf(blacklists), isShared }],
    isBogon: of.is_bogon,
  });
}

/** Levels at which allowlists name the target. */
export const allowedAtOf = ({ allowlists }: Blacklists): readonly string[] =>
  Object.values(allowlists).map(({ matched }) => matched.level);

/** The score of whatever was looked up. */
export function weighByHand(weighed: Weighed): ScoreByHand {
  const { facts } = weighed;
  const hits = hitsOf(weighed);
  const strengths = strengthsOf(hits, facts);
  const names = [...strengths.keys()].filter((name) => strengthIn(strengths, name) > 0).sort();
  const base = baseOf(names.map((name) => strengthIn(strengths, name)));
  const adjustments = adjustmentsOf(weighed.places, { hits, facts, strengths, base });
  const result = adjustments.reduce((total, [, points]) => total + points, base);
  const points = pointsOf(names, strengths, base);
  const factors = names
    .map(
      (name) =>
        [name, points.get(name) ?? Number.NaN, strengthIn(strengths, name), enginesOf(hits, name)] as const,
    )
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return { result, ...judgementOf(weighed, result), base, factors, adjustments };
}

function hitsOf({ blacklists, computedAt }: Weighed): readonly Hit[] {
  const nowMs = Date.parse(computedAt);
  return Object.entries(blacklists.engines).flatMap(([key, engine]) => {
    if (!engine.detected) return [];
    const { category, confidence, matched, last_seen: seen, data_age_s: ageS } = engine;
    const [w, h] = WEIGHTS[category] ?? [Number.NaN, 1];
    const seenS = seen === null ? null : Math.max(0, (nowMs - Date.parse(seen)) / 1000);
    const decay = 0.5 ** ((seenS ?? (engine.stale ? ageS : 0)) / DAY_S / h);
    const d = engine.seed ? Math.max(0.5, decay) : decay;
    const strength = round(w * CONFIDENCE[confidence] * (LEVEL[matched?.level ?? ""] ?? 1) * d);
    const isStrong =
      !engine.seed &&
      confidence === "high" &&
      category !== "policy" &&
      category !== "aggregate" &&
      ["ip", "domain", "url"].includes(matched?.level ?? "") &&
      (seenS ?? ageS) <= 604_800;
    const isPolicy = category === "policy" && engine.family !== "aggregate";
    return [{ ...engine, key, source: isPolicy ? "policy" : engine.family, strength, isStrong }];
  });
}

/** 4.1: capped at 0.99, four decimals. */
const round = (s: number): number => Math.floor(Math.min(s, 0.99) * 10 ** 4 + 0.5 + 1e-9) / 10 ** 4;

/** 4.4. */
function factsOf({ anonymity, information, vendor_enrichment: vendor }: Answer): readonly Fact[] {
  const flags = { tor: 0.3, proxy: 0.3, residential_proxy: 0.3, webproxy: 0.25, vpn: 0.1 };
  const facts: Fact[] = [];
  for (const name of ["tor", "proxy", "residential_proxy", "webproxy", "vpn"] as const) {
    const repeats = anonymity.sources[`is_${name}`] ?? [];
    if (anonymity[`is_${name}`]) facts.push({ name, strength: flags[name], repeats });
  }
  if (information.is_fake_bot) facts.push({ name: "fake_bot", strength: 0.5, repeats: [] });
  if (vendor?.listed) {
    const isAsn = vendor.dataset === "ASN";
    facts.push({
      name: isAsn ? "asn_listed" : "vendor_record",
      strength: isAsn ? 0.4 : 0.8,
      repeats: [],
    });
  }
  return facts;
}

/** 4.1: the greatest of each family; a fact that repeats engines joins the strongest one's, ties by name. */
function strengthsOf(hits: readonly Hit[], facts: readonly Fact[]): ReadonlyMap<string, number> {
  const strengths = new Map<string, number>();
  const count = (name: string, strength: number) =>
    strengths.set(name, Math.max(strengths.get(name) ?? 0, strength));
  for (const { source, strength } of hits) count(source, strength);
  for (const { name, strength, repeats } of facts) {
    const [joined] = hits
      .filter(({ key }) => repeats.includes(key))
      .sort((a, b) => b.strength - a.strength || (a.key < b.key ? -1 : 1));
    count(joined?.source ?? `signal_${name}`, round(strength));
  }
  return strengths;
}

const strengthIn = (strengths: ReadonlyMap<string, number>, name: string): number => strengths.get(name) ?? 0;

const enginesOf = (hits: readonly Hit[], name: string): readonly string[] =>
  hits
    .filter(({ source }) => source === name)
    .map(({ key }) => key)
    .sort();

/** 4.2. */
const rawOf = (strengths: readonly number[]): number =>
  100 * (1 - strengths.reduce((product, s) => product * (1 - s), 1));

const baseOf = (strengths: readonly number[]): number => Math.floor(rawOf(strengths) + 1e-9 + 0.5);

/** 4.2: largest remainder, ties by name. */
function pointsOf(
  names: readonly string[],
  strengths: ReadonlyMap<string, number>,
  base: number,
): ReadonlyMap<string, number> {
  const raw = rawOf(names.map((name) => strengthIn(strengths, name)));
  const logs = names.map((name) => Math.log(1 - strengthIn(strengths, name)));
  const sum = logs.reduce((total, log) => total + log, 0);
  const shares = logs.map((log) => Number(((raw * log) / sum).toFixed(9)));
  const points = shares.map(Math.floor);
  const rest = shares.map((share, i) => Number((share - (points[i] ?? 0)).toFixed(9)));
  for (let left = base - points.reduce((total, one) => total + one, 0); left > 0; left--) {
    const best = rest.indexOf(Math.max(...rest));
    points[best] = (points[best] ?? 0) + 1;
    rest[best] = -1;
  }
  return new Map(names.map((name, i) => [name, points[i] ?? 0]));
}

type Sum = {
  readonly hits: readonly Hit[];
  readonly facts: readonly Fact[];
  readonly strengths: ReadonlyMap<string, number>;
  readonly base: number;
};

/** 4.3, in its order. */
function adjustmentsOf(places: readonly Place[], sum: Sum): readonly [string, number][] {
  const { hits, facts, strengths, base } = sum;
  const strong = hits.filter(({ isStrong }) => isStrong);
  const factsAlone = factsBaseOf(sum);
  const sources = new Set(
    hits.flatMap(({ source }) => (source === "policy" || strengths.get(source) === 0 ? [] : [source])),
  );
  const isSure = hits.some(({ source, confidence }) => sources.has(source) && confidence === "high");
  const isWeak = hits.every(({ confidence, category }) => confidence === "low" || category === "policy");
  const allowed = capWhere(places, sum, 9, (place) => isAllowed(place, strong));
  const shared = capWhere(places, sum, 49, ({ isShared }) => isShared);
  const caps: readonly [string, number | null, boolean][] = [
    ["allowlisted", allowed, new Set(strong.map(({ source }) => source)).size < 2],
    ["shared_infrastructure", shared, strong.length === 0],
    ["uncorroborated", Math.max(49, factsAlone), sources.size === 1 && !isSure && strong.length === 0],
    [
      "weak_only",
      Math.max(19, factsAlone),
      hits.length > 0 && isWeak && !facts.some(({ strength }) => strength >= 0.3),
    ],
  ];
  const adjustments: [string, number][] = [];
  let total = base;
  for (const [key, cap, holds] of caps) {
    if (!holds || cap === null || cap >= total) continue;
    adjustments.push([key, cap - total]);
    total = cap;
  }
  return adjustments;
}

/** What the facts alone come to. */
function factsBaseOf({ hits, strengths }: Sum): number {
  const byFacts = [...strengths].filter(([name, s]) => s > 0 && !hits.some(({ source }) => source === name));
  return baseOf(byFacts.map(([, s]) => s));
}

/** A strong hit at the URL itself is excused by an allowlist of that URL alone. */
const isAllowed = ({ hop, allowedAt }: Place, strong: readonly Hit[]): boolean => {
  const isUrlListed = strong.some(({ matched }) => matched?.level === "url" && matched.hop === hop);
  return allowedAt.some((level) => !isUrlListed || level === "url");
};

/** Caps only where every listed place is cleared; not below what the facts give unless the target itself is. */
function capWhere(
  places: readonly Place[],
  sum: Sum,
  cap: number,
  isCleared: (place: Place) => boolean,
): number | null {
  const listed = places.filter(({ hop }) => sum.hits.some(({ matched }) => matched?.hop === hop));
  if (!listed.every(isCleared)) return null;
  if (places.slice(0, 1).every(isCleared)) return cap;
  return listed.length === 0 ? null : Math.max(cap, factsBaseOf(sum));
}

/** 4.5. */
function judgementOf(
  { blacklists, isBogon }: Weighed,
  result: number,
): Pick<ScoreByHand, "band" | "verdict" | "coverage"> {
  const engines = Object.values(blacklists.engines);
  const total = engines.length + blacklists.engines_unavailable.length;
  const share = total === 0 ? 0 : engines.filter(({ stale }) => !stale).length / total;
  const from: readonly [number, string][] = [
    [90, "critical"],
    [75, "high"],
    [50, "elevated"],
    [20, "suspicious"],
    [1, "low"],
  ];
  const band = from.find(([least]) => result >= least)?.[1] ?? "clean";
  const isLow = band === "clean" || band === "low";
  const verdict = share < 0.5 && isLow ? "unknown" : band;
  return {
    band,
    verdict: isBogon && result === 0 ? "not_applicable" : verdict,
    coverage: Math.floor(share * 100 + 0.5 + 1e-9) / 100,
  };
}

const keys = z.array(z.string());
const compactBlacklists = z.looseObject({
  engines: z.record(z.string(), z.looseObject({})),
  clear: z.object({ count: z.number(), keys, stale: keys }),
  unanswered: z.record(z.string(), keys),
  unanswered_since: z.record(z.string(), z.string()),
});
const compactSchema = z.looseObject({
  blacklists: compactBlacklists,
  information: z.looseObject({}),
  anonymity: z.looseObject({}),
});

const ENGINE_DEFAULTS = { matched: null, last_seen: null, stale: false, seed: false };
const INFORMATION_DEFAULTS = {
  ...{ is_bogon: false, is_fake_bot: false, edge_service: "", is_public_dns: false },
  ...{ is_major_provider_spf_ip: false, is_search_engine_bot: false },
};
const ANONYMITY_DEFAULTS = {
  ...{ is_tor: false, is_proxy: false, is_residential_proxy: false, is_webproxy: false, is_vpn: false },
  sources: {},
};

/** The answer of check-ip in the view `compact` as `scoreByHand` reads it: what is absent has its default. */
export function fromCompact(report: unknown): unknown {
  const { blacklists, information, anonymity, ...rest } = compactSchema.parse(report);
  return {
    ...rest,
    information: { ...INFORMATION_DEFAULTS, ...information },
    anonymity: { ...ANONYMITY_DEFAULTS, ...anonymity },
    blacklists: wholeBlacklists(blacklists),
  };
}

/** The member `blacklists` of that view as the others have it. */
export function wholeBlacklists(compact: unknown): object {
  const { engines, clear, unanswered, unanswered_since: since, ...rest } = compactBlacklists.parse(compact);
  if (clear.count !== clear.keys.length) throw new Error("`clear` is not as many as it says");
  const stale = new Set(clear.stale);
  const named = Object.entries(engines).map(
    ([key, engine]) => [key, { ...ENGINE_DEFAULTS, family: key, ...engine }] as const,
  );
  const unnamed = clear.keys.map((key) => [key, { detected: false, stale: stale.has(key) }] as const);
  const silent = Object.entries(unanswered).flatMap(([status, of]) => of.map((key) => ({ key, status })));
  if (silent.some(({ status }) => since[status] === undefined)) throw new Error("No time for an engine");
  return {
    ...rest,
    engines: Object.fromEntries([...named, ...unnamed]),
    engines_unavailable: silent,
  };
}
