import type { Clock } from "../../base/clock.ts";
import { DAY_S } from "../../base/durations.ts";
import { type Answer, answered, unavailable } from "../../base/failure.ts";
import { createAnswerCache } from "../../net/dns/answer-cache.ts";
import { serverText, WHOIS_PORT, type Whois, type WhoisServer } from "../../net/whois/whois.ts";
import type { LegacyCharset } from "../../net/whois/whois-charset.ts";
import { completeRegistration, hasGaps } from "../complete.ts";
import type { WhoisFinding, WhoisLookup } from "../outcome.ts";
import type { DomainRegistration } from "../types.ts";
import { createEase, type Ease } from "./ease.ts";
import { parseWhois } from "./parse-whois.ts";
import { isSame, type KnownServer, tldOf, type WhoisServers } from "./servers.ts";
import { shapeOf } from "./shapes.ts";

export type WhoisLookupParts = {
  readonly whois: Whois;
  readonly servers: WhoisServers;
  readonly clock: Clock;
  /** Knows the servers of all TLDs; default: IANA's. */
  readonly rootServer?: KnownServer;
};

type Context = Parameters<WhoisLookup>[1];
type Asking = WhoisLookupParts & { readonly ease: Ease; readonly rootOf: RootReferral };
type RootReferral = (domain: string) => Promise<Answer<KnownServer | null>>;

const IANA: KnownServer = { server: { host: "whois.iana.org", port: WHOIS_PORT }, isOperatorsWord: false };
/** One server's share of the time; a silent registrar does not hold back what the registry said. */
const SERVER_MS = 5000;
const REGISTRAR_MS = 4000;
const MAX_TLDS = 2000;

/**
 * WHOIS of a domain: the registry's server (`whois.servers`, the bundled table, IANA's referral), then at most one
 * referral to the registrar's, which fills gaps. An answer that is neither a record of this domain nor a known word about
 * it is `unavailable`, as is a refusal; a server that refused is left alone for the time that it names, else for a minute.
 * Source: design 10, security P23.
 */
export function createWhoisLookup(parts: WhoisLookupParts): WhoisLookup {
  const asking = { ...parts, ease: createEase(parts.clock), rootOf: createRootReferral(parts) };
  return (name, context) => lookUp(name, asking, context);
}

async function lookUp(name: string, asking: Asking, context: Context): Promise<Answer<WhoisFinding>> {
  const known = asking.servers.of(name);
  const found = known === null ? await asking.rootOf(name) : answered(known);
  if (found.state === "unavailable") return found;
  const registry = found.value;
  if (registry === null) return unavailable("whois", "error", `No WHOIS server is known for .${tldOf(name)}`);
  const registration = await ask(name, registry, asking, {
    ...context,
    shareMs: SERVER_MS,
    charsets: shapeOf(name).charsets ?? [],
  });
  if (registration.state === "unavailable") return registration;
  const completed = await complete(registration.value, registry.server, asking, context);
  return answered({ ...completed, server: serverText(registry.server) });
}

type Share = Context & { readonly shareMs: number; readonly charsets: readonly LegacyCharset[] };

async function ask(
  name: string,
  { server, isOperatorsWord }: KnownServer,
  { whois, clock, ease }: Asking,
  { signal, deadlineMs, shareMs, charsets }: Share,
): Promise<Answer<DomainRegistration>> {
  const upstream = serverText(server);
  if (ease.isLeftAlone(upstream))
    return unavailable(upstream, "refused", "The server refused questions just now");
  const timeoutMs = Math.min(shareMs, deadlineMs - clock.monotonicMs());
  if (timeoutMs <= 0) return unavailable(upstream, "timeout", "No time is left to ask the server");
  const answer = await whois.query({ server, question: name, isOperatorsWord, timeoutMs, signal, charsets });
  if (answer.state === "unavailable") return answer;
  const reading = parseWhois(answer.value, name, server.host);
  switch (reading.state) {
    case "read":
      return answered(reading.registration);
    case "refused":
      ease.leaveAlone(upstream, reading.restSeconds);
      return unavailable(upstream, "refused", "The server refuses to answer now");
    case "unreadable":
      return unavailable(upstream, "error", "The answer is not a record of this domain");
    default:
      return reading satisfies never;
  }
}

type Completed = Omit<WhoisFinding, "server">;

/** The registry's answer with the registrar's in its gaps; what goes wrong on the way leaves it as it is. */
async function complete(
  registration: DomainRegistration,
  registry: WhoisServer,
  asking: Asking,
  context: Context,
): Promise<Completed> {
  const incomplete = { registration, registrarServer: null };
  if (registration.referral === null || !hasGaps(registration)) return incomplete;
  const registrar = asking.servers.referred(registration.referral);
  if (registrar === null || isSame(registrar.server, registry)) return incomplete;
  const answer = await ask(registration.domain, registrar, asking, {
    ...context,
    shareMs: REGISTRAR_MS,
    charsets: [], // the registry's are not the registrar's
  });
  // A registrar that knows nothing of the domain says nothing about the registry's record.
  if (answer.state === "unavailable" || answer.value.registered !== true) return incomplete;
  return {
    registration: completeRegistration(registration, answer.value),
    registrarServer: serverText(registrar.server),
  };
}

/** The server that IANA names for a TLD, kept for a day; null: it names none. */
function createRootReferral({ whois, clock, servers, rootServer = IANA }: WhoisLookupParts): RootReferral {
  const kept = createAnswerCache<Answer<KnownServer | null>>(clock, MAX_TLDS);
  const askRoot = async (tld: string) => {
    const { signal } = new AbortController(); // a caller who leaves does not end what others wait for
    const answer = await whois.query({ ...rootServer, question: tld, timeoutMs: SERVER_MS, signal });
    if (answer.state === "unavailable") return { value: answer, ttlS: 0 };
    const text = /^(?:refer|whois):[ \t]{0,80}(\S{1,253})/im.exec(answer.value)?.[1];
    const isAnswer = text !== undefined || /^domain:/im.test(answer.value);
    if (!isAnswer) {
      const none = unavailable(serverText(rootServer.server), "error", "IANA's answer names no TLD");
      return { value: none, ttlS: 0 };
    }
    return { value: answered(text === undefined ? null : servers.referred(text)), ttlS: DAY_S };
  };
  return async (domain) => {
    const tld = tldOf(domain);
    return kept.peek(tld) ?? kept.ask(tld, () => askRoot(tld));
  };
}
