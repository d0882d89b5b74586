import { ageSeconds, isoSeconds } from "../base/clock.ts";
import { counted } from "../base/counted.ts";
import { DAY_S } from "../base/durations.ts";
import type { Listing, Listings, ListState } from "../blocklist-index/types.ts";
import { isOver, isStale, lifetimeOf } from "../feeds/list-age.ts";
import { lowerMailbox } from "../targets/email.ts";
import type { ListedKind } from "../targets/listed-kinds.ts";
import type { EngineDefinition } from "./definitions.ts";
import type { Absence, Engine, MatchLevel, Verdict } from "./kind.ts";
import type { DomainTarget, EngineTarget, IpTarget } from "./target.ts";

/** The entry of one list that names the target. */
export type Hit = { readonly listing: Listing; readonly level: MatchLevel };

/** Hits by number of the list in the index. */
export type Hits = ReadonlyMap<number, Hit>;

type LevelOf = (target: ListedKind, listing: Listing) => MatchLevel | null;
type Collect = (listings: readonly Listing[], levelOf: LevelOf) => void;

const NO_HITS: Hits = new Map();

/**
 * Everything that the compiled lists say of the target: the closest entry per list, by the levels of design 3.3.
 * `targetOf` tells what a list names; one that names something else does not count.
 */
export function findHits(
  target: EngineTarget,
  listings: Listings,
  targetOf: (list: number) => ListedKind | null,
): Hits {
  let hits: Map<number, Hit> | null = null;
  const collect: Collect = (found, levelOf) => {
    for (const listing of found) {
      const kind = targetOf(listing.list);
      const level = kind === null ? null : levelOf(kind, listing);
      if (level === null) continue;
      hits ??= new Map();
      if (!hits.has(listing.list)) hits.set(listing.list, { listing, level }); // closest first
    }
  };
  collectTarget(target, listings, collect);
  return hits ?? NO_HITS;
}

function collectTarget(target: EngineTarget, listings: Listings, collect: Collect): void {
  switch (target.kind) {
    case "ip":
      collectIp(target, listings, collect);
      break;
    case "domain":
      collectDomain(target, listings, collect);
      break;
    case "url":
      collectUrl(target.url, listings, collect);
      if (target.host.kind === "ip") collectIp(target.host, listings, collect);
      else collectDomain(target.host, listings, collect);
      break;
    case "email":
      for (const spelling of [target.email, ...(target.otherSpellings ?? [])])
        collect(listings.findName(lowerMailbox(spelling)), (kind) => (kind === "email" ? "email" : null));
      collect(listings.findName(target.domain.name), (kind) => (kind === "email" ? "domain" : null));
      collectDomain(target.domain, listings, collect);
  }
}

function collectIp({ ip, embeddedIpv4, asn }: IpTarget, listings: Listings, collect: Collect): void {
  const found = ip.version === "v4" ? listings.findIpv4(ip.value) : listings.findIpv6(ip.words);
  collect(found, ipLevel);
  if (embeddedIpv4 !== null) collect(listings.findIpv4(embeddedIpv4.value), embeddedLevel);
  // The AS is that of the inner address, where there is one.
  if (asn !== null) collect(listings.findAsn(asn), embeddedIpv4 === null ? networkLevel : embeddedLevel);
}

const networkLevel: LevelOf = (kind) => (kind === "ip" ? "network" : null);
const embeddedLevel: LevelOf = (kind) => (kind === "ip" ? "embedded_ipv4" : null);
const ipLevel: LevelOf = (kind, { exact }) => (kind !== "ip" ? null : exact ? "ip" : "network");

function collectDomain({ name, registeredDomain }: DomainTarget, listings: Listings, collect: Collect): void {
  collect(listings.findName(name), (kind) => {
    if (kind === "url") return "url_host";
    return kind === "domain" ? "domain" : null;
  });
  if (registeredDomain === null || registeredDomain === name) return;
  const found = listings.findName(registeredDomain);
  if (found.length === 0) return;
  const excepting = exceptingLists(name, registeredDomain, listings);
  const still = excepting.size === 0 ? found : found.filter(({ list }) => !excepting.has(list));
  collect(still, (kind) => (kind === "domain" ? "registered_domain" : null));
}

