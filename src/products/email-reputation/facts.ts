import type { Deps } from "../../deps.ts";
import type { Consultation } from "../../engines/kind.ts";
import { type Dmarc, lookUpDmarc } from "../../enrichment/dns/mail-policy/dmarc.ts";
import { lookUpSpf, type Spf } from "../../enrichment/dns/mail-policy/spf.ts";
import { isAnswered, type Resolved } from "../../enrichment/dns/resolve.ts";
import { ageOf } from "../../registration/ages.ts";
import { ageOfConsultation, ageOfLookup, type SourceAge } from "../../risk/freshness.ts";
import { type Domain, icannDomainOf } from "../../targets/domain.ts";
import { readIp } from "../../targets/ip.ts";
import { specialPurposeOf } from "../../targets/special-purpose.ts";
import type { LookupContext } from "../product.ts";

export type MxStatus = "ok" | "none" | "null_mx" | "implicit_a" | "nxdomain" | "timeout" | "error";

export type MailHost = {
  readonly host: string;
  readonly priority: number;
  readonly ips: readonly string[];
  readonly detections: number;
};

/** How a domain takes mail. */
export type MailSetup = {
  readonly status: MxStatus;
  readonly hosts: readonly MailHost[];
  readonly spf: Spf;
  readonly dmarc: Dmarc;
  /** Of what the engines say of the hosts. */
  readonly ages: readonly SourceAge[];
};

const MAX_HOSTS = 5;

/** MX, SPF and DMARC of a domain, its mail hosts with their addresses and what the engines say of these. */
export async function lookUpMail(domain: Domain, deps: Deps, context: LookupContext): Promise<MailSetup> {
  const { dnsRecords } = deps;
  const { name } = domain;
  const [mx, txt, dmarc] = await Promise.all([
    dnsRecords.resolve(name, "MX", context),
    dnsRecords.resolve(name, "TXT", context),
    lookUpDmarc(domain, deps, context),
  ]);
  const records = mx.records.filter(({ exchange }) => exchange !== ".").slice(0, MAX_HOSTS);
  const [spf, status, described] = await Promise.all([
    lookUpSpf({ name, found: txt }, deps, context),
    mxStatusOf(name, mx, deps, context),
    Promise.all(records.map((record) => describeHost(record, deps, context))),
  ]);
  return {
    status,
    hosts: described.map(({ host }) => host),
    spf,
    dmarc,
    ages: described.flatMap(({ ages }) => ages),
  };
}

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
  return addresses.every(isAnswered) ? "none" : "error";
}

async function describeHost(
  { exchange, priority }: { readonly exchange: string; readonly priority: number },
  deps: Deps,
  context: LookupContext,
): Promise<{ readonly host: MailHost; readonly ages: readonly SourceAge[] }> {
  const found = await Promise.all([
    deps.dnsRecords.resolve(exchange, "A", context),
    deps.dnsRecords.resolve(exchange, "AAAA", context),
  ]);
  const ips = found.flatMap(({ records }) => records.map(({ address }) => address));
  const consultations = await Promise.all(ips.slice(0, MAX_HOSTS).map((ip) => consultIp(ip, deps, context)));
  const engines = consultations.flatMap((one) =>
    one.verdicts.flatMap(({ detected, engine }) => (detected ? [engine.key] : [])),
  );
  return {
    host: { host: exchange, priority, ips, detections: new Set(engines).size },
    ages: consultations.map(ageOfConsultation),
  };
}

function consultIp(
  text: string,
  { engines, ipEnrichment }: Deps,
  context: LookupContext,
): Promise<Consultation> {
  const ip = readIp(text);
  if (ip === null) throw new Error(`A resolver gave "${text}" as an address`);
  const special = specialPurposeOf(ip);
  const target = {
    kind: "ip",
    ip,
    embeddedIpv4: special?.embeddedIpv4 ?? null,
    asn: ipEnrichment.asnOf(ip),
    isBogon: special?.isBogon ?? false,
  } as const;
  return engines.consult(target, context);
}

const REGISTRY_MS = 3000;

/** How long ago a domain was registered. */
export type DomainAge = {
  /** Whole days; null when the registry says nothing in time. */
  readonly ageDays: number | null;
  /** Of the registry's answer. */
  readonly age: SourceAge;
};

/** The age of the domain that a registry sold, by the registry's answer or a kept one. */
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
  const created = lookup.registration?.creationDate ?? null;
  const now = clock.now();
  return { ageDays: created === null ? null : ageOf(created, now).days, age: ageOfLookup(lookup, now) };
}
