import { z } from "zod";
import { flag, text, type Wire } from "../base/wire.ts";

/** Facts of one address beside the lists: every field of interface 2.6 and design 5.2 to 5.4. */
export const InformationShape = z
  .object({
    reverse_dns: z.string().nullable().describe("First PTR name; null when there is none"),
    reverse_dns_status: z
      .enum(["ok", "nxdomain", "timeout", "error"])
      .nullable()
      .describe("How the question for the name ended"),
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
    latitude: z.number().default(0).describe("Degrees north"),
    longitude: z.number().default(0).describe("Degrees east"),
    geo_source: text("Which database the place comes from"),
    geo_accuracy: z.enum(["city", "region", "country", "none"]).describe("How closely the place is known"),
    isp: text("Holder of the network"),
    asn: text('Origin of the covering route, "AS64500"; of several the lowest number'),
    is_bogon: flag("Special-purpose address that is not globally reachable"),
    special_purpose: z
      .object({
        name: z.string().describe("Purpose, as one word"),
        rfc: z.string().describe("Document that reserves it"),
        embedded_ipv4: z.string().nullable().describe("IPv4 address that it holds"),
      })
      .nullable()
      .describe("What the address is reserved for; null of an ordinary one"),
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
    address_type: z
      .enum(["residential", "mobile", "business", "hosting", "education", "government", "unknown"])
      .describe("Who uses such addresses"),
  })
  .meta({ id: "IpInformation", description: "Place, network and roles of the address" });
export type Information = Wire<typeof InformationShape>;

export const AsnShape = z
  .object({
    asn: text('"AS64500"; empty when no route covers the address'),
    asname: text("Registry handle"),
    route: text("Most specific announced prefix"),
    status: z.enum(["active", "inactive", "unrouted", ""]).describe("Whether the AS announces routes"),
    org: text("Organisation"),
    country_code: text("Registry's country of the AS"),
    created: text("Registration date of the AS"),
    days_since_created: z
      .int()
      .default(0)
      .describe("Days since the AS was registered; 0 also where `created` is empty"),
    updated: text("Date on which that registration changed last"),
    days_since_updated: z.int().default(0).describe("Days since then; 0 also where `updated` is empty"),
    address: text("Postal address, one line"),
    abuse_email: text("Where to report abuse"),
    domain: text("Organisation's web domain"),
    total_ipv4_prefixes: z.int().default(0).describe("IPv4 routes that the AS announces"),
    total_ipv4_ips: z.int().default(0).describe("Distinct IPv4 addresses announced"),
    total_ipv6_prefixes: z.int().default(0).describe("IPv6 routes that the AS announces"),
    type: z
      .enum(["isp", "hosting", "business", "education", "government", ""])
      .describe("What kind of network it is"),
    rir: text("ARIN, RIPE, APNIC, LACNIC, AFRINIC"),
    origins: z.array(z.string()).describe("All origins of the route"),
  })
  .meta({ id: "IpAsn", description: "The AS that announces the address" });
export type AsnFacts = Wire<typeof AsnShape>;

/** The flags of an address that hides who uses it. */
export const AnonymityFlags = z.object({
  is_proxy: flag("Open or anonymous proxy"),
  is_webproxy: flag("Web-page proxy"),
  is_residential_proxy: flag("On a list of residential proxy exits"),
  is_vpn: flag("VPN exit or network"),
  is_hosting: flag("Data-centre network"),
  is_relay: flag("Privacy relay of a platform: no VPN, adds no risk"),
  is_tor: flag("Current Tor exit"),
});
export const ANONYMITY_FLAGS = AnonymityFlags.keyof().options;
export type AnonymityFlag = (typeof ANONYMITY_FLAGS)[number];

/** Their names where people read them, in the order in which they are listed. */
export const ANONYMITY_NAMES: readonly (readonly [AnonymityFlag, string])[] = [
  ["is_tor", "Tor exit"],
  ["is_vpn", "VPN"],
  ["is_proxy", "proxy"],
  ["is_webproxy", "web proxy"],
  ["is_residential_proxy", "residential proxy"],
  ["is_relay", "privacy relay"],
  ["is_hosting", "hosting"],
];

export const AnonymityShape = AnonymityFlags.extend({
  tor_role: z.enum(["exit", "relay"]).nullable().describe("What the address does in the Tor network"),
  sources: z.record(z.string(), z.array(z.string())).describe("Flag to the lists that set it"),
  provider: z.string().nullable().describe("VPN, relay or proxy brand"),
}).meta({ id: "IpAnonymity", description: "Whether the address hides who uses it" });
export type Anonymity = Wire<typeof AnonymityShape>;

/** Age of one thing that an answer rests on. */
export type SourceAge = {
  /** Seconds; null when it did not answer. */
  readonly dataAgeS: number | null;
  readonly stale: boolean;
  readonly cached: boolean;
};

/** How old what is told of an address is, by where it comes from. */
export type IpAges = {
  /** The table of places. */
  readonly place: SourceAge;
  /** The table of origins and routes. */
  readonly network: SourceAge;
  /** The oldest answer of a registry. */
  readonly registry: SourceAge;
  /** The oldest of all else: lists of hosting, VPN and the like. */
  readonly other: SourceAge;
};

/** Everything the enrichment knows of one address, and what it could not find out. */
export type IpFacts = {
  readonly information: Information;
  readonly asn: AsnFacts;
  readonly anonymity: Anonymity;
  /** Paths such as `information.reverse_dns`, sorted. */
  readonly unknownFields: readonly string[];
  readonly ages: IpAges;
};
