import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { Engines } from "../engines/consult.ts";
import type { DnssecChecks } from "../enrichment/dns-facts/dnssec.ts";
import type { DomainDnsLookups } from "../enrichment/dns-facts/domain-dns.ts";
import type { DnsRecords } from "../enrichment/dns-facts/resolve.ts";
import type { Brand } from "../enrichment/domain-names/brands.ts";
import type { DomainFactsMaker } from "../enrichment/domain-names/domain-facts.ts";
import type { IpEnrichment } from "../enrichment/ip/enrich-ip.ts";
import type { PageAnalysis } from "../enrichment/page/analyse.ts";
import type { RecordApi } from "../enrichment/record-api.ts";
import type { SiteCategories } from "../enrichment/url-checks/site-category.ts";
import type { Dialer } from "../net/dialer-types.ts";
import type { Dns } from "../net/dns/dns-types.ts";
import type { ResolverTrouble } from "../net/dns/server-trust.ts";
import type { Http } from "../net/http/http-types.ts";
import type { SmtpCheck } from "../net/mail/smtp.ts";
import type { Pace } from "../net/pace.ts";
import type { PageFetch } from "../net/page-fetch/fetch-types.ts";
import type { TlsLook } from "../net/tls/tls.ts";
import type { Registrations } from "../registry-data/lookup.ts";

/** What a lookup may use. Grows with the products; nothing here knows who pays. */
export type Deps = {
  readonly clock: Clock;
  readonly log: Log;
  readonly dns: Dns;
  /** Null: nothing speaks against the resolvers. */
  readonly resolverTrouble: () => ResolverTrouble | null;
  readonly dialer: Dialer;
  readonly http: Http;
  readonly pageFetch: PageFetch;
  readonly pageAnalysis: PageAnalysis;
  readonly tlsLook: TlsLook;
  /** Before each of many lookups of one caller. */
  readonly pace: Pace;
  readonly dnsRecords: DnsRecords;
  readonly dnssec: DnssecChecks;
  readonly domainDns: DomainDnsLookups;
  readonly domainFacts: DomainFactsMaker;
  readonly siteCategories: SiteCategories;
  /** Those that pages imitate, the operator's first. */
  readonly brands: readonly Brand[];
  readonly registrations: Registrations;
  /** Whether the operator names a WHOIS server for the top-level domain. */
  readonly hasWhoisServer: (tld: string) => boolean;
  /** Null unless `email.smtp_check` is on. */
  readonly smtpCheck: SmtpCheck | null;
  /** The operator's service of records; null: not configured. */
  readonly records: RecordApi | null;
  readonly engines: Engines;
  readonly ipEnrichment: IpEnrichment;
};
