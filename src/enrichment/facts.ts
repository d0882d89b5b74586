/** Facts of one address beside the lists: every field of interface 2.6 and design 5.2 to 5.4, as on the wire. */
export type Information = {
  readonly reverse_dns: string | null;
  readonly reverse_dns_status: "ok" | "nxdomain" | "timeout" | "error" | null;
  readonly reverse_dns_confirmed: boolean;
  readonly is_eu: boolean;
  readonly continent_code: string;
  readonly continent_name: string;
  readonly country_code: string;
  readonly country_name: string;
  readonly currency: string;
  readonly currency_name: string;
  readonly currency_name_plural: string;
  readonly currency_symbol: string;
  readonly currency_symbol_native: string;
  readonly calling_code: string;
  readonly emoji_flag: string;
  readonly emoji_flag_unicode: string;
  readonly region_name: string;
  readonly city_name: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly geo_source: string;
  readonly geo_accuracy: "city" | "region" | "country" | "none";
  readonly isp: string;
  readonly asn: string;
  readonly is_bogon: boolean;
  readonly special_purpose: {
    readonly name: string;
    readonly rfc: string;
    readonly embedded_ipv4: string | null;
  } | null;
  readonly is_vendor_drop: boolean;
  readonly is_fake_bot: boolean;
  readonly is_vendor_bot: boolean;
  readonly is_search_engine_bot: boolean;
  readonly related_service_name: string;
  readonly related_service_domain: string;
  readonly related_service_type: string;
  readonly is_major_provider_spf_ip: boolean;
  readonly is_public_dns: boolean;
  readonly cloud_provider: string;
  readonly cloud_provider_domain: string;
  readonly cloud_vendor_service: string;
  readonly is_vendor_service: boolean;
  readonly edge_service: string;
  readonly edge_service_domain: string;
  readonly is_satellite: boolean;
  readonly is_hosting: boolean;
  readonly address_type:
    | "residential"
    | "mobile"
    | "business"
    | "hosting"
    | "education"
    | "government"
    | "unknown";
};

export type AsnFacts = {
  readonly asn: string;
  readonly asname: string;
  readonly route: string;
  readonly status: "active" | "inactive" | "unrouted" | "";
  readonly org: string;
  readonly country_code: string;
  readonly created: string;
  readonly days_since_created: number;
  readonly updated: string;
  readonly days_since_updated: number;
  readonly address: string;
  readonly abuse_email: string;
  readonly domain: string;
  readonly total_ipv4_prefixes: number;
  readonly total_ipv4_ips: number;
  readonly total_ipv6_prefixes: number;
  readonly type: "isp" | "hosting" | "business" | "education" | "government" | "";
  readonly rir: string;
  readonly origins: readonly string[];
};

export type Anonymity = {
  readonly is_proxy: boolean;
  readonly is_webproxy: boolean;
  readonly is_residential_proxy: boolean;
  readonly is_vpn: boolean;
  readonly is_hosting: boolean;
  readonly is_relay: boolean;
  readonly is_tor: boolean;
  readonly tor_role: "exit" | "relay" | null;
  readonly sources: Readonly<Record<string, readonly string[]>>;
  readonly provider: string | null;
};

/** Everything the enrichment knows of one address, and what it could not find out. */
export type IpFacts = {
  readonly information: Information;
  readonly asn: AsnFacts;
  readonly anonymity: Anonymity;
  /** Paths such as `information.reverse_dns`, sorted. */
  readonly unknownFields: readonly string[];
  /** Ages in seconds of every enrichment source that answered, and whether any of it is stale. */
  readonly dataAgeS: number | null;
  readonly stale: boolean;
  readonly cached: boolean;
};
