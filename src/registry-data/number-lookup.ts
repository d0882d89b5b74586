import type { Cidr } from "../targets/cidr.ts";
import type { Limit } from "./asking.ts";
import { hostOf, REGISTRY_MS, type Sources } from "./domain-lookup.ts";
import { answeredLookup, failedLookup, type RegistryLookup } from "./outcome.ts";
import { readRdapAutnum } from "./rdap/asn.ts";
import { isSpecialNumber, type Subject } from "./rdap/bootstrap-table.ts";
import { isOfNetwork } from "./rdap/identity.ts";
import { readRdapNetwork } from "./rdap/ip.ts";
import type { Json } from "./rdap/json.ts";
import type { AsnRegistration, IpRegistration } from "./types.ts";

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
    sources,
    limit,
  });

type Question<T> = {
  readonly subject: Subject;
  /** After the server's base address (RFC 9082 3.1). */
  readonly path: string;
  readonly read: (object: Json, askedUrl: string) => T | null;
  readonly sources: Sources;
  readonly limit: Limit;
};

async function lookUpNumber<T>({
  subject,
  path,
  read,
  sources,
  limit,
}: Question<T>): Promise<RegistryLookup<T>> {
  const { bootstrap, rdap, clock } = sources;
  const { signal, isAside } = limit;
  const server = await bootstrap.serverOf(subject, { signal, withinMs: REGISTRY_MS });
  if (server.state === "unavailable") return failedLookup("no_bootstrap", server.detail);
  if (server.value === null) return outsideAllRanges(subject);
  // No other protocol waits for its turn: a slow registry may take what time there is, unless no caller waits for it.
  const timeoutMs = isAside ? REGISTRY_MS : limit.remainingMs();
  const reply = await rdap.ask({
    url: server.value + path,
    isOperatorsWord: true,
    signal,
    timeoutMs,
    isAside,
  });
  const provenance = { server: hostOf(reply.url), url: reply.url, rdap_status: reply.status };
  if (reply.state === "failed") return failedLookup(reply.reason, `RDAP: ${reply.detail}`, provenance);
  const registration = reply.state === "found" ? read(reply.object, reply.url) : null;
  if (reply.state === "found" && registration === null) {
    return failedLookup(
      "invalid_response",
      "The answer is not the RDAP object that was asked for",
      provenance,
    );
  }
  return answeredLookup<T>(registration, { source: "rdap", fetchedAt: clock.now(), provenance });
}

/** Numbers set aside have no holder; of any other outside all ranges it is unknown (design 10.3, 10.4). */
const outsideAllRanges = <T>(subject: Subject): RegistryLookup<T> =>
  isSpecialNumber(subject)
    ? answeredLookup<T>(null, { source: null, fetchedAt: null, provenance: {} })
    : failedLookup("no_registry", "The list of registries has no range that holds it");
