import type { SilentFamilies } from "../../net/dns/host-addresses.ts";
import type { FetchStatus, Hop, PageResponse } from "../../net/page-fetch/fetch-types.ts";
import type { Ip } from "../../targets/ip.ts";
import type { UrlHost } from "../../targets/url.ts";
import type { Brand } from "../domain-names/brands.ts";
import type { DomainFacts } from "../domain-names/domain-facts-shape.ts";
import type { Page } from "../page/page.ts";
import type { FileType, HtmlForms } from "../page/shapes.ts";
import type { SiteCategory } from "./site-category.ts";

/** Everything that the checks of design 7.4 are drawn from: one URL, what was looked up of it, and its last response. */
export type UrlEvidence = {
  /** As asked, parsed; user information still inside. */
  readonly url: URL;
  readonly host: UrlHost;
  /** Of the host asked; null of an address, or when they were not drawn. */
  readonly domainFacts: DomainFacts | null;
  /** Fields of `domainFacts` whose source was absent or failed. */
  readonly unknownFacts: readonly string[];
  /** Whether the host asked is known to be visited by many, be it from an old copy: no imitation, nothing random. */
  readonly isPopular: boolean;
  /** Addresses of the host asked; `[]`: it has none; null: not known (time-out, resolver's fault). */
  readonly addresses: readonly Ip[] | null;
  /** Families that nothing is known of though `addresses` is. */
  readonly silent: SilentFamilies;
  /** Of the host asked. */
  readonly site: SiteCategory;
  /** Whether an engine lists the host; the URL itself says nothing of the rest of it. */
  readonly isBlacklisted: boolean;
  /** The brands that pages imitate. */
  readonly brands: readonly Brand[];
  /** Null: it was not fetched. */
  readonly status: FetchStatus | null;
  readonly hops: readonly Pick<Hop, "url" | "location">[];
  /** Where the last response came from, or would have. */
  readonly finalUrl: URL;
  readonly finalHost: UrlHost;
  /** Of the final host. */
  readonly finalSite: SiteCategory;
  /** Fields of both that no list can answer, where they are false. */
  readonly unknownSite: readonly (keyof SiteCategory)[];
  /** Of the final URL: false without TLS, null when no certificate was seen where one was wanted. */
  readonly isValidHttps: boolean | null;
  readonly response: Pick<PageResponse, "status" | "headers" | "disposition" | "bodyBytes"> | null;
  /** Whether the body was read: not when its coding is unknown, or when reading it took too long. */
  readonly isRead: boolean;
  /** Null unless the last response is HTML. */
  readonly page: Page | null;
  /** `NO_FORMS` without page. */
  readonly forms: HtmlForms;
  readonly fileType: FileType;
};
