import type { Cidr } from "../targets/cidr.ts";
import type { Limit } from "./asking.ts";
import { hostOf, REGISTRY_MS, type Sources } from "./domain-lookup.ts";
import { answeredLookup, failedLookup, type RegistryLookup, registryLookup } from "./outcome.ts";
import { readRdapAutnum } from "./rdap/asn.ts";
import { isSpecialNumber, registryOfHost, type Subject } from "./rdap/bootstrap-table.ts";
import type { RdapReply } from "./rdap/client.ts";
import { isOfNetwork } from "./rdap/identity.ts";
import { readRdapNetwork } from "./rdap/ip.ts";
import type { Json } from "./rdap/json.ts";
import { placeholderOf } from "./rdap/placeholder.ts";
import type { AsnRegistration, IpRegistration, NumberRegistration } from "./types.ts";

/** The most specific registered network that holds an address or a network (design 10). Never rejects. */
export const lookUpNetwork = (
  network: Cidr,
  sources: Sources,
  limit: Limit,
): Promise<RegistryLookup<IpRegistration>> =>
  lookUpNumber({
    subject: { kind: "ip", network },
    path: `ip/${isAddress(network) ? network.network.text : network.text}`,
    read: (object, url) => {
      const registration = readRdapNetwork(object, url);
      return registration !== null && isOfNetwork(registration, network) ? registration : null;
    },
    placeholderOf,
    sources,
    limit,
  });

const isAddress = ({ version, prefix }: Cidr): boolean => prefix === (version === "v4" ? 32 : 128);

/** The registration of an AS number, or of the block that holds it (design 10). Never rejects. */
export const lookUpAsn = (
  number: number,
  sources: Sources,
  limit: Limit,
): Promise<RegistryLookup<AsnRegistration>> =>
  lookUpNumber({
    subject: { kind: "asn", number },
    path: `autnum/${number}`,
    read: (object, url) => readRdapAutnum(number, object, url),
    placeholderOf: () => null,
    sources,
    limit,
  });

type Question<T> = {
  readonly subject: Subject;
  /** After the server's base address (RFC 9082 3.1). */
  readonly path: string;
  readonly read: (object: Json, askedUrl: string) => T | null;
  /** The name of an entry that says only that another registry has the number; null of a registration. */
  readonly placeholderOf: (registration: T) => string | null;
  readonly sources: Sources;
  readonly limit: Limit;
};

async function lookUpNumber<T extends NumberRegistration>(question: Question<T>): Promise<RegistryLookup<T>> {
  const { subject, path, sources, limit } = question;
  const { signal, isAside } = limit;
  const server = await sources.bootstrap.serverOf(subject, { signal, withinMs: REGISTRY_MS });
  if (server.state === "unavailable") return failedLookup("no_bootstrap", server.detail);
  if (server.value === null) return outsideAllRanges(subject);
  // No other protocol waits for its turn: a slow registry may take what time there is, unless no caller waits for it.
  const timeoutMs = isAside ? REGISTRY_MS : limit.remainingMs();
  const reply = await sources.rdap.ask({
    url: server.value + path,
    isOperatorsWord: true,
    signal,
    timeoutMs,
    isAside,
  });
  return lookupOf(reply, server.value, question);
}

function lookupOf<T extends NumberRegistration>(
  reply: RdapReply,
  serverUrl: string,
  { read, placeholderOf: nameOfPlaceholder, sources }: Question<T>,
): RegistryLookup<T> {
  const provenance = { server: hostOf(reply.url), url: reply.url, rdap_status: reply.status };
  if (reply.state === "failed") return failedLookup(reply.reason, `RDAP: ${reply.detail}`, provenance);
  const from = { source: "rdap", fetchedAt: sources.clock.now(), provenance } as const;
  if (reply.state === "not_found") return answeredLookup<T>(null, from);
  const registration = read(reply.object, reply.url);
  if (registration === null) {
    const message = "The answer is not the RDAP object that was asked for";
    return failedLookup("invalid_response", message, provenance);
  }
  const placeholder = nameOfPlaceholder(registration);
  if (placeholder !== null) {
    const message = `The registry's entry "${placeholder}" stands for what other registries hold, and names no holder`;
    return failedLookup("other_registry", message, provenance);
  }
  return registryLookup({ ...registration, registry: registration.registry ?? registryOf(serverUrl) }, from);
}

/** An answer from the server of a country's registry is led to by the regional one. */
const registryOf = (url: string) => registryOfHost(URL.parse(url)?.hostname ?? "");

/** Numbers set aside have no holder; of any other outside all ranges it is unknown (design 10.3, 10.4). */
const outsideAllRanges = <T>(subject: Subject): RegistryLookup<T> =>
  isSpecialNumber(subject)
    ? answeredLookup<T>(null, { source: null, fetchedAt: null, provenance: {} })
    : failedLookup("no_registry", "The list of registries has no range that holds it");
