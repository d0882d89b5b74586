import type { Wire } from "../../base/wire.ts";
import type { Consultation } from "../../engines/kind.ts";
import { lookUpDmarc } from "../../enrichment/dns-facts/mail-policy/dmarc.ts";
import type { Dmarc, Spf } from "../../enrichment/dns-facts/mail-policy/shapes.ts";
import { lookUpSpf } from "../../enrichment/dns-facts/mail-policy/spf.ts";
import { lookUpNamedHosts } from "../../enrichment/dns-facts/named-hosts.ts";
import type { RecordOf } from "../../enrichment/dns-facts/records.ts";
import { isAnswered, type Resolved } from "../../enrichment/dns-facts/resolve.ts";
import type { RegistryEvidence } from "../../enrichment/domain-names/relation.ts";
import type { SourceAge } from "../../enrichment/facts.ts";
import { ageOf } from "../../registry-data/ages.ts";
import type { DomainRegistration } from "../../registry-data/types.ts";
import { ageOfConsultation, ageOfLookup, type PartAge } from "../../risk/freshness.ts";
import { type Domain, icannDomainOf } from "../../targets/domain.ts";
import { readIp } from "../../targets/ip.ts";
import { addressTarget } from "../address-target.ts";
import type { Deps } from "../deps.ts";
import type { LookupContext } from "../product.ts";
import type { EmailReportShape } from "./shape.ts";

export type MxStatus = NonNullable<Wire<typeof EmailReportShape>["mx_status"]>;

type MailHost = Wire<typeof EmailReportShape>["mx_hosts"][number] & {
  /** False where DNS was not asked or did not answer for its addresses, or the engines were not asked about all. */
  readonly isKnown: boolean;
};

/** How a domain takes mail. */
export type MailSetup = {
  readonly status: MxStatus;
  readonly hosts: readonly MailHost[];
  readonly spf: Spf;
  readonly dmarc: Dmarc;
  /** Of what the engines say of the hosts. */
  readonly ages: readonly PartAge[];
};

/** Addresses that are shown of one mail host, and that the engines are asked about for all of them. */
const MAX_IPS = 100;

/** MX, SPF and DMARC of a domain, its mail hosts with their addresses and what the engines say of these. */
export async function lookUpMail(domain: Domain, deps: Deps, context: LookupContext): Promise<MailSetup> {
  const { dnsRecords } = deps;
  const { name } = domain;
  const [mx, txt, dmarc] = await Promise.all([
    dnsRecords.resolve(name, "MX", context),
    dnsRecords.resolve(name, "TXT", context),
    lookUpDmarc(domain, deps, context),
  ]);
  const [spf, status, mail] = await Promise.all([
    lookUpSpf({ name, found: txt }, deps, context),
    mxStatusOf(name, mx, deps, context),
    describeHosts(mx.records, deps, context),
  ]);
  const hasNoAddress = mail.hosts.every(({ ips, isKnown }) => isKnown && ips.length === 0);
  return { status: status === "ok" && hasNoAddress ? "none" : status, ...mail, spf, dmarc };
}

/** Who takes mail for a domain: the hosts that may have an address, without any the domain itself (RFC 5321, 5.1). */
export const mailHostsOf = (
  domain: string,
  { status, hosts }: Pick<MailSetup, "status" | "hosts">,
): readonly string[] =>
  status === "implicit_a"
    ? [domain]
    : hosts.filter(({ ips, isKnown }) => ips.length > 0 || !isKnown).map(({ host }) => host);

/** Without an MX record the name's own address takes mail (RFC 5321, 5.1). */
async function mxStatusOf(
  name: string,
  mx: Resolved<"MX">,
  { dnsRecords }: Pick<Deps, "dnsRecords">,
  context: LookupContext,
): Promise<MxStatus> {
  if (mx.outcome === "nxdomain") return "nxdomain";
  if (!isAnswered(mx)) return mx.outcome === "timeout" ? "timeout" : "error";
  if (mx.records.some(({ exchange }) => exchange !== ".")) return "ok";
  if (mx.records.length > 0) return "null_mx";
  const addresses = await Promise.all([
    dnsRecords.resolve(name, "A", context),
    dnsRecords.resolve(name, "AAAA", context),
  ]);
  if (addresses.some(({ records }) => records.length > 0)) return "implicit_a";
  if (addresses.every(isAnswered)) return "none";
  return addresses.some(({ outcome }) => outcome === "timeout") ? "timeout" : "error";
}

/** Every mail host of the records, in their order; each name and each address is asked once. */
async function describeHosts(
  records: readonly RecordOf<"MX">[],
  deps: Deps,
  context: LookupContext,
): Promise<Pick<MailSetup, "hosts" | "ages">> {
  const priorities = new Map<string, number>();
  for (const { exchange, priority } of records) {
    if (exchange !== "." && !priorities.has(exchange)) priorities.set(exchange, priority);
  }
  const found = await lookUpNamedHosts([...priorities.keys()], deps, context);
  const addresses = [...new Set(found.flatMap(({ ips }) => ips))].slice(0, MAX_IPS);
  const consultations = new Map(
    await Promise.all(addresses.map(async (ip) => [ip, await consultIp(ip, deps, context)] as const)),
  );
  const hosts = found.map(({ name, ips, isKnown }) => ({
    host: name,
    priority: priorities.get(name) ?? 0,
    ips: ips.slice(0, MAX_IPS),
    detections: new Set(ips.flatMap((ip) => enginesNaming(consultations.get(ip)))).size,
    isKnown: isKnown && ips.every((ip) => consultations.has(ip)),
  }));
  return { hosts, ages: [...consultations.values()].map(ageOfConsultation) };
}

const enginesNaming = (consultation: Consultation | undefined): readonly string[] =>
  (consultation?.verdicts ?? []).flatMap(({ detected, engine }) => (detected ? [engine.key] : []));

function consultIp(text: string, deps: Deps, context: LookupContext): Promise<Consultation> | Consultation {
  const ip = readIp(text);
  if (ip === null) throw new Error(`A resolver gave "${text}" as an address`);
  return deps.engines.consult(addressTarget(ip, deps), context);
}

const REGISTRY_MS = 3000;

/** How long ago a domain was registered. */
export type DomainAge = {
  /** Whole days; null when the registry says nothing in time. */
  readonly ageDays: number | null;
  /** What else tells whose domain it is; null when the registry says nothing in time. */
  readonly registry: RegistryEvidence | null;
  /** Of the registry's answer. */
  readonly age: SourceAge;
};

/** The age and the holder of the domain that a registry sold, by the registry's answer or a kept one. */
export async function lookUpDomainAge(
  { name }: Domain,
  { registrations, clock }: Pick<Deps, "registrations" | "clock">,
  context: LookupContext,
): Promise<DomainAge> {
  const deadlineMs = Math.min(context.deadlineMs, clock.monotonicMs() + REGISTRY_MS);
  const lookup = await registrations.domain(icannDomainOf(name) ?? name, {
    ...context,
    deadlineMs,
    isAside: true,
  });
  const { registration } = lookup;
  const created = registration?.creationDate ?? null;
  const now = clock.now();
  return {
    ageDays: created === null ? null : ageOf(created, now).days,
    registry: registration === null ? null : registryOf(registration),
    age: ageOfLookup(lookup, now),
  };
}

const registryOf = ({ registrar, registrant, nameServers }: DomainRegistration): RegistryEvidence => ({
  registrar: registrar.name,
  registrant: registrant.organization ?? registrant.name,
  nameServers,
});
