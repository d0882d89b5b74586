import { type Clock, systemRandom } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { PROJECT_URL, VERSION } from "../base/version.ts";
import type { Config } from "../config/config.ts";
import { type ZoneEngine, zoneTestNames } from "../engines/dnsbl/zones.ts";
import type { NamedBudget } from "../net/budget.ts";
import { createDns, createDnsBudget } from "../net/dns/dns.ts";
import type { Dns } from "../net/dns/dns-types.ts";
import type { ProbeQuestion } from "../net/dns/resolver-probes.ts";
import { offlineDns } from "../net/offline.ts";
import { createOutgoing, type Outgoing } from "../net/outgoing.ts";
import { readIp } from "../targets/ip.ts";

/** Everything that dials out, as the configuration wants it. */
export type Network = {
  readonly outgoing: Outgoing;
  /** Resolver client of the DNS blacklists: zones that hang must not take the turns of other lookups. */
  readonly zonesDns: Dns;
  /** The same for their self-tests, which find out for themselves what an untrue answer is. */
  readonly selfTestDns: Dns;
  /** True: nothing is asked, and questions need not be made. */
  readonly isOffline: boolean;
  readonly budgets: readonly NamedBudget[];
  readonly close: () => Promise<void>;
};

/** Opens it. Nothing is asked yet. Throws when `fetch.ca_file` cannot be used. */
export function openNetwork(
  config: Config,
  {
    zones,
    clock,
    log,
    isOffline = false,
  }: { zones: readonly ZoneEngine[]; clock: Clock; log: Log; isOffline?: boolean },
): Network {
  const { dns, fetch } = config.file;
  const outgoing = createOutgoing({
    dnsOptions: dns,
    fetchOptions: fetch,
    userAgent: `Repute/${VERSION} (+${PROJECT_URL})`,
    witnesses: witnessesOf(config, zones),
    clock,
    random: systemRandom,
    log,
    isOffline,
  });
  const servers = dns.dnsbl_servers.length > 0 ? dns.dnsbl_servers : dns.servers;
  const budget = createDnsBudget();
  const options = { servers, timeoutMs: dns.timeout_ms, budget, clock, random: systemRandom };
  const client = isOffline ? offlineDns : createDns(options);
  const { resolverTrust } = outgoing;
  return {
    outgoing,
    isOffline,
    // A resolver of the zones alone is not probed: it may know nothing but zones.
    zonesDns: resolverTrust?.guard(client) ?? client,
    selfTestDns: resolverTrust?.watch(client) ?? client,
    budgets: [...outgoing.budgets, { name: "dns_blacklists", budget }],
    close: async () => {
      await outgoing.close();
      client.close();
    },
  };
}

const MAX_WITNESSES = 20;

/**
 * Names of the configuration that the resolver of a private network may know: the operator's zones by their test
 * entries, and the hosts of the servers that are asked.
 */
function witnessesOf({ file }: Config, zones: readonly ZoneEngine[]): readonly ProbeQuestion[] {
  const urls = [
    file.server.public_url,
    file.rdap.bootstrap_url,
    file.enrichment.record_api?.url,
    ...file.engines.feeds.map(({ url }) => url),
  ];
  const hosts = urls
    .flatMap((url) => (url && URL.canParse(url) ? [new URL(url).hostname] : []))
    .concat(Object.values(file.whois.servers).map((server) => server.replace(/:\d+$/, "")))
    .filter((host) => host !== "" && readIp(host.replace(/^\[(.*)\]$/, "$1")) === null);
  const own = zones.filter(({ engine }) => !engine.builtin && engine.disabled === null);
  const names = [...own.flatMap(({ zone }) => zoneTestNames(zone)), ...hosts];
  return [...new Set(names.map((name) => name.toLowerCase()))]
    .slice(0, MAX_WITNESSES)
    .map((name) => ({ name, type: "A" }));
}
