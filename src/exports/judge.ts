import { DAY_MS } from "../base/durations.ts";
import type { Category, Consultation, Verdict } from "../engines/kind.ts";
import type { NetworkHit } from "../enrichment/ip/networks.ts";
import { type FamilyHit, familyHit } from "../risk/families.ts";
import { type Action, judge } from "../risk/policy.ts";
import { type ScoreInput, scoreTarget, weighTarget } from "../risk/score.ts";
import type { Assessed } from "./assess.ts";
import { SERVICES, type ServiceGroup, type Subtraction } from "./options.ts";
import type { ExportSpec } from "./spec.ts";

/** What an export says of an entry beside its value. */
export type ExportEntry = {
  readonly score: number;
  readonly families: readonly string[];
  readonly categories: readonly Category[];
  /** Keys of engines, or of the lists of ranges. */
  readonly sources: readonly string[];
  /** Seconds since the epoch: newest `last_seen`; 0 where no source gives one. */
  readonly lastSeen: number;
  /** Seconds since the epoch: oldest `first_seen`; 0 where no source gives one. */
  readonly firstSeen: number;
  /** The policy challenges it and does not block it: bouncers are told so, and no file has it. */
  readonly isChallenged: boolean;
};

/** Why something is not in an export. */
export type LeftOut =
  | { readonly by: "not_listed" }
  | {
      readonly by: Subtraction;
      readonly reason: string;
      /** Without what clears it. */
      readonly score: number;
      /** What would leave it out all the same; null: nothing. */
      readonly anyway: Filter | null;
    }
  | { readonly by: Filter; readonly score: number };

/** Whether a target belongs in an export. */
export type ExportDecision =
  | { readonly state: "in"; readonly entry: ExportEntry }
  | { readonly state: "challenged"; readonly entry: ExportEntry }
  | { readonly state: "out"; readonly why: LeftOut };

const NOT_LISTED: ExportDecision = { state: "out", why: { by: "not_listed" } };

/** What lists and facts say of one target, for all exports that count the same engines. */
export type Weigh = (consultation: Consultation) => ExportEntry;

/** Weighs a target once for the exports that count all engines, and else for each. */
export function createWeigh(assessed: Assessed, now: Date): Weigh {
  let whole: ExportEntry | null = null;
  return (consultation) => {
    if (consultation !== assessed.consultation) return entryOf(assessed, consultation, now);
    whole ??= entryOf(assessed, consultation, now);
    return whole;
  };
}

/** Decides by the rules of one export; pure. Subtraction goes before every filter, so that "would be" can be told. */
export function judgeEntry(
  assessed: Assessed,
  spec: ExportSpec,
  now: Date,
  weigh: Weigh = createWeigh(assessed, now),
): ExportDecision {
  if (spec.kind === "allow") return judgeAllowed(assessed, spec.services);
  const consultation = restricted(assessed.consultation, spec);
  // Of what no list accuses, no publisher can be named: facts alone (a VPN, a Tor exit) make no entry.
  if (consultation.verdicts.length === 0) return NOT_LISTED;
  const subtracted = subtractionOf(assessed, spec);
  if (subtracted !== null) {
    const { entry, by } = sift(uncleared(assessed, consultation, now), spec, now);
    // What is only challenged is in no file.
    const anyway = by ?? (entry.isChallenged ? "policy" : null);
    return { state: "out", why: { ...subtracted, score: entry.score, anyway } };
  }
  const { entry, by } = sift({ assessed, consultation, weigh }, spec, now);
  if (by !== null) return { state: "out", why: { by, score: entry.score } };
  return { state: entry.isChallenged ? "challenged" : "in", entry };
}

type Sifted = { readonly assessed: Assessed; readonly consultation: Consultation; readonly weigh: Weigh };

/** The entry that a target makes, and what keeps it out of the export; null: nothing. */
function sift({ assessed, consultation, weigh }: Sifted, spec: ExportSpec, now: Date) {
  const action = actionOf(assessed, consultation, spec, now);
  const weighed = weigh(consultation);
  const entry = action === "challenge" ? { ...weighed, isChallenged: true } : weighed;
  return { entry, by: action === "allow" ? "policy" : filterOf(entry, spec, now) };
}

/** The target as if nothing cleared it. */
function uncleared(assessed: Assessed, consultation: Consultation, now: Date): Sifted {
  const open = { ...assessed, sharedInfrastructure: null };
  return {
    assessed: open,
    consultation: { ...consultation, allowlists: [] },
    weigh: (asked) => entryOf(open, asked, now),
  };
}

/** What cut a target out that the export would have held; null: nothing did, or a filter leaves it out in any case. */
export const cutOf = (decision: ExportDecision): Subtraction | null =>
  decision.state === "out" && "reason" in decision.why && decision.why.anyway === null
    ? decision.why.by
    : null;

/** What is cut out, and by what; the operator's own list is named before a built-in one. */
export function subtractionOf(
  { consultation, sharedInfrastructure }: Pick<Assessed, "consultation" | "sharedInfrastructure">,
  { subtract }: Pick<ExportSpec, "subtract">,
): { readonly by: Subtraction; readonly reason: string } | null {
  const own = consultation.allowlists.find(({ engine }) => !engine.builtin);
  if (own !== undefined && subtract.includes("overrides"))
    return { by: "overrides", reason: own.engine.name };
  const [allowlist] = consultation.allowlists;
  if (allowlist !== undefined && subtract.includes("allowlists")) {
    return { by: "allowlists", reason: allowlist.engine.name };
  }
  if (sharedInfrastructure === null || !subtract.includes("shared_infrastructure")) return null;
  return { by: "shared_infrastructure", reason: sharedInfrastructure };
}