/** Lists that except the name, or one between it and its registered domain. */
function exceptingLists(name: string, registeredDomain: string, listings: Listings): ReadonlySet<number> {
  const lists = new Set<number>();
  for (let at = name; at.length > registeredDomain.length; at = at.slice(at.indexOf(".") + 1)) {
    for (const { list } of listings.findException(at)) lists.add(list);
  }
  return lists;
}

/** An entry without a query covers every query (design 3.3). */
function collectUrl(url: string, listings: Listings, collect: Collect): void {
  collect(listings.findUrl(url), (kind) => (kind === "url" ? "url" : null));
  const query = url.indexOf("?");
  if (query >= 0) collect(listings.findUrl(url.slice(0, query)), (kind) => (kind === "url" ? "url" : null));
}

/** How old a list's content is, and what follows from that. Design 3.4. */
export type ListAge = {
  readonly dataAgeS: number;
  readonly stale: boolean;
  /** ISO 8601: since when it is too old to answer; null while it is not. */
  readonly expiredSince: string | null;
};

/** The age of a list's content at `nowMs`. */
export function ageOf(state: ListState, { refreshMinutes }: Engine, nowMs: number): ListAge {
  const life = lifetimeOf(state, refreshMinutes);
  const endMs = life.asOfMs + life.endsAfterS * 1000;
  return {
    dataAgeS: ageSeconds(life.asOfMs, nowMs),
    stale: isStale(life, nowMs) || isFrozen(state, refreshMinutes * 60, nowMs),
    expiredSince: isOver(life, nowMs) ? isoSeconds(new Date(endMs)) : null,
  };
}

const earlier = (a: string | null, b: string | null): string | null => {
  if (a === null || b === null) return a ?? b;
  return Date.parse(b) < Date.parse(a) ? b : a;
};

/** A list refreshed at least daily whose content has not changed for 30 days. */
const isFrozen = ({ changedAt }: ListState, refreshS: number, nowMs: number): boolean =>
  changedAt !== null && refreshS <= DAY_S && nowMs - Date.parse(changedAt) > 30 * DAY_S * 1000;

/** Why an enabled list cannot answer at all, or null. `startedAt` is when this service began, ISO 8601. */
export function absenceOf(
  { engine, feed }: EngineDefinition,
  state: ListState | null,
  age: ListAge | null,
  startedAt: string,
): Absence | null {
  if (engine.disabled !== null || feed === null) return null; // off, or a zone, which is asked live
  if (state === null || !state.loaded || age === null) {
    const since = earlier(state?.lastAttempt ?? null, startedAt) ?? startedAt;
    const status = state?.trouble === "key_refused" ? "refused" : "error";
    return { engine, status, since, detail: state?.fault ?? faultOf(engine, state) };
  }
  if (age.expiredSince === null) return null;
  const days = Math.floor(age.dataAgeS / DAY_S);
  return {
    engine,
    status: "stale",
    since: age.expiredSince,
    detail: `The data is ${counted(days, "day")} old`,
  };
}

/** In place of the error of a list that the operator configured: it may name a path or a host of the installation. */
export const OWN_LIST_FAILED = "Cannot be used; `repute feeds list` says why";

function faultOf({ builtin }: Engine, state: ListState | null): string {
  const error = state?.lastError ?? null;
  // Known, and not in the index: just retrieved, or its kept copy was found damaged and is retrieved again.
  if (error === null) return state?.lastAttempt ? "Retrieved, but not loaded yet" : "Never retrieved";
  return builtin ? error : OWN_LIST_FAILED;
}

/** What an engine says of a target that it does not name. */
export const missVerdict = (
  engine: Engine,
  { seed }: Pick<ListState, "seed">,
  { dataAgeS, stale }: Pick<ListAge, "dataAgeS" | "stale">,
): Verdict => ({
  engine,
  detected: false,
  matched: null,
  category: engine.category,
  confidence: engine.confidence,
  codes: [],
  reason: null,
  firstSeen: null,
  lastSeen: null,
  dataAgeS,
  stale,
  seed,
  elapsedMs: 0,
});

/** What a list that names the target says; an allowlist adds no hit. */
export const hitVerdict = (miss: Verdict, { listing, level }: Hit): Verdict => ({
  ...miss,
  detected: miss.engine.kind !== "allow",
  matched: { value: listing.detail?.value ?? listing.value, level },
  codes: listing.detail?.codes ?? [],
  reason: listing.detail?.reason ?? null,
  firstSeen: listing.detail?.firstSeen ?? null,
  lastSeen: listing.detail?.lastSeen ?? null,
});
