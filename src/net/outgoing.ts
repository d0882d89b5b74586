import type { Clock, Random } from "../clock.ts";
import { createDialer } from "./dialer.ts";
import type { Dialer } from "./dialer-types.ts";
import { createDns } from "./dns.ts";
import type { DnsConfiguration } from "./dns-options.ts";
import type { Dns } from "./dns-types.ts";
import { createPageFetch } from "./fetch.ts";
import type { PageFetch } from "./fetch-types.ts";
import { allowedNetworks, type Endpoint, type FetchOptions } from "./guard.ts";
import { createHttp } from "./http.ts";
import type { Http } from "./http-types.ts";
import { createTlsLook, type TlsLook } from "./tls.ts";
import { createTrust } from "./tls-trust.ts";

/** Everything that dials out, behind one guard. */
export type Outgoing = {
  readonly dns: Dns;
  readonly dialer: Dialer;
  readonly http: Http;
  readonly pageFetch: PageFetch;
  readonly tlsLook: TlsLook;
  /** Where the service listens: from now on forbidden to every caller's target. */
  readonly setSelf: (endpoints: readonly Endpoint[]) => void;
  readonly close: () => Promise<void>;
};

export type OutgoingSettings = {
  readonly dnsOptions: DnsConfiguration;
  readonly fetchOptions: FetchOptions;
  /** Our name at machine-readable upstreams. */
  readonly userAgent: string;
  readonly clock: Clock;
  readonly random: Random;
};

/** Throws when `ca_file` cannot be used. */
export function createOutgoing(settings: OutgoingSettings): Outgoing {
  const { dnsOptions, fetchOptions, userAgent, clock, random } = settings;
  const allowNetworks = allowedNetworks(fetchOptions.allow_networks);
  let self: readonly Endpoint[] = [];
  const dns = createDns({ servers: dnsOptions.servers, timeoutMs: dnsOptions.timeout_ms, clock, random });
  const dialer = createDialer({ dns, clock, rules: () => ({ allowNetworks, self }) });
  const http = createHttp({ dialer, clock, caFile: fetchOptions.ca_file, userAgent });
  const trust = createTrust(fetchOptions.ca_file);
  return {
    dns,
    dialer,
    http,
    pageFetch: createPageFetch({ dialer, clock, trust, options: pageOptions(fetchOptions) }),
    tlsLook: createTlsLook({ dialer, clock, trust }),
    setSelf: (endpoints) => {
      self = endpoints;
    },
    close: async () => {
      await http.close();
      dns.close();
    },
  };
}

const pageOptions = ({ timeout_ms, max_bytes, user_agent }: FetchOptions) => ({
  timeoutMs: timeout_ms,
  maxBytes: max_bytes,
  userAgent: user_agent,
});
