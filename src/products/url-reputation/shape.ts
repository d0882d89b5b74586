import { z } from "zod";
import { nullable, type Wire } from "../../base/wire.ts";
import { Blacklists, ListingShape } from "../../engines/shapes.ts";
import { DomainFactsShape } from "../../enrichment/domain-names/domain-facts-shape.ts";
import { FileTypeShape, HtmlFormsShape, HtmlInfoShape } from "../../enrichment/page/shapes.ts";
import { CHECK_TEXTS } from "../../enrichment/url-checks/check-texts.ts";
import { SECURITY_CHECKS } from "../../enrichment/url-checks/checks.ts";
import { SiteCategoryShape } from "../../enrichment/url-checks/site-category.ts";
import { FETCH_STATUSES, RESOLUTIONS } from "../../net/page-fetch/fetch-types.ts";
import { TlsShape } from "../../net/tls/tls-shape.ts";
import { LookupErrorShape } from "../../registry-data/shapes.ts";
import { RiskScoreShape, SharedInfrastructure } from "../../risk/shapes.ts";
import { parseUrl } from "../../targets/url.ts";
import { REPORT_END, textOfKind } from "../shapes.ts";

export const UrlReputationInput = z
  .object({ url: textOfKind(parseUrl).describe("Whole URL, with http:// or https://") })
  .meta({ id: "UrlReputationRequest" });

const UrlParts = z
  .object({
    scheme: z.enum(["http", "https"]).describe("Scheme of the URL"),
    userinfo: z.boolean().describe("Whether it contains a user name, which is never shown"),
    host: z.string().describe("Host, A-labels in lower case"),
    host_nowww: z.string().describe("Host without a leading www"),
    host_unicode: z.string().describe("Host as people read it"),
    registered_domain: nullable.describe("The name one below its public suffix"),
    tld: z.string().describe("Top-level domain"),
    port: z.int().nullable().describe("Null: the usual one of the scheme"),
    path: z.string().describe("Path"),
    query: z.string().describe("What follows the question mark"),
    query_params_count: z.int().describe("Parameters of the query"),
    fragment: z.string().describe("What follows the hash sign"),
    extension: z.string().describe("Of the path's last segment"),
  })
  .meta({ id: "UrlParts", description: "The parts of the URL" });

const Server = z
  .object({
    ip: z.string().describe("The address"),
    reverse_dns: nullable.describe("As its holder says, unconfirmed"),
    continent_code: z.string().describe("Two letters of the continent"),
    continent_name: z.string().describe("English name of the continent"),
    country_code: z.string().describe("ISO 3166-1 alpha-2"),
    country_name: z.string().describe("English name of the country"),
    region_name: z.string().describe("Region"),
    city_name: z.string().describe("City"),
    latitude: z.number().describe("Degrees north"),
    longitude: z.number().describe("Degrees east"),
    isp: z.string().describe("Holder of the network"),
    asn: z.string().describe('Origin of its route, "AS64500"'),
  })
  .meta({ id: "UrlServer" });

const HostInfo = z
  .object({
    is_ip: z.boolean().describe("Whether the host is an address"),
    addresses: z.array(z.string()).describe("Its addresses"),
    resolution: z
      .enum(RESOLUTIONS)
      .describe("How finding its addresses ended; blocked: they are not asked about"),
    server: Server.nullable().describe("Of the address that was used; null when none was"),
    shared_infrastructure: SharedInfrastructure,
  })
  .meta({ id: "UrlHostInfo", description: "The host of the URL and the server that it is on" });

/** What is known of the URL that a redirect leads to. */
const WHERE_IT_LEADS = {
  detections: z.int().describe("Engines that name `location` or its host"),
  listed_by: z.array(ListingShape).describe("Those engines"),
  allowed_by: z.array(ListingShape).describe("Allowlists that name `location` or its host"),
  shared_infrastructure: SharedInfrastructure,
};

const Redirection = z
  .object({
    found: z.boolean().describe("Whether there was a redirect"),
    external: z.boolean().describe("To another registered domain"),
    hops: z
      .array(
        z.object({
          url: z.string().describe("The URL that redirected"),
          status: z.int().describe("Its HTTP status"),
          location: z.string().describe("Where it leads"),
          type: z.enum(["http", "meta"]).describe("By a header, or by the page"),
          ip: z.string().describe("Address that answered"),
          tls: nullable.describe("Version of TLS; null for http"),
          elapsed_ms: z.int().describe("Time that the work took, milliseconds"),
          ...WHERE_IT_LEADS,
        }),
      )
      .describe("Each redirect, in order"),
    unfollowed: z
      .object({ location: z.string().describe("Where it leads"), ...WHERE_IT_LEADS })
      .nullable()
      .describe("The redirect that was one too many; null when there was none"),
    hops_count: z.int().describe("Redirects that were followed"),
    final_url: z.string().describe("Where the redirects end"),
    final_host: z.string().describe("Host of the last URL"),
    downgrade: z.boolean().describe("From https to http"),
    url: nullable.describe("Where the first hop leads"),
  })
  .meta({ id: "UrlRedirection", description: "The redirects that were followed" });

