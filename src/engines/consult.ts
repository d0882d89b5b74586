import { type Clock, isoSeconds } from "../base/clock.ts";
import type { Listings } from "../blocklist-index/types.ts";
import type { FeedDefinition } from "../feeds/feed.ts";
import { applicability, type EngineStanding, sortOf } from "./applicability.ts";
import type { EngineDefinition } from "./definitions.ts";
import { type ZoneEngine, type Zones, zoneEnginesOf } from "./dnsbl/zones.ts";
import { absenceOf, ageOf, findHits, hitVerdict, missVerdict } from "./feed.ts";
import {
  ABOUT_ANOTHER,
  type Absence,
  byEngine,
  type Consultation,
  type Engine,
  type Verdict,
} from "./kind.ts";
import { type EngineRow, rowOf, zoneRowOf } from "./rows.ts";
import type { EngineTarget } from "./target.ts";

/** All engines and allowlists of this installation. */
export type Engines = {
  /**
   * Asks every engine that applies. Compiled lists answer at once; a zone that is silent at the deadline (monotonic
   * milliseconds, less what the report takes) has timed out. An engine's silence is an absence. Never rejects; at once
   * where no zone is asked.
   */
  readonly consult: (
    target: EngineTarget,
    context: {
      readonly signal: AbortSignal;
      readonly deadlineMs: number;
      /** Zones are neither asked nor named: for many targets that are only a part of one answer. */
      readonly isListsOnly?: boolean;
    },
  ) => Promise<Consultation> | Consultation;
  /** Counts changes of engines and lists; to be kept beside what rests on them, in place of the index itself. */
  readonly version: () => number;
  /** Makes the self-tests of zones that are due. Never rejects. */
  readonly testZones: () => Promise<void>;
  /** The rows of `feeds list`, sorted by key. Design 3.4. */
  readonly list: () => readonly EngineRow[];
  /** As they are now, sorted by key: owners switch engines on and off. */
  readonly definitions: () => readonly EngineDefinition[];
  /**
   * Keys of the engines that the operator configured. Strangers see name and state of those, and nothing else that
   * describes them: no size, no age, no error, no link.
   */
  readonly ownKeys: ReadonlySet<string>;
};

export type EnginesDeps = {
  /** Sorted by key: `defineEngines`. Asked anew on every call; keys and kinds stay the same. */
  readonly definitions: () => readonly EngineDefinition[];
  /** The index in force; asked anew on every call, as it is swapped under way. */
  readonly listings: () => Listings;
  /** Of the same definitions. */
  readonly zones: Zones;
  readonly clock: Pick<Clock, "now" | "monotonicMs">;
};

type Contents = {
  readonly definitions: readonly EngineDefinition[];
  readonly listings: Listings;
  readonly version: number;
};

type Moment = {
  readonly contents: Contents;
  readonly second: number;
  readonly standings: readonly EngineStanding[];
  /** Standing by the list's number in the index; null for lists that are no engines of ours. */
  readonly byList: readonly (EngineStanding | null)[];
  readonly bySort: Map<string, Applying>;
};

/** Kept back of the deadline for putting the answer together. */
const REPORT_MS = 20;

type LiveAnswers = Pick<Consultation, "verdicts" | "absences" | "cached">;

const NO_ZONES: LiveAnswers = { verdicts: [], absences: [], cached: false };

/** Puts the engines together; nothing is read or asked yet. */
export function createEngines(deps: EnginesDeps): Engines {
  const startedAt = isoSeconds(deps.clock.now());
  let moment: Moment | null = null;
  const contentsNow = createContents(deps);
  const momentNow = (): Moment => {
    const contents = contentsNow();
    const nowMs = deps.clock.now().getTime();
    const second = Math.floor(nowMs / 1000);
    if (moment?.contents !== contents || moment.second !== second) {
      moment = momentOf(contents, second, startedAt);
    }
    return moment;
  };
  return {
    consult: (target, { signal, deadlineMs, isListsOnly = false }) => {
      const startMs = deps.clock.monotonicMs();
      const { lists, zones } = ask(target, momentNow());
      const consultation = (live: LiveAnswers): Consultation => ({
        verdicts: merged(lists.verdicts, live.verdicts),
        ...(live === NO_ZONES && { misses: lists.misses }),
        absences: merged(lists.absences, live.absences),
        disabled: lists.disabled,
        allowlists: lists.allowlists,
        scanTimeMs: deps.clock.monotonicMs() - startMs,
        cached: live.cached,
      });
      if (isListsOnly || zones.length === 0) return consultation(NO_ZONES);
      const withinMs = deadlineMs - REPORT_MS - startMs;
      return deps.zones.ask(zones, target, { signal, withinMs }).then(consultation);
    },
    version: () => contentsNow().version,
    testZones: () =>
      deps.zones.test(zoneEnginesOf(deps.definitions()).filter(({ engine }) => engine.disabled === null)),
    definitions: deps.definitions,
    ownKeys: new Set(
      deps
        .definitions()
        .filter(({ engine }) => !engine.builtin)
        .map(({ engine }) => engine.key),
    ),
    list: () => {
      const { standings } = momentNow();
      return standings.map((standing) => {
        const { zone } = standing.definition;
        return zone === null ? rowOf(standing) : zoneRowOf(standing.definition, deps.zones.standing(zone));
      });
    },
  };
}

/**
 * The lists that the index is to hold, in order: engines and allowlists first, then what else classifies. A list
 * of the operator's takes the place of a built-in one with its key, whatever that one is for.
 */
