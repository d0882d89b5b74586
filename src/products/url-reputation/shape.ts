import { z } from "zod";
import { nullable, type Wire } from "../../base/wire.ts";
import { Blacklists, ListingShape } from "../../engines/shapes.ts";
import { DomainFactsShape } from "../../enrichment/domain-names/domain-facts-shape.ts";
import { FileTypeShape, HtmlFormsShape, HtmlInfoShape } from "../../enrichment/page/shapes.ts";
import { SECURITY_CHECKS } from "../../enrichment/url-checks/checks.ts";
import { SiteCategoryShape } from "../../enrichment/url-checks/site-category.ts";
import { TlsShape } from "../../net/tls/tls-shape.ts";
import { Freshness, RiskScoreShape } from "../../risk/shapes.ts";
import { parseUrl } from "../../targets/url.ts";
import { textOfKind } from "../shapes.ts";

export const UrlReputationInput = z
  .object({ url: textOfKind(parseUrl).describe("Whole URL, with http:// or https://") })
  .meta({ id: "UrlReputationRequest" });

const UrlParts = z
  .object({
    scheme: z.enum(["http", "https"]).describe("Scheme of the URL"),
    userinfo: z.boolean().describe("Whether it contains a user name, which is never shown"),
    host: z.string(),
    host_nowww: z.string().describe("Host without a leading www"),
    host_unicode: z.string().describe("Host as people read it"),
    registered_domain: nullable.describe("The name one below its public suffix"),
    tld: z.string(),
    port: z.int().nullable().describe("Null: the usual one of the scheme"),
    path: z.string(),
    query: z.string(),
    query_params_count: z.int().describe("Parameters of the query"),
    fragment: z.string().describe("What follows the hash sign"),
    extension: z.string().describe("Of the path's last segment"),
  })
  .meta({ id: "UrlParts" });

const Server = z
  .object({
    ip: z.string(),
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
    asn: z.string(),
  })
  .meta({ id: "UrlServer" });

const HostInfo = z
  .object({
    is_ip: z.boolean(),
    addresses: z.array(z.string()),
    resolution: z.enum(["ok", "blocked", "no_address", "timeout", "error"]),
    server: Server.nullable().describe("Of the address that was used; null when none was"),
  })
  .meta({ id: "UrlHostInfo" });

const Redirection = z
  .object({
    found: z.boolean(),
    external: z.boolean().describe("To another registered domain"),
    hops: z.array(
      z.object({
        url: z.string(),
        status: z.int(),
        location: z.string(),
        type: z.enum(["http", "meta"]),
        ip: z.string(),
        tls: nullable,
        elapsed_ms: z.int().describe("Time that the work took, milliseconds"),
        detections: z.int().describe("Engines that name `location` or its host"),
        listed_by: z.array(ListingShape).describe("Those engines"),
        allowed_by: z.array(ListingShape).describe("Allowlists that name `location` or its host"),
      }),
    ),
    hops_count: z.int().describe("Redirects that were followed"),
    final_url: z.string().describe("Where the redirects end"),
    final_host: z.string().describe("Host of the last URL"),
    downgrade: z.boolean().describe("From https to http"),
    url: nullable.describe("Where the first hop leads"),
  })
  .meta({ id: "UrlRedirection" });

const Response = z
  .object({
    code: z.int(),
    status: z.string().describe("The status line"),
    http_version: z.string().describe("Version of HTTP"),
    headers: z.record(z.string(), z.string()).describe("Lower-case names, values of at most 1 KiB"),
    server: nullable,
    content_type: nullable.describe("Type that the server named"),
    content_length_bytes: z.int().nullable().describe("As announced"),
    body_bytes: z.int().describe("Decoded, as far as it was read"),
    body_sha256: z.string().describe("SHA-256 of what was read, hexadecimal"),
    security_headers: z.object({
      hsts: nullable.describe("Strict-Transport-Security"),
      csp: nullable.describe("Content-Security-Policy"),
      x_frame_options: nullable.describe("X-Frame-Options"),
      x_content_type_options: nullable.describe("X-Content-Type-Options"),
      referrer_policy: nullable.describe("Referrer-Policy"),
    }),
  })
  .meta({ id: "UrlResponse" });

const ResourcesShape = z
  .object({
    count: z.int(),
    external_count: z.int().describe("Resources of other hosts"),
    domains: z
      .array(
        z.object({
          domain: z.string(),
          count: z.int(),
          detections: z.int().describe("Lists that name the domain; DNS blacklists are not asked"),
        }),
      )
      .describe("Other registered domains, most used first, the first 100"),
    scripts_external: z.array(z.string()).describe("Scripts of other hosts"),
    iframes: z.array(z.string()),
    mixed_content_count: z.int().describe("Resources loaded without TLS by a page with it"),
  })
  .meta({ id: "UrlResources" });

const RecordTarget = z.object({
  target: z.string(),
  ip: nullable,
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
  .meta({ id: "UrlDnsRecords" });

const SecurityChecks = z
  .object(Object.fromEntries(SECURITY_CHECKS.map((name) => [name, z.boolean()])))
  .meta({ id: "SecurityChecks" });

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
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  })
  .meta({ id: "UrlFetch" });

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
    site_category: SiteCategoryShape.extend({ is_parked: z.boolean() }).meta({ id: "SiteCategory" }),
    dns_records: HostRecords,
    domain_facts: DomainFactsShape.nullable().describe("Null of an address"),
    security_checks: SecurityChecks,
    risk_score: RiskScoreShape,
    fetch: Fetch,
  })
  .meta({ id: "UrlPageReport" });
export type PageWire = Wire<typeof PageReport>;

export const UrlReportShape = z
  .object({
    url: z.string().describe("Normalised: without user information, fragment and the usual port"),
    input: z.string().describe("As it was sent"),
    target_level: z.literal("url"),
    url_fetch_status: z.enum([
      "ok",
      "http_error",
      "timeout",
      "dns_error",
      "connect_error",
      "tls_error",
      "too_many_redirects",
      "redirect_loop",
      "too_large",
      "blocked",
      "invalid_response",
    ]),
    registered_domain: nullable.describe("The name one below its public suffix"),
    domain_unicode: nullable.describe("The host's other spelling; null of an address"),
    blacklists: Blacklists,
    report: PageReport,
    freshness: Freshness,
    unknown_fields: z
      .array(z.string())
      .describe("Paths of members whose source is absent or failed; they hold their default"),
    elapsed_ms: z.int().default(0).describe("Time that the work took, milliseconds"),
  })
  .meta({ id: "UrlReport" });
