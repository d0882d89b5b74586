import type { Clock, Random } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { Cidr } from "../targets/cidr.ts";
import type { NamedBudget } from "./budget.ts";
import { createConnectionBudget, createDialer } from "./dialer.ts";
import type { Dialer } from "./dialer-types.ts";
import { createDns, createDnsBudget } from "./dns/dns.ts";
import type { DnsConfiguration } from "./dns/dns-options.ts";
import type { Dns, DnsClient } from "./dns/dns-types.ts";
import type { ProbeQuestion } from "./dns/resolver-probes.ts";
import { createResolverTrust, type ResolverTrust } from "./dns/resolver-trust.ts";
import { createHttp } from "./http/http.ts";
import type { Http } from "./http/http-types.ts";
import { offlineDialer, offlineDns } from "./offline.ts";
import { createOwnEndpoints, type Listener } from "./own-endpoints.ts";
import { createPace, type Pace } from "./pace.ts";
import { createPageFetch } from "./page-fetch/fetch.ts";
import type { PageFetch } from "./page-fetch/fetch-types.ts";
import { createPageMemory } from "./page-fetch/page-memory.ts";
import { allowedNetworks, type FetchOptions } from "./ssrf-guard.ts";
import { createTlsLook, type TlsLook } from "./tls/tls.ts";
import { createTrust } from "./tls/tls-trust.ts";

/** Everything that dials out, behind one guard. */
export type Outgoing = {
  readonly dns: Dns;
  /** Null: the operator does not want the resolvers to be probed. */
  readonly resolverTrust: ResolverTrust | null;
  readonly dialer: Dialer;
  readonly http: Http;
  readonly pageFetch: PageFetch;
  readonly tlsLook: TlsLook;
  /** For those who look up many targets of one caller. */
  readonly pace: Pace;
  /** What is shared out among accounts (decision 0014). */
  readonly budgets: readonly NamedBudget[];
  /** Where the service listens: from now on forbidden to every caller's target. */
  readonly setSelf: (listeners: readonly Listener[]) => void;
  readonly close: () => Promise<void>;
};

export type OutgoingSettings = {
  readonly dnsOptions: DnsConfiguration;
  readonly fetchOptions: FetchOptions;
  /** Our name at machine-readable upstreams. */
  readonly userAgent: string;
  /** Questions about names of the configuration, which the resolvers may know where they know little else. */
  readonly witnesses: readonly ProbeQuestion[];
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** True: nothing is asked and no connection opened; everything live is unavailable at once. */
  readonly isOffline?: boolean;
};

/** Throws when `ca_file` cannot be used. */
export function createOutgoing(settings: OutgoingSettings): Outgoing {
  const { dnsOptions, fetchOptions, userAgent, clock, random, isOffline = false } = settings;
  const allowNetworks = allowedNetworks(fetchOptions.allow_networks);
  const own = createOwnEndpoints({ clock });
  const { servers, timeout_ms: timeoutMs } = dnsOptions;
  const sockets = createDnsBudget();
  const connections = createConnectionBudget();
  const memory = createPageMemory(fetchOptions.max_bytes);
  const client = isOffline ? offlineDns : createDns({ servers, timeoutMs, budget: sockets, clock, random });
  const resolverTrust = dnsOptions.probe && !isOffline ? trustOf(client, allowNetworks, settings) : null;
  const dns = resolverTrust?.guard(client) ?? client;
  const rules = () => ({ allowNetworks, ...own.rules() });
  const dialer = isOffline ? offlineDialer : createDialer({ dns, clock, rules, budget: connections });
  const http = createHttp({ dialer, clock, caFile: fetchOptions.ca_file, userAgent });
  const trust = createTrust(fetchOptions.ca_file);
  return {
    dns,
    resolverTrust,
    dialer,
    http,
    pageFetch: createPageFetch({ dialer, clock, trust, memory, options: pageOptions(fetchOptions) }),
    tlsLook: createTlsLook({ dialer, clock, trust }),
    pace: createPace({ budget: sockets, clock, maxMs: timeoutMs }),
    budgets: [
      { name: "dns", budget: sockets },
      { name: "connections", budget: connections },
      { name: "page_starts", budget: memory.starts },
      { name: "pages", budget: memory.rests },
    ],
    setSelf: own.setListeners,
    close: async () => {
      await http.close();
      resolverTrust?.close();
      dns.close();
    },
  };
}

function trustOf(
  client: DnsClient,
  ownNetworks: readonly Cidr[],
  { dnsOptions, witnesses, clock, random, log }: OutgoingSettings,
): ResolverTrust {
  const { timeout_ms: timeoutMs } = dnsOptions;
  const probeNames = dnsOptions.probe_names.map((name) => name.toLowerCase().replace(/\.$/, ""));
  return createResolverTrust({ client, timeoutMs, probeNames, witnesses, ownNetworks, clock, random, log });
}

const pageOptions = ({ timeout_ms, max_bytes, user_agent }: FetchOptions) => ({
  timeoutMs: timeout_ms,
  maxBytes: max_bytes,
  userAgent: user_agent,
});
