import type { Listings } from "../blocklist-index/types.ts";
import { type Ip, ipv4Of, ipv6Of } from "../targets/ip.ts";
import { applicability, type EngineStanding } from "./applicability.ts";
import type { EngineDefinition } from "./definitions.ts";
import { absenceOf, ageOf, findHits, type Hit, hitVerdict, missVerdict } from "./feed.ts";
import { ABOUT_ANOTHER, byEngine, type Consultation, type Verdict } from "./kind.ts";
import type { EngineTarget, IpTarget } from "./target.ts";

/** What compiled lists say at one instant, without the engines that do not name a target. */
export type Listed = {
  readonly of: (target: EngineTarget) => Consultation;
  /**
   * The same of addresses without special purpose, given every list that names them, by entries without details. The text of the
   * entries (`matched.value`) is not told.
   */
  readonly ofEntries: (version: Ip["version"], entries: readonly ListedEntry[]) => Consultation;
};

/** A list's number in the index, and the prefix length of its entry. */
export type ListedEntry = { readonly list: number; readonly prefix: number };

export type ListedParts = {
  readonly definitions: readonly EngineDefinition[];
  readonly listings: Listings;
  readonly nowMs: number;
};

/**
 * As `Engines.consult` with `isListsOnly`, for millions of targets one after the other: the verdicts are those that
 * detect, so that score and reasons are the same and only the coverage is not told.
 */
export function createListed({ definitions, listings, nowMs }: ListedParts): Listed {
  const byKey = new Map(definitions.map((definition) => [definition.engine.key, definition]));
  const byList = listings.lists.map((state): EngineStanding | null => {
    const definition = byKey.get(state.key);
    if (definition === undefined || definition.engine.disabled !== null) return null;
    const age = state.loaded ? ageOf(state, definition.engine, nowMs) : null;
    const absence = absenceOf(definition, state, age, "");
    const miss = absence === null && age !== null ? missVerdict(definition.engine, state, age) : null;
    return { definition, state, age, absence, miss };
  });
  const targetOf = (list: number) => byList[list]?.definition.engine.target ?? null;
  const saidBy = (list: number, hit: Hit, applies: (standing: EngineStanding) => boolean): Verdict | null => {
    const standing = byList[list];
    return standing?.miss && applies(standing) ? hitVerdict(standing.miss, hit) : null;
  };
  const ofEntry = createSaidByEntries((list, level, ip) => {
    if (targetOf(list) !== "ip") return null;
    const listing = { list, value: "", exact: level === "ip", detail: null };
    const target: IpTarget = { kind: "ip", ip, embeddedIpv4: null, asn: null, isBogon: false };
    return saidBy(list, { listing, level }, applicability(target));
  });
  return {
    of: (target) => {
      const applies = applicability(target);
      const said: Verdict[] = [];
      for (const [list, hit] of findHits(target, listings, targetOf)) {
        const verdict = saidBy(list, hit, applies);
        if (verdict !== null) said.push(verdict);
      }
      return consultationOf(said);
    },
    ofEntries: (version, entries) => {
      const said: Verdict[] = [];
      for (const entry of entries) {
        const verdict = ofEntry(version, entry);
        if (verdict !== null) said.push(verdict);
      }
      return consultationOf(said);
    },
  };
}

function consultationOf(said: readonly Verdict[]): Consultation {
  const verdicts: Verdict[] = [];
  const allowlists: Verdict[] = [];
  for (const verdict of said) {
    if (verdict.engine.kind !== "allow") verdicts.push(verdict);
    else if (verdict.matched === null || !ABOUT_ANOTHER.has(verdict.matched.level)) allowlists.push(verdict);
  }
  if (verdicts.length > 1) verdicts.sort(byEngine);
  if (allowlists.length > 1) allowlists.sort(byEngine);
  return { verdicts, allowlists, absences: [], disabled: [], scanTimeMs: 0, cached: false };
}

/** What a list says by an entry without details is the same of every address: one object for each family and level. */
function createSaidByEntries(
  say: (list: number, level: "ip" | "network", ip: Ip) => Verdict | null,
): (version: Ip["version"], entry: ListedEntry) => Verdict | null {
  const known: Record<Ip["version"], (Verdict | null)[]> = { v4: [], v6: [] };
  return (version, { list, prefix }) => {
    const isExact = prefix === (version === "v4" ? 32 : 128);
    const place = list * 2 + Number(isExact);
    const before = known[version][place];
    if (before !== undefined) return before;
    const said = say(list, isExact ? "ip" : "network", version === "v4" ? ipv4Of(0) : ipv6Of([0, 0, 0, 0]));
    known[version][place] = said;
    return said;
  };
}
