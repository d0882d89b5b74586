import type { Consultation } from "../../engines/kind.ts";
import { isUnanswered } from "../../engines/report.ts";
import type { DomainDns } from "../../enrichment/dns-facts/domain-dns.ts";
import type { DomainEvidence } from "../../enrichment/domain-names/domain-facts.ts";
import type { RegistryEvidence } from "../../enrichment/domain-names/relation.ts";
import { ageOfConsultation, agesOfIp } from "../../risk/freshness.ts";
import { isStrongHit } from "../../risk/strength.ts";
import { icannDomainOf, parseDomain } from "../../targets/domain.ts";
import { type Ip, readIp } from "../../targets/ip.ts";
import { addressTarget } from "../address-target.ts";
import type { Deps } from "../deps.ts";
import { enginesFailure } from "../no-answer.ts";
import { defineProduct, type LookupContext } from "../product.ts";
import { verdictShape } from "../shapes.ts";
import { verdictOf } from "../views.ts";
import { reportDomain as reportWhois } from "../whois-lookup/report.ts";
import type { WhoisDomainReport } from "../whois-lookup/shape.ts";
import type { KnownHost } from "./dns-report.ts";
import { toFreeDomainReport } from "./free.ts";
import { type DomainReport, type DomainRequest, reportDomain } from "./report.ts";
import { DomainReportShape, DomainReputationInput, FreeDomainReport } from "./shape.ts";
import { renderDomainReport } from "./terminal.ts";

/** Reputation of a domain or a host below one: lists, DNS, registration, certificate, likeness, explained score. */
export const domainReputation = defineProduct({
  name: "domain-reputation",
  summary: "Check a domain",
  description:
    "Asks every blacklist engine about a domain or host name and adds its DNS and mail set-up, its registration, the " +
    "certificate that it shows and the brand that it imitates. Engines and parts that did not answer are named and never " +
    "counted as clean.",
  price: 1,
  halfAllowance: false,
  targetKind: "domain",
  input: DomainReputationInput,
  output: DomainReportShape,
  verdict: {
    output: verdictShape("DomainVerdict", "domain"),
    of: (report) => verdictOf({ domain: report.domain }, report),
  },
  deadlineMs: 12_000,
  field: "domain",
  parse: ({ domain }): DomainRequest => ({ domain: parseDomain(domain), input: domain }),
  textOf: ({ domain }) => domain.name,
  lookup: gatherDomain,
  isCharged: ({ blacklists }) => !isUnanswered(blacklists),
  failureOf: ({ blacklists }) => enginesFailure(blacklists.consultation.absences),
  judged: (report) => ({ score: report.risk_score, consultation: report.blacklists.consultation }),
  bulk: { field: "domains", item: "domain", concurrency: 16, deadlineMs: 60_000 },
  free: {
    path: "/api/free/domain-check",
    summary: "Check a domain, reduced and without an account",
    output: FreeDomainReport,
    reduce: toFreeDomainReport,
  },
  cli: { word: "domain", render: renderDomainReport },
  page: {
    name: "Domain reputation",
    takes: ["domain"],
    form: { label: "Domain name", example: "example.com" },
    tool: {
      tab: "Domain",
      title: "Domain check",
      lead: "Which blacklists name a domain or host, how old it is, and its risk score.",
      label: "Domain or host name",
      example: "example.com",
      full: "DNS and mail security, registration, certificate, what it imitates, and the points behind the score",
    },
    isWholePublic: true,
  },
  example: { domain: "example.com" },
});

/** Lists answer within this; what is slower is a part of its own. */
const ENGINES_MS = 5000;
const TLS_MS = 5000;
const MAX_HOSTS = 100;