export function feedsToCompile(
  definitions: readonly EngineDefinition[],
  networks: readonly FeedDefinition[],
): readonly FeedDefinition[] {
  const feeds = definitions.flatMap(({ engine, feed }) =>
    feed === null || engine.disabled !== null ? [] : [feed],
  );
  const taken = new Set(feeds.map(({ key }) => key));
  return [...feeds, ...networks.filter(({ key }) => !taken.has(key))];
}

/** The same object for as long as both are the same. */
function createContents(deps: EnginesDeps): () => Contents {
  let contents: Contents | null = null;
  return () => {
    const [definitions, listings] = [deps.definitions(), deps.listings()];
    if (contents?.definitions !== definitions || contents.listings !== listings) {
      contents = { definitions, listings, version: (contents?.version ?? 0) + 1 };
    }
    return contents;
  };
}

function momentOf(contents: Contents, second: number, startedAt: string): Moment {
  const { definitions, listings } = contents;
  const listOf = new Map(listings.lists.map(({ key }, list) => [key, list]));
  const byList: (EngineStanding | null)[] = listings.lists.map(() => null);
  const standings = definitions.map((definition): EngineStanding => {
    const { engine } = definition;
    const list = listOf.get(engine.key);
    const state = (list === undefined ? null : listings.lists[list]) ?? null;
    const age = state?.loaded ? ageOf(state, engine, second * 1000) : null;
    const absence = absenceOf(definition, state, age, startedAt);
    const miss = absence === null && state && age ? missVerdict(engine, state, age) : null;
    const standing = { definition, state, age, absence, miss };
    if (list !== undefined) byList[list] = standing;
    return standing;
  });
  return { contents, second, standings, byList, bySort: new Map() };
}

type Answers = Pick<Consultation, "verdicts" | "absences" | "disabled" | "allowlists"> & {
  readonly misses: readonly Verdict[];
};

/** What the lists say, and the zones that are to be asked. */
function ask(
  target: EngineTarget,
  moment: Moment,
): { readonly lists: Answers; readonly zones: readonly ZoneEngine[] } {
  const applying = applyingTo(target, moment);
  return { lists: askLists(target, moment, applying), zones: applying.zones };
}

function askLists(target: EngineTarget, { contents, byList }: Moment, applying: Applying): Answers {
  const hits = findHits(target, contents.listings, (list) => byList[list]?.definition.engine.target ?? null);
  const { misses, placeOf } = applying;
  if (hits.size === 0) return misses;
  const verdicts = misses.verdicts.slice();
  const allowlists: Verdict[] = [];
  for (const [list, hit] of hits) {
    const miss = byList[list]?.miss;
    const place = placeOf[list] ?? NOWHERE;
    if (!miss || place === NOWHERE) continue;
    if (place !== ALLOWS) verdicts[place] = hitVerdict(miss, hit);
    else if (!ABOUT_ANOTHER.has(hit.level)) allowlists.push(hitVerdict(miss, hit));
  }
  if (allowlists.length > 1) allowlists.sort(byEngine);
  return { ...misses, verdicts, allowlists };
}

/** The engines that apply to targets of one sort. */
type Applying = {
  /** What the lists say of a target that none of them names. The same objects for all answers of this second. */
  readonly misses: Answers;
  /** By the list's number in the index: where its verdict stands, or one of the two below. */
  readonly placeOf: readonly number[];
  readonly zones: readonly ZoneEngine[];
};

/** Of a list that does not apply, or does not answer. */
const NOWHERE = -1;
/** Of a list that allows what it names. */
const ALLOWS = -2;

/** Most targets are on no list: their answer is made once per second and sort of target. */
function applyingTo(target: EngineTarget, { standings, byList, bySort }: Moment): Applying {
  const sort = sortOf(target);
  const known = bySort.get(sort);
  if (known) return known;
  const applying = standings.filter(applicability(target));
  const zones = applying.flatMap(({ definition: { engine, zone }, absence }) =>
    zone === null || engine.disabled !== null || absence !== null ? [] : [{ engine, zone }],
  );
  const { places, ...misses } = missesOf(applying);
  const made = {
    misses,
    placeOf: byList.map((standing) => (standing && places.get(standing)) ?? NOWHERE),
    zones,
  };
  bySort.set(sort, made);
  return made;
}

/** What the lists say of a target that none of them names, and the index of each in `verdicts`. */
function missesOf(
  standings: readonly EngineStanding[],
): Answers & { readonly places: ReadonlyMap<EngineStanding, number> } {
  const verdicts: Verdict[] = [];
  const absences: Absence[] = [];
  const disabled: Engine[] = [];
  const places = new Map<EngineStanding, number>();
  for (const standing of standings) {
    const { engine } = standing.definition;
    if (engine.kind === "allow") places.set(standing, ALLOWS);
    else if (engine.disabled !== null) disabled.push(engine);
    else if (standing.absence) absences.push(standing.absence);
    else if (standing.miss) places.set(standing, verdicts.push(standing.miss) - 1);
  }
  return { verdicts, misses: verdicts, absences, disabled, allowlists: [], places };
}

/** Two lists that are sorted by key, as one. */
function merged<T extends { readonly engine: { readonly key: string } }>(
  a: readonly T[],
  b: readonly T[],
): readonly T[] {
  if (b.length === 0) return a;
  const all: T[] = [];
  let next = 0;
  for (const item of a) {
    for (let other = b[next]; other !== undefined && other.engine.key < item.engine.key; other = b[next]) {
      all.push(other);
      next++;
    }
    all.push(item);
  }
  return [...all, ...b.slice(next)];
}
