import type { Clock } from "../base/clock.ts";
import type { Limit } from "./asking.ts";
import { completeRegistration, hasGaps } from "./complete.ts";
import { IANA_BOOTSTRAP_URL } from "./options.ts";
import {
  answeredLookup,
  failedLookup,
  type RegistryLookup,
  registryLookup,
  type WhoisLookup,
} from "./outcome.ts";
import type { Bootstrap } from "./rdap/bootstrap.ts";
import type { RdapClient, RdapReply } from "./rdap/client.ts";
import { readRdapAbsence, readRdapDomain } from "./rdap/domain.ts";
import { isOfDomain } from "./rdap/identity.ts";
import type { Provenance } from "./shapes.ts";
import type { DomainRegistration } from "./types.ts";

/** Who is asked, and with what. */
export type Sources = {
  readonly bootstrap: Bootstrap;
  readonly rdap: RdapClient;
  readonly whois: WhoisLookup;
  readonly clock: Clock;
  readonly bootstrapUrl: string;
};

/** One registry's share of the time: a silent one leaves enough for WHOIS. */
export const REGISTRY_MS = 5000;
const REGISTRAR_MS = 3000;

/** Why RDAP gave nothing, in one word and in a sentence. */
type Fallback = { readonly reason: string; readonly detail: string; readonly rdapStatus: number | null };

/** One domain, by RDAP and, where that gives no answer, by WHOIS (design 10). Never rejects. */
export async function lookUpDomain(
  name: string,
  sources: Sources,
  limit: Limit,
): Promise<RegistryLookup<DomainRegistration>> {
  const { signal } = limit;
  const subject = { kind: "domain", name } as const;
  const server = await sources.bootstrap.serverOf(subject, { signal, withinMs: REGISTRY_MS });
  if (server.state === "unavailable")
    return askWhois(name, sources, limit, without("no_bootstrap", server.detail));
  if (server.value === null) {
    return askWhois(name, sources, limit, without("no_rdap", "The registry has no RDAP server"));
  }
  const reply = await askRegistry(`${server.value}domain/${name}`, sources, limit);
  if (reply.state === "not_found") {
    const absence = readRdapAbsence(name, reply.object);
    if (absence === "refused") {
      const detail = "The registry refuses to answer";
      return askWhois(name, sources, limit, { reason: absence, detail, rdapStatus: reply.status });
    }
    const provenance = { server: hostOf(reply.url), url: reply.url, rdap_status: reply.status };
    const from = { source: "rdap", fetchedAt: sources.clock.now(), provenance } as const;
    return { ...answeredLookup(absence, from), status: "not_found" };
  }
  if (reply.state === "failed") {
    return askWhois(name, sources, limit, { ...reply, rdapStatus: reply.status });
  }
  const isOfAnother = isOfDomain(reply.object, name) === false;
  const registration = isOfAnother ? null : readRdapDomain(name, reply.object);
  if (registration !== null) return complete(registration, reply, sources, limit);
  const detail = isOfAnother
    ? "The answer is about another domain"
    : "The answer is not an RDAP domain object";
  return askWhois(name, sources, limit, { reason: "invalid_response", detail, rdapStatus: reply.status });
}

const without = (reason: string, detail: string): Fallback => ({ reason, detail, rdapStatus: null });

const askRegistry = (url: string, { rdap }: Sources, limit: Limit): Promise<RdapReply> =>
  rdap.ask({
    url,
    isOperatorsWord: true,
    signal: limit.signal,
    timeoutMs: Math.min(REGISTRY_MS, limit.remainingMs()),
    isAside: limit.isAside,
  });

/** Host as `provenance.server` shows it, with the port when it is not the protocol's. */
export const hostOf = (url: string): string | null => URL.parse(url)?.host ?? null;

async function complete(
  registration: DomainRegistration,
  reply: Extract<RdapReply, { state: "found" }>,
  sources: Sources,
  limit: Limit,
): Promise<RegistryLookup<DomainRegistration>> {
  const provenance = { server: hostOf(reply.url), url: reply.url, rdap_status: reply.status };
  const fetchedAt = sources.clock.now();
  const registrar = await askRegistrar(registration, reply.url, sources, limit);
  return registryLookup(
    registrar === null ? registration : completeRegistration(registration, registrar.registration),
    { source: "rdap", fetchedAt, provenance: { ...provenance, registrar_server: registrar?.server ?? null } },
  );
}

/** The registrar's own answer: one link, by the guard's leave, never the same server. Null when it gives nothing. */
async function askRegistrar(
  registration: DomainRegistration,
  registryUrl: string,
  { rdap, bootstrapUrl }: Sources,
  limit: Limit,
): Promise<{ readonly registration: DomainRegistration; readonly server: string | null } | null> {
  const url = registration.referral;
  if (url === null || registration.registered === false) return null;
  if (!hasGaps(registration) || hostOf(url) === hostOf(registryUrl)) return null;
  // Plain http is for registries of an operator's own.
  if (!url.startsWith("https:") && bootstrapUrl === IANA_BOOTSTRAP_URL) return null;
  const timeoutMs = Math.min(REGISTRAR_MS, limit.remainingMs());
  const reply = await rdap.ask({
    url,
    isOperatorsWord: false,
    signal: limit.signal,
    timeoutMs,
    isAside: limit.isAside,
  });
  if (reply.state !== "found" || isOfDomain(reply.object, registration.domain) !== true) return null;
  const answer = readRdapDomain(registration.domain, reply.object);
  return answer && { registration: answer, server: hostOf(reply.url) };
}

async function askWhois(
  name: string,
  { whois, clock }: Sources,
  limit: Limit,
  { reason, detail, rdapStatus }: Fallback,
): Promise<RegistryLookup<DomainRegistration>> {
  const deadlineMs = clock.monotonicMs() + limit.remainingMs();
  const answer = await whois(name, { signal: limit.signal, deadlineMs });
  const rdap: Partial<Provenance> = { rdap_status: rdapStatus, fallback_reason: reason };
  if (answer.state === "unavailable") {
    const message = `RDAP: ${detail}. ${whoisText(answer)}`;
    return failedLookup(answer.reason === "timeout" ? "timeout" : reason, message, rdap);
  }
  const { registration, server, registrarServer } = answer.value;
  const provenance = { ...rdap, server, registrar_server: registrarServer };
  return registryLookup(registration, { source: "whois", fetchedAt: clock.now(), provenance });
}

/** Which server failed is known only here: it may be IANA's, which was asked for the registry's. */
const whoisText = ({ upstream, detail }: { readonly upstream: string; readonly detail: string }): string =>
  upstream === "whois" ? `WHOIS: ${detail}` : `WHOIS (${upstream}): ${detail}`;
