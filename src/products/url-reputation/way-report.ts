import type { Consultation, Verdict } from "../../engines/kind.ts";
import { detectionsOf } from "../../engines/tally.ts";
import { tldOf } from "../../enrichment/domain-names/tlds.ts";
import { extensionOf, registeredOf } from "../../enrichment/page/links.ts";
import { canonicalUrlOf, hostText, type WebUrl } from "../../targets/url.ts";
import type { ConsultedHop } from "./chain.ts";
import type { PageWire } from "./shape.ts";
import type { VisitedPage } from "./visit.ts";

/** The URL's parts as design 7.2 names them; pure. */
export function reportParts({ url, host }: WebUrl): PageWire["url_parts"] {
  const text = hostText(host);
  const domain = host.kind === "domain" ? host.domain : null;
  return {
    scheme: url.protocol === "https:" ? "https" : "http",
    userinfo: url.username !== "" || url.password !== "",
    host: text,
    host_nowww: text.replace(/^www\d?\./, ""),
    host_unicode: domain?.unicode ?? text,
    registered_domain: domain?.registeredDomain ?? null,
    tld: domain === null ? "" : tldOf(domain.name),
    port: url.port === "" ? null : Number(url.port),
    path: url.pathname,
    query: url.search.slice(1),
    query_params_count: url.searchParams.size,
    fragment: url.hash.slice(1),
    extension: extensionOf(url),
  };
}

type Way = {
  readonly target: { readonly url: WebUrl };
  readonly visit: { readonly fetched: VisitedPage };
  readonly first: Consultation;
  /** Of the URL's own host. */
  readonly sharedInfrastructure: string | null;
  readonly hops: readonly ConsultedHop[];
};

/** The way from the URL to its last response, with what is known of where each redirect leads; pure. */
export function reportRedirection(way: Way): PageWire["redirection"] {
  const { hops, finalUrl, unfollowedUrl } = way.visit.fetched;
  const own = registeredOf(way.target.url.url.hostname);
  const placeAt = placesOf(way);
  return {
    found: hops.length > 0,
    external: hops.some(({ location }) => registeredOf(new URL(location).hostname) !== own),
    hops: hops.map(({ url: from, status, location, type, ip, tls, elapsedMs }) => ({
      url: from,
      status,
      location,
      type,
      ip,
      tls,
      elapsed_ms: elapsedMs,
      ...placeAt(location),
    })),
    unfollowed: unfollowedUrl === null ? null : { location: unfollowedUrl, ...placeAt(unfollowedUrl) },
    hops_count: hops.length,
    final_url: finalUrl,
    final_host: new URL(finalUrl).hostname.replace(/^\[(.*)\]$/, "$1"),
    downgrade: hops.some(
      ({ url: from, location }) => from.startsWith("https:") && location.startsWith("http:"),
    ),
    url: hops[0]?.location ?? null,
  };
}

type PlaceWire = Omit<NonNullable<PageWire["redirection"]["unfollowed"]>, "location">;
type Place = Pick<ConsultedHop, "consultation" | "sharedInfrastructure">;

/** What is known of each URL of the way and its host; nothing of a host that is no name. */
function placesOf({ target, first, sharedInfrastructure, hops }: Way): (location: string) => PlaceWire {
  const places = new Map<string, Place>(hops.map((hop) => [hop.text, hop]));
  places.set(target.url.text, { consultation: first, sharedInfrastructure });
  return (location) => reportPlace(places.get(canonicalUrlOf(new URL(location))));
}

function reportPlace(place: Place | undefined): PlaceWire {
  const found = place === undefined ? [] : detectionsOf(place.consultation);
  return {
    detections: found.length,
    listed_by: found.flatMap(reportListing),
    allowed_by: place?.consultation.allowlists.flatMap(reportListing) ?? [],
    shared_infrastructure: place?.sharedInfrastructure ?? null,
  };
}

const reportListing = ({ engine, matched }: Verdict): PlaceWire["listed_by"] =>
  matched === null ? [] : [{ key: engine.key, level: matched.level }];