const Response = z
  .object({
    code: z.int().describe("HTTP status"),
    status: z.string().describe("The status line"),
    http_version: z.string().describe("Version of HTTP"),
    headers: z.record(z.string(), z.string()).describe("Lower-case names, values of at most 1 KiB"),
    server: nullable.describe("What the server calls itself"),
    content_type: nullable.describe("Type that the server named"),
    content_length_bytes: z.int().nullable().describe("As announced"),
    body_bytes: z.int().describe("Decoded, as far as it was read"),
    body_sha256: z.string().describe("SHA-256 of what was read, hexadecimal"),
    security_headers: z
      .object({
        hsts: nullable.describe("Strict-Transport-Security"),
        csp: nullable.describe("Content-Security-Policy"),
        x_frame_options: nullable.describe("X-Frame-Options"),
        x_content_type_options: nullable.describe("X-Content-Type-Options"),
        referrer_policy: nullable.describe("Referrer-Policy"),
      })
      .describe("Headers that protect readers; null where one is missing"),
  })
  .meta({ id: "UrlResponse" });

const ResourcesShape = z
  .object({
    count: z.int().describe("Resources that the page loads"),
    external_count: z.int().describe("Resources of other hosts"),
    domains: z
      .array(
        z.object({
          domain: z.string().describe("Registered domain"),
          count: z.int().describe("Resources of it"),
          detections: z.int().describe("Lists that name the domain; DNS blacklists are not asked"),
        }),
      )
      .describe("Other registered domains, most used first, the first 100"),
    scripts_external: z.array(z.string()).describe("Scripts of other hosts"),
    iframes: z.array(z.string()).describe("Frames of other hosts"),
    mixed_content_count: z.int().describe("Resources loaded without TLS by a page with it"),
  })
  .meta({ id: "UrlResources", description: "What the page loads" });

const RecordTarget = z.object({
  target: z.string().describe("Name in the record"),
  ip: nullable.describe("An address of it"),
  country_code: z.string().describe("ISO 3166-1 alpha-2"),
  country_name: z.string().describe("English name of the country"),
  isp: z.string().describe("Holder of the network"),
});

const HostRecords = z
  .object({
    ns: z.array(RecordTarget).describe("Of the registered domain"),
    mx: z.array(RecordTarget).describe("Of the registered domain"),
    cname: RecordTarget.nullable().describe("Of the host"),
  })
  .meta({ id: "UrlDnsRecords", description: "DNS records of the host and of its domain" });

const SecurityChecks = z
  .object(Object.fromEntries(SECURITY_CHECKS.map((name) => [name, z.boolean().describe(CHECK_TEXTS[name])])))
  .meta({
    id: "SecurityChecks",
    description:
      "Every check of the URL and its page; one that could not be made is false and in `unknown_fields`",
  });

const Fetch = z
  .object({
    started_at: z.string().describe("When the fetch began, ISO 8601"),
    elapsed_ms: z.int().describe("Time that the work took, milliseconds"),
    user_agent: z.string().describe("How the service named itself"),
    requests_count: z.int().describe("Requests that were sent"),
    bytes_read: z.int().describe("Octets of the answer that were read"),
    truncated: z.boolean().describe("Whether the answer was longer than what is read"),
    blocked_reason: z
      .enum(["private_address", "forbidden_port", "self"])
      .nullable()
      .describe("Why the service did not open it"),
    error: LookupErrorShape.nullable().describe("Why there is no answer; null when there is one"),
  })
  .meta({ id: "UrlFetch", description: "How the page was fetched" });

const PageReport = z
  .object({
    url_parts: UrlParts,
    host_info: HostInfo,
    redirection: Redirection,
    response: Response.nullable().describe("Of the last hop"),
    tls: TlsShape.nullable().describe("Of the last hop; null for http"),
    file_type: FileTypeShape,
    html_info: HtmlInfoShape.nullable().describe("Null unless the last response is HTML"),
    html_forms: HtmlFormsShape,
    resources: ResourcesShape,
    site_category: SiteCategoryShape.extend({
      is_parked: z.boolean().describe("Parked: a page of advertisements or for sale"),
    }).meta({ id: "SiteCategory", description: "What kind of site it is" }),
    dns_records: HostRecords,
    domain_facts: DomainFactsShape.nullable().describe("Null of an address"),
    security_checks: SecurityChecks,
    risk_score: RiskScoreShape,
    fetch: Fetch,
  })
  .meta({ id: "UrlPageReport", description: "What was found of the URL and its page" });
export type PageWire = Wire<typeof PageReport>;

export const UrlReportShape = z
  .object({
    url: z.string().describe("Normalised: without user information, fragment and the usual port"),
    input: z.string().describe("As it was sent"),
    target_level: z.literal("url").describe("What was judged"),
    url_fetch_status: z.enum(FETCH_STATUSES).describe("How fetching the page ended"),
    registered_domain: nullable.describe("The name one below its public suffix"),
    domain_unicode: nullable.describe("The host's other spelling; null of an address"),
    blacklists: Blacklists,
    report: PageReport,
    ...REPORT_END,
  })
  .meta({ id: "UrlReport" });