/** The verdicts that count for an export. */
function restricted(consultation: Consultation, { counts }: ExportSpec): Consultation {
  const isAll = consultation.verdicts.every(({ engine }) => counts(engine.key));
  if (isAll) return consultation;
  return { ...consultation, verdicts: consultation.verdicts.filter(({ engine }) => counts(engine.key)) };
}

const scoreInput = (assessed: Assessed, consultation: Consultation, computedAt: Date): ScoreInput => ({
  consultation,
  signals: assessed.signals,
  sharedInfrastructure: assessed.sharedInfrastructure,
  isBogon: assessed.isBogon,
  computedAt,
  hitOf: hitsAt(computedAt),
});

const hitsOfBuilds = new WeakMap<Date, (verdict: Verdict) => FamilyHit>();

/** What verdicts count for at the time of a build: most classes of addresses are other combinations of the same ones. */
function hitsAt(now: Date): (verdict: Verdict) => FamilyHit {
  const known = hitsOfBuilds.get(now);
  if (known !== undefined) return known;
  const hits = new WeakMap<Verdict, FamilyHit>();
  const hitOf = (verdict: Verdict): FamilyHit => {
    const before = hits.get(verdict);
    if (before !== undefined) return before;
    const hit = familyHit(verdict, now);
    hits.set(verdict, hit);
    return hit;
  };
  hitsOfBuilds.set(now, hitOf);
  return hitOf;
}

function actionOf(assessed: Assessed, consultation: Consultation, { policy }: ExportSpec, now: Date): Action {
  if (policy === null) return "block";
  return judge(policy, { score: scoreTarget(scoreInput(assessed, consultation, now)), consultation }).action;
}

function entryOf(assessed: Assessed, consultation: Consultation, now: Date): ExportEntry {
  const { result, families } = weighTarget(scoreInput(assessed, consultation, now));
  const categories = new Set<Category>();
  const sources: string[] = [];
  let lastSeen = 0;
  let firstSeen = 0;
  for (const verdict of consultation.verdicts) {
    categories.add(verdict.category);
    sources.push(verdict.engine.key);
    lastSeen = Math.max(lastSeen, secondsOf(verdict.lastSeen));
    const first = secondsOf(verdict.firstSeen);
    if (first > 0 && (firstSeen === 0 || first < firstSeen)) firstSeen = first;
  }
  return {
    score: result,
    // Verdicts and families come in the order of their keys.
    families: families.map(({ key }) => key),
    categories: [...categories].sort(),
    sources,
    lastSeen,
    firstSeen,
    isChallenged: false,
  };
}

/** 0 where there is no time, or none that the columns can hold. */
function secondsOf(text: string | null): number {
  if (text === null) return 0;
  const seconds = Math.floor(Date.parse(/[T ]\d\d:[\d:.]+$/.test(text) ? `${text}Z` : text) / 1000);
  return seconds >= 1 && seconds <= 0xffff_ffff ? seconds : 0;
}

type Filter = "score" | "policy" | "categories" | "without" | "families_min" | "max_age_days";

function filterOf(entry: ExportEntry, spec: ExportSpec, now: Date): Filter | null {
  if (!entry.isChallenged && entry.score < spec.minScore) return "score";
  if (spec.categories.length > 0 && !entry.categories.some((one) => spec.categories.includes(one))) {
    return "categories";
  }
  if (entry.categories.some((one) => spec.without.includes(one))) return "without";
  if (entry.families.length < spec.familiesMin) return "families_min";
  const isOld =
    spec.maxAgeDays !== null &&
    entry.lastSeen > 0 &&
    now.getTime() - entry.lastSeen * 1000 > spec.maxAgeDays * DAY_MS;
  return isOld ? "max_age_days" : null;
}

const TYPES: Readonly<Record<ServiceGroup, ReadonlySet<string>>> = {
  cdn: new Set(["cdn"]),
  crawler: new Set(["crawler", "ai_crawler"]),
  monitoring: new Set(["monitoring"]),
  mail: new Set(["mail"]),
  saas: new Set(["saas", "messaging"]),
};

const FLAGS: Readonly<Partial<Record<NetworkHit["flags"][number], ServiceGroup>>> = {
  search_engine_bot: "crawler",
  vendor_bot: "crawler",
  mail_sender: "mail",
};

/** Stands for a list where an AS number says that a network is a CDN's. */
export const KNOWN_EDGES = "known_networks";

function judgeAllowed(assessed: Assessed, services: readonly ServiceGroup[]): ExportDecision {
  const lists = assessed.networks.filter((hit) =>
    groupsOf(hit, assessed).some((one) => services.includes(one)),
  );
  const sources = [...new Set(lists.map(({ key }) => key))].sort();
  if (sources.length === 0 && assessed.isEdge && services.includes("cdn")) sources.push(KNOWN_EDGES);
  if (sources.length === 0) return NOT_LISTED;
  return {
    state: "in",
    entry: {
      score: 0,
      families: [],
      categories: [],
      sources,
      lastSeen: 0,
      firstSeen: 0,
      isChallenged: false,
    },
  };
}

function groupsOf({ flags, network }: NetworkHit, { isEdge }: Assessed): readonly ServiceGroup[] {
  const groups: ServiceGroup[] = [];
  for (const flag of flags) {
    const group = FLAGS[flag];
    if (group !== undefined) groups.push(group);
  }
  const type = network?.service?.type ?? "";
  for (const group of SERVICES) if (TYPES[group].has(type)) groups.push(group);
  if (network?.edge !== undefined && isEdge) groups.push("cdn");
  return groups;
}
