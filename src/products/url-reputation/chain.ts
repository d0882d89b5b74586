import { InvalidValue } from "../../base/failure.ts";
import { byEngine, type Consultation, type Engine, type Verdict } from "../../engines/kind.ts";
import { detectionsOf } from "../../engines/tally.ts";
import { ageOfConsultation, type PartAge } from "../../risk/freshness.ts";
import { type HopClearance, type Signal, scoreTarget } from "../../risk/score.ts";
import { strengthOf } from "../../risk/strength.ts";
import { canonicalUrlOf, hostOf, hostText, type UrlHost, type WebUrl } from "../../targets/url.ts";
import type { Deps } from "../deps.ts";
import type { LookupContext } from "../product.ts";
import { consultUrl, sharedInfrastructureAt } from "./consult-url.ts";
import type { VisitedPage } from "./visit.ts";

/** A URL that the target redirects to, what the engines say of it, and what it is shared by. */
export type ConsultedHop = {
  /** Index in `redirection.hops` of the redirect that leads there; their number for the one that was not followed. */
  readonly hop: number;
  /** Canonical. */
  readonly text: string;
  readonly consultation: Consultation;
  readonly sharedInfrastructure: string | null;
};

type HopUrl = Pick<ConsultedHop, "hop" | "text"> & { readonly host: UrlHost };

/**
 * Asks the engines about every URL that a fetch was led to, also where that URL answered nothing or may not be reached:
 * nothing is sent to it. Lists are asked about each URL, DNS blacklists once about each host.
 */
export async function consultHops(
  target: WebUrl,
  { fetched, first }: { readonly fetched: VisitedPage; readonly first: Consultation },
  deps: Pick<Deps, "engines" | "ipEnrichment" | "domainFacts">,
  time: LookupContext,
): Promise<readonly ConsultedHop[]> {
  const asked = new Map([[hostText(target.host), Promise.resolve(first)]]);
  return Promise.all(
    hopUrlsOf(fetched, target.text).map(async ({ hop, text, host }) => {
      const known = asked.get(hostText(host));
      const asking = consultUrl({ text, host }, deps, { ...time, isListsOnly: known !== undefined });
      if (known === undefined) asked.set(hostText(host), asking);
      const said = await asking;
      const consultation = known === undefined ? said : withZones(said, await known);
      return { hop, text, consultation, sharedInfrastructure: sharedInfrastructureAt(host, deps) };
    }),
  );
}

/** Every URL that redirects lead to, each once, but for the first URL. */
function hopUrlsOf({ hops, unfollowedUrl }: VisitedPage, first: string): readonly HopUrl[] {
  const locations = [...hops.map(({ location }) => location), unfollowedUrl ?? []].flat();
  const seen = new Set([first]);
  return locations.flatMap((location, hop) => {
    const url = new URL(location);
    const text = canonicalUrlOf(url);
    const host = seen.has(text) ? null : readHost(url);
    seen.add(text);
    return host === null ? [] : [{ hop, text, host }];
  });
}

/** A server may redirect to a host that is no name: no list holds it. */
function readHost(url: URL): UrlHost | null {
  try {
    return hostOf(url);
  } catch (error) {
    if (error instanceof InvalidValue) return null;
    throw error;
  }
}

type Keyed = { readonly engine: Engine };

const isZone = ({ engine }: Keyed): boolean => engine.kind === "dnsbl";

/** What lists say of a URL, with what DNS blacklists said of its host. */
const withZones = (lists: Consultation, { verdicts, absences, cached }: Consultation): Consultation => ({
  verdicts: [...lists.verdicts.filter((one) => !isZone(one)), ...verdicts.filter(isZone)].sort(byEngine),
  absences: [...lists.absences.filter((one) => !isZone(one)), ...absences.filter(isZone)].sort(byEngine),
  disabled: lists.disabled,
  allowlists: lists.allowlists,
  scanTimeMs: lists.scanTimeMs,
  cached,
});

/**
 * One consultation of a URL and of those that it redirects to. An engine that names several of them says what alone
 * scores highest beside the signals (of equals the strongest, then the first); one that names none has answered only if it answered for
 * each that it applies to. Allowlists are those of the target. Source: design 1.1, 4.3.
 */
export function mergeChain(chain: RedirectChain): Consultation {
  const { first, hops } = chain;
  if (hops.length === 0) return first;
  const places = [first, ...hops.map(({ hop, consultation }) => placed(consultation, hop))];
  const hits = Map.groupBy(
    places.flatMap((place) => detectionsOf(place)),
    ({ engine }) => engine.key,
  );
  const detections = [...hits.values()].flatMap((found) => strongestOf(found, chain));
  const absences = firstOfEach(
    places.flatMap((place) => place.absences),
    detections,
  );
  const misses = firstOfEach(
    places.flatMap((place) => place.verdicts).sort((a, b) => b.dataAgeS - a.dataAgeS),
    [...detections, ...absences],
  );
  return {
    verdicts: [...detections, ...misses].sort(byEngine),
    absences: absences.toSorted(byEngine),
    disabled: first.disabled,
    allowlists: first.allowlists,
    scanTimeMs: Math.max(...places.map(({ scanTimeMs }) => scanTimeMs)),
    cached: places.some(({ cached }) => cached),
  };
}

/** The same, its hits at a redirect. */
const placed = (consultation: Consultation, hop: number): Consultation => ({
  ...consultation,
  verdicts: consultation.verdicts.map((verdict) =>
    verdict.matched === null ? verdict : { ...verdict, matched: { ...verdict.matched, hop } },
  ),
});

/** The first of each engine that has none among `others`. */
function firstOfEach<T extends Keyed>(all: readonly T[], others: readonly Keyed[]): readonly T[] {
  const seen = new Set(others.map(({ engine }) => engine.key));
  return all.filter(({ engine: { key } }) => !seen.has(key) && seen.add(key));
}

/** A URL and those that it redirects to. */
export type RedirectChain = {
  /** What the engines say of the URL itself. */
  readonly first: Consultation;
  /** Of the URL's own host. */
  readonly sharedInfrastructure: string | null;
  readonly hops: readonly ConsultedHop[];
  /** What else adds to the URL's score. */
  readonly signals: readonly Signal[];
  readonly computedAt: Date;
};

/** Of one engine's hits the one that counts: a hit that is cleared where it is must not stand for one that is not. */
function strongestOf(hits: readonly Verdict[], chain: RedirectChain): readonly Verdict[] {
  if (hits.length < 2) return hits;
  const { first, hops, computedAt, ...circumstances } = chain;
  const alone = hits.map((verdict) => ({
    verdict,
    strength: strengthOf(verdict, computedAt),
    result: scoreTarget({
      consultation: { ...first, verdicts: [verdict], absences: [] },
      ...circumstances,
      hops: clearancesOf(hops),
      isBogon: false,
      computedAt,
    }).result,
  }));
  return alone
    .sort((a, b) => b.result - a.result || b.strength - a.strength)
    .slice(0, 1)
    .map(({ verdict }) => verdict);
}

/** What clears each hop in the score. */
export const clearancesOf = (hops: readonly ConsultedHop[]): readonly HopClearance[] =>
  hops.map(({ hop, consultation, sharedInfrastructure }) => ({
    hop,
    allowlists: consultation.allowlists,
    sharedInfrastructure,
  }));

/** How old what was said of each hop is. */
export const agesOfHops = (hops: readonly ConsultedHop[]): readonly PartAge[] =>
  hops.map(({ consultation }) => ageOfConsultation(consultation));