async function gatherDomain(
  target: DomainRequest,
  deps: Deps,
  context: LookupContext,
): Promise<DomainReport> {
  const { clock, engines, tlsLook, domainDns, domainFacts, records } = deps;
  const startedMs = clock.monotonicMs();
  const { name, registeredDomain } = target.domain;
  const enginesEnd = Math.min(context.deadlineMs, startedMs + ENGINES_MS);
  const [consultation, [dns, hosts], whois, tls, vendor] = await Promise.all([
    engines.consult({ kind: "domain", name, registeredDomain }, { ...context, deadlineMs: enginesEnd }),
    domainDns
      .gather(target.domain, context)
      .then(async (found) => [found, await describeHosts(found, deps, context)] as const),
    lookUpRegistration(target, deps, context),
    tlsLook({ host: name, timeoutMs: TLS_MS, signal: context.signal }),
    records === null ? null : records.find(name),
  ]);
  const judged = domainFacts.judge(target.domain, {
    ageDays: whois.domain_age_days,
    ...addressesOf(dns),
    nameServers: dns.nameServers,
    isForSale: null,
    registry: whois.lookup_status === "ok" ? registryOf(whois) : null,
  });
  const computedAt = clock.now();
  return reportDomain({
    target,
    consultation,
    dns,
    hosts: hosts.map(({ host, asked }) => ({
      ...host,
      hasStrongHit: asked.verdicts.some((one) => one.detected && isStrongHit(one, computedAt)),
    })),
    hostAges: hosts.flatMap(({ host, asked }) => [...agesOfIp(host.place.ages), ageOfConsultation(asked)]),
    whois,
    tls,
    judged,
    vendor,
    computedAt,
    elapsedMs: clock.monotonicMs() - startedMs,
  });
}

const registryOf = (whois: WhoisDomainReport): RegistryEvidence => ({
  registrar: whois.registrar,
  registrant: whois.registrant_organization ?? whois.registrant_name,
  nameServers: whois.name_servers,
});

function addressesOf(dns: DomainDns): Pick<DomainEvidence, "addresses" | "silent"> {
  const silent = FAMILIES.flatMap(([type, version]) => (dns.errors.has(type) ? [version] : []));
  if (silent.length === FAMILIES.length) return { addresses: null, silent };
  return { addresses: [...dns.a, ...dns.aaaa].flatMap(({ address }) => readIp(address) ?? []), silent };
}

const FAMILIES = [
  ["A", "v4"],
  ["AAAA", "v6"],
] as const;

async function lookUpRegistration(
  { domain }: DomainRequest,
  { registrations, dnssec, domainFacts, clock }: Deps,
  context: LookupContext,
): Promise<WhoisDomainReport> {
  const startedMs = clock.monotonicMs();
  const registeredDomain = icannDomainOf(domain.name);
  const name = registeredDomain ?? domain.name;
  const [lookup, check] = await Promise.all([
    registrations.domain(name, context),
    dnssec.statusOf(name, context),
  ]);
  const gathered = {
    computedAt: clock.now(),
    elapsedMs: clock.monotonicMs() - startedMs,
    isFreeMailbox: (text: string) => domainFacts.flagsOf(text).has("free_mail"),
  };
  return reportWhois(
    // Asked by its normalised name, however the target was spelt.
    { kind: "domain", input: domain.name, query: domain.name, domain, registeredDomain },
    lookup,
    check,
    gathered,
  );
}

type AskedHost = { readonly host: Omit<KnownHost, "hasStrongHit">; readonly asked: Consultation };

/** The addresses behind a domain with their networks, and what the engines say of each; each address is asked once. */
async function describeHosts(
  dns: DomainDns,
  { engines, ipEnrichment, clock }: Pick<Deps, "engines" | "ipEnrichment" | "clock">,
  context: LookupContext,
): Promise<readonly AskedHost[]> {
  const deadlineMs = Math.min(context.deadlineMs, clock.monotonicMs() + ENGINES_MS);
  const asked = new Map<string, Promise<Consultation> | Consultation>();
  const consult = (ip: Ip): Promise<Consultation> | Consultation => {
    const time = { signal: context.signal, deadlineMs };
    const known = asked.get(ip.text) ?? engines.consult(addressTarget(ip, { ipEnrichment }), time);
    asked.set(ip.text, known);
    return known;
  };
  const shown = dns.hosts.slice(0, MAX_HOSTS);
  const found = await Promise.all(
    shown.map(async (host) => {
      const ip = readIp(host.ip);
      if (ip === null) return [];
      const consultation = await consult(ip);
      const detections = consultation.verdicts.filter(({ detected }) => detected).length;
      return [{ host: { ...host, place: ipEnrichment.describe(ip), detections }, asked: consultation }];
    }),
  );
  return found.flat();
}
