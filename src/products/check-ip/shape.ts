import { z } from "zod";
import { Blacklists, EnrichmentShape, Freshness, flag, RiskScoreShape, text } from "../shapes.ts";

export const CheckIpInput = z
  .object({ ip: z.string().describe("IPv4 or IPv6 address, e.g. 8.8.8.8") })
  .meta({ id: "CheckIpRequest" });

const Information = z
  .object({
    reverse_dns: z.string().nullable().describe("First PTR name; null when there is none"),
    reverse_dns_status: z.enum(["ok", "nxdomain", "timeout", "error"]).nullable(),
    reverse_dns_confirmed: flag("The PTR name resolves back to the address"),
    is_eu: flag("The country is a member of the European Union"),
    continent_code: text("AF AN AS EU NA OC SA"),
    continent_name: text("English name"),
    country_code: text("ISO 3166-1 alpha-2: where the network is used"),
    country_name: text("English short name"),
    currency: text("ISO 4217 code of the country"),
    currency_name: text("English name"),
    currency_name_plural: text("English plural, lower case"),
    currency_symbol: text("Symbol in English text"),
    currency_symbol_native: text("Symbol as the country writes it"),
    calling_code: text("Digits only"),
    emoji_flag: text("Flag as an emoji"),
    emoji_flag_unicode: text("Code points of the flag"),
    region_name: text("Region, only when the source has it"),
    city_name: text("City, only when the source has it"),
    latitude: z.number().default(0),
    longitude: z.number().default(0),
    geo_source: text("Which database the place comes from"),
    geo_accuracy: z.enum(["city", "region", "country", "none"]),
    isp: text("Holder of the network"),
    asn: text('Origin of the covering route, "AS64500"; of several the lowest number'),
    is_bogon: flag("Special-purpose address that is not globally reachable"),
    special_purpose: z
      .object({ name: z.string(), rfc: z.string(), embedded_ipv4: z.string().nullable() })
      .nullable(),
    is_vendor_drop: flag('On a "do not route or peer" list'),
    is_fake_bot: flag("Claims to be a crawler and is not"),
    is_vendor_bot: flag("Google crawler"),
    is_search_engine_bot: flag("Verified search engine crawler"),
    related_service_name: text("Named operator whose published range holds the address"),
    related_service_domain: text("Its domain"),
    related_service_type: text("crawler, monitoring, mail, dns, cdn, cloud, vpn …"),
    is_major_provider_spf_ip: flag("In the published SPF ranges of a large mail provider"),
    is_public_dns: flag("A known public resolver"),
    cloud_provider: text("Cloud whose range holds the address"),
    cloud_provider_domain: text("Its domain"),
    cloud_vendor_service: text("AWS service of the range"),
    is_vendor_service: flag("Used by Google's own services"),
    edge_service: text("CDN or reverse proxy"),
    edge_service_domain: text("Its domain"),
    is_satellite: flag("Network of a satellite access provider"),
    is_hosting: flag("Data-centre network"),
    address_type: z.enum([
      "residential",
      "mobile",
      "business",
      "hosting",
      "education",
      "government",
      "unknown",
    ]),
  })
  .meta({ id: "IpInformation" });

const Asn = z
  .object({
    asn: text('"AS64500"; empty when no route covers the address'),
    asname: text("Registry handle"),
    route: text("Most specific announced prefix"),
    status: z.enum(["active", "inactive", "unrouted", ""]),
    org: text("Organisation"),
    country_code: text("Registry's country of the AS"),
    created: text("Registration date"),
    days_since_created: z.int().default(0),
    updated: text("Date of the last change"),
    days_since_updated: z.int().default(0),
    address: text("Postal address, one line"),
    abuse_email: text("Where to report abuse"),
    domain: text("Organisation's web domain"),
    total_ipv4_prefixes: z.int().default(0),
    total_ipv4_ips: z.int().default(0).describe("Distinct IPv4 addresses announced"),
    total_ipv6_prefixes: z.int().default(0),
    type: z.enum(["isp", "hosting", "business", "education", "government", ""]),
    rir: text("ARIN, RIPE, APNIC, LACNIC, AFRINIC"),
    origins: z.array(z.string()).describe("All origins of the route"),
  })
  .meta({ id: "IpAsn" });

const Anonymity = z
  .object({
    is_proxy: flag("Open or anonymous proxy"),
    is_webproxy: flag("Web-page proxy"),
    is_residential_proxy: flag("On a list of residential proxy exits"),
    is_vpn: flag("VPN exit or network"),
    is_hosting: flag("Data-centre network"),
    is_relay: flag("Privacy relay of a platform: no VPN, adds no risk"),
    is_tor: flag("Current Tor exit"),
    tor_role: z.enum(["exit", "relay"]).nullable(),
    sources: z.record(z.string(), z.array(z.string())).describe("Flag to the lists that set it"),
    provider: z.string().nullable().describe("VPN, relay or proxy brand"),
  })
  .meta({ id: "IpAnonymity" });

export const CheckIpReport = z
  .object({
    ip: z.string().describe("The address in its one spelling (dotted quad, RFC 5952)"),
    input: z.string().describe("As it was sent"),
    version: z.enum(["v4", "v6"]),
    target_level: z.literal("ip"),
    blacklists: Blacklists,
    information: Information,
    asn: Asn,
    anonymity: Anonymity,
    risk_score: RiskScoreShape,
    vendor_enrichment: EnrichmentShape.optional().describe(
      "Only when an enrichment upstream is configured and answered",
    ),
    freshness: Freshness,
    unknown_fields: z
      .array(z.string())
      .describe("Paths of fields whose source is absent or failed; they hold their default"),
    elapsed_ms: z.int(),
  })
  .meta({ id: "CheckIpReport" });

export const FreeIpReport = z
  .object({
    ip: z.string(),
    input: z.string().describe("As it was sent"),
    target_level: z.literal("ip"),
    detections: z.int(),
    engines_count: z.int(),
    detection_rate: z.string(),
    message: z.string(),
    reverse_dns: z.string().nullable(),
    isp: text("Holder of the network"),
    asn: text('"AS64500"'),
    organization: text("Organisation of the network"),
    region: text("Region"),
    city: text("City"),
    country: z.string().nullable(),
    country_code: z.string().nullable(),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    anonymity: z.object({
      is_proxy: flag("Open or anonymous proxy"),
      is_residential_proxy: flag("Residential proxy exit"),
      is_hosting: flag("Data-centre network"),
      is_vpn: flag("VPN"),
      is_tor: flag("Tor exit"),
      is_webproxy: flag("Web-page proxy"),
      is_relay: flag("Privacy relay"),
    }),
    engines: z
      .array(z.object({ name: z.string(), detected: z.boolean(), reference: z.string().nullable() }))
      .describe("Up to ten: those that name the address first, then by name"),
    risk_score: z.int().nullable().describe("Null when the verdict is unknown"),
    freshness: Freshness,
    unknown_fields: z.array(z.string()),
    elapsed_ms: z.int().default(0),
  })
  .meta({ id: "FreeIpReport" });

export type CheckIpReport = z.output<typeof CheckIpReport>;
export type FreeIpReport = z.output<typeof FreeIpReport>;
