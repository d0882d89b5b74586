import type { Clock } from "../base/clock.ts";
import { HOUR_MS } from "../base/durations.ts";
import type { Log } from "../base/log.ts";
import type { CacheMetrics } from "../base/metrics.ts";
import type { Http } from "../net/http/http-types.ts";
import type { Cidr } from "../targets/cidr.ts";
import { createAsking } from "./asking.ts";
import { lookUpDomain } from "./domain-lookup.ts";
import { lookUpAsn, lookUpNetwork } from "./number-lookup.ts";
import type { RegistrationContext, RegistryLookup, WhoisLookup } from "./outcome.ts";
import { createBootstrap } from "./rdap/bootstrap.ts";
import type { Subject } from "./rdap/bootstrap-table.ts";
import { createRdapClient } from "./rdap/client.ts";
import type { AsnRegistration, DomainRegistration, IpRegistration, RegionalRegistry } from "./types.ts";

type Soon<T> = RegistryLookup<T> | Promise<RegistryLookup<T>>;

/** The registries, over RDAP and WHOIS. No method rejects for an upstream's sake; what is known is given at once. */
export type Registrations = {
  /** Of the name as a registry sells it (`icannDomainOf`), A-labels. */
  readonly domain: (name: string, context: RegistrationContext) => Soon<DomainRegistration>;
  /** The most specific network that holds this one; an address is its /32 or /128. */
  readonly ip: (network: Cidr, context: RegistrationContext) => Soon<IpRegistration>;
  readonly asn: (number: number, context: RegistrationContext) => Soon<AsnRegistration>;
  /** Whether the bootstrap files name a registry for the domain's TLD; false too when there is no file that could tell. */
  readonly hasRegistryOf: (name: string, context: RegistrationContext) => Promise<boolean>;
  /** By the ranges in memory alone; null when they do not tell. */
  readonly registryOfAsn: (number: number) => RegionalRegistry | null;
  readonly close: () => Promise<void>;
};

export type RegistrationsParts = {
  readonly http: Pick<Http, "get">;
  readonly whois: WhoisLookup;
  readonly clock: Clock;
  readonly log: Log;
  /** `rdap.bootstrap_url`. */
  readonly bootstrapUrl: string;
  readonly seedDir: string;
  /** Where retrieved bootstrap files are kept. */
  readonly keptDir: string;
  /** Default: not counted. */
  readonly metrics?: CacheMetrics | null;
};

const COMMON = { notFoundMs: 600_000, errorMs: 60_000 };

/** Wires bootstrap, RDAP, WHOIS and caches together. Source: design 10. */
export function createRegistrations(parts: RegistrationsParts): Registrations {
  const { clock, http, log, seedDir, keptDir } = parts;
  const bootstrapUrl = parts.bootstrapUrl.replace(/\/?$/, "/");
  const bootstrap = createBootstrap({ http, clock, log, url: bootstrapUrl, seedDir, keptDir });
  const rdap = createRdapClient({ http, clock });
  const sources = { bootstrap, rdap, whois: parts.whois, clock, bootstrapUrl };
  const countOf = (kind: string) => parts.metrics?.cache(`${kind}_registration`) ?? null;
  const isShut = (subject: Subject) => {
    const url = bootstrap.knownServerOf(subject);
    return url === null ? bootstrap.isAway(subject) : rdap.isShut(url);
  };
  const keeping = (kind: string, okMs: number) => ({
    clock,
    lifetimes: { okMs, ...COMMON },
    count: countOf(kind),
  });
  const domains = createAsking<string, DomainRegistration>(keeping("domain", 6 * HOUR_MS), {
    lookUp: (name, limit) => lookUpDomain(name, sources, limit),
    isShut: (name) => isShut({ kind: "domain", name }),
  });
  const networks = createAsking<Cidr, IpRegistration>(keeping("ip", 24 * HOUR_MS), {
    lookUp: (network, limit) => lookUpNetwork(network, sources, limit),
    isShut: (network) => isShut({ kind: "ip", network }),
  });
  const systems = createAsking<number, AsnRegistration>(keeping("asn", 24 * HOUR_MS), {
    lookUp: (number, limit) => lookUpAsn(number, sources, limit),
    isShut: (number) => isShut({ kind: "asn", number }),
  });
  return {
    domain: (name, context) => domains.ask(name, name, context),
    ip: (network, context) => networks.ask(network.text, network, context),
    asn: (number, context) => systems.ask(number, number, context),
    hasRegistryOf: async (name, { signal, deadlineMs }) => {
      const patience = { signal, withinMs: deadlineMs - clock.monotonicMs() };
      const server = await bootstrap.serverOf({ kind: "domain", name }, patience);
      return server.state === "answered" && server.value !== null;
    },
    registryOfAsn: bootstrap.registryOfAsn,
    close: async () => {
      for (const asking of [domains, networks, systems]) asking.close();
      await bootstrap.close();
    },
  };
}
