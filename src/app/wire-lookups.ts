import { join } from "node:path";
import { type Clock, systemRandom } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { CacheMetrics, EngineMetrics } from "../base/metrics.ts";
import type { Config } from "../config/config.ts";
import { createEngines } from "../engines/consult.ts";
import type { EngineDefinition } from "../engines/definitions.ts";
import { createZones, silentZones, type Zones, zoneEnginesOf } from "../engines/dnsbl/zones.ts";
import { measuredEngines } from "../engines/measured.ts";
import type { NameList, NetworkList } from "../enrichment/classifying-lists.ts";
import { createDnssecChecks } from "../enrichment/dns-facts/dnssec.ts";
import { createDomainDns } from "../enrichment/dns-facts/domain-dns.ts";
import { createDnsRecords } from "../enrichment/dns-facts/resolve.ts";
import { loadBrands } from "../enrichment/domain-names/brands.ts";
import { createDomainFacts } from "../enrichment/domain-names/domain-facts.ts";
import { createNameLists } from "../enrichment/domain-names/name-lists.ts";
import { loadRiskyTlds } from "../enrichment/domain-names/tlds.ts";
import { readShippedTopNames } from "../enrichment/domain-names/top-names.ts";
import { openAsnDatabase } from "../enrichment/ip/asn/operator-asn.ts";
import { createIpEnrichment, type IpEnrichment } from "../enrichment/ip/enrich-ip.ts";
import { openGeoDatabase } from "../enrichment/ip/geo/operator-geo.ts";
import { createNetworks } from "../enrichment/ip/networks.ts";
import { createPageAnalysis } from "../enrichment/page/analyse.ts";
import { createRecordApi } from "../enrichment/record-api.ts";
import { createSiteCategories } from "../enrichment/url-checks/site-category.ts";
import { flagListsOf } from "../exports/flag-lists.ts";
import { createSmtpCheck } from "../net/mail/smtp.ts";
import { NOT_ASKED } from "../net/offline.ts";
import { createWhois } from "../net/whois/whois.ts";
import type { Deps } from "../products/deps.ts";
import { createRegistrations, type Registrations } from "../registry-data/lookup.ts";
import { createWhoisLookup } from "../registry-data/whois/lookup-whois-domain.ts";
import { readWhoisServers } from "../registry-data/whois/servers.ts";
import type { Tables } from "./data-parts.ts";
import { SEED_DIR } from "./live-index.ts";
import type { Network } from "./network.ts";

/** What lookups are wired from. */
export type WiringParts = {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly tables: Tables;
  readonly network: Network;
  /** As they are now. */
  readonly definitions: () => readonly EngineDefinition[];
  readonly networkLists: readonly NetworkList[];
  readonly nameLists: readonly NameList[];
  /** Null: not counted. */
  readonly metrics: (EngineMetrics & CacheMetrics) | null;
};

/** Everything that a lookup may use, over the data and the network. */
export function wireDeps(parts: WiringParts): Deps {
  const { config, log, clock, tables, network, definitions, metrics } = parts;
  const { dns, dialer, http, tlsLook, pace, resolverTrust } = network.outgoing;
  const networks = createNetworks(parts.networkLists, flagListsOf(definitions()));
  const registrations = wireRegistrations(parts);
  const records = createRecordApi(config.file.enrichment.record_api, {
    http,
    clock,
    count: metrics?.cache("record_api") ?? null,
  });
  const ipEnrichment = wireIpEnrichment(parts, { networks, registrations, records });
  const asked = createEngines({
    definitions,
    listings: tables.lists.listings,
    zones: wireZones(parts),
    clock,
  });
  const engines = measuredEngines(asked, metrics);
  return {
    clock,
    log,
    dns,
    resolverTrouble: () => resolverTrust?.trouble() ?? null,
    dialer,
    http,
    tlsLook,
    pace,
    records,
    registrations,
    engines,
    ipEnrichment,
    ...wireDns(parts),
    ...wireNames(parts, networks, ipEnrichment.asnOf),
    ...wireMail(parts),
  };
}

const wireZones = ({ config, clock, network, definitions, metrics }: WiringParts): Zones =>
  network.isOffline
    ? silentZones(NOT_ASKED, clock)
    : createZones(zoneEnginesOf(definitions()), {
        dns: network.zonesDns,
        selfTestDns: network.selfTestDns,
        clock,
        timeoutMs: config.file.dns.timeout_ms,
        count: metrics?.cache("zones") ?? null,
      });

function wireDns({ config, clock, metrics, network }: WiringParts) {
  const { dns } = network.outgoing;
  const dnsRecords = createDnsRecords({ dns, clock, timeoutMs: config.file.dns.timeout_ms });
  const dnssec = createDnssecChecks({ dns, clock, count: metrics?.cache("dnssec") ?? null });
  return { dnsRecords, dnssec, domainDns: createDomainDns({ dnsRecords, dnssec, random: systemRandom }) };
}

function wireNames(
  { config, clock, tables, network: { outgoing }, nameLists }: WiringParts,
  networks: Networks,
  asnOf: IpEnrichment["asnOf"],
) {
  const brands = loadBrands(config.file.watch.brands);
  const domainFacts = createDomainFacts({
    listings: tables.lists.listings,
    nameLists: createNameLists(nameLists),
    networks,
    brands,
    riskyTlds: loadRiskyTlds(),
    topNames: readShippedTopNames,
    asnOf,
    now: clock.now,
  });
  return {
    brands,
    domainFacts,
    siteCategories: createSiteCategories(domainFacts),
    pageFetch: outgoing.pageFetch,
    pageAnalysis: createPageAnalysis({ clock }),
  };
}

function wireMail({ config, clock, network }: WiringParts) {
  const { dialer } = network.outgoing;
  const { whois, email } = config.file;
  return {
    hasWhoisServer: (tld: string) => Object.hasOwn(whois.servers, tld),
    smtpCheck: email.smtp_check ? createSmtpCheck({ dialer, clock, random: systemRandom }) : null,
  };
}

function wireRegistrations({
  config,
  log,
  clock,
  network: { outgoing },
  metrics,
}: WiringParts): Registrations {
  const { http, dialer } = outgoing;
  const servers = readWhoisServers(config.file.whois.servers, SEED_DIR);
  return createRegistrations({
    http,
    whois: createWhoisLookup({ whois: createWhois({ dialer, clock }), servers, clock }),
    clock,
    log,
    bootstrapUrl: config.file.rdap.bootstrap_url,
    seedDir: SEED_DIR,
    keptDir: join(config.dataDir, "rdap"),
    metrics,
  });
}

type Networks = ReturnType<typeof createNetworks>;

function wireIpEnrichment(
  { config, clock, tables, network: { outgoing }, metrics }: WiringParts,
  sources: Pick<Parameters<typeof createIpEnrichment>[0], "networks" | "registrations" | "records">,
): IpEnrichment {
  const { dns: dnsOptions, geo, enrichment } = config.file;
  return createIpEnrichment({
    geo: tables.geo,
    asn: tables.asn,
    listings: tables.lists.listings,
    operatorGeo: geo.database === null ? null : openGeoDatabase(geo.database),
    operatorAsn: geo.asn_database === null ? null : openAsnDatabase(geo.asn_database),
    ...sources,
    dns: outgoing.dns,
    clock,
    metrics,
    options: { dnsTimeoutMs: dnsOptions.timeout_ms, asnListingZone: enrichment.asn_listing.zone },
  });
}
