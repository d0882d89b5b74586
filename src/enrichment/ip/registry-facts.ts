import { ageSeconds, type Clock } from "../../base/clock.ts";
import { ageOf } from "../../registry-data/ages.ts";
import type { Registrations } from "../../registry-data/lookup.ts";
import type { RegistryLookup } from "../../registry-data/outcome.ts";
import type { AsnRegistration, IpRegistration, RegionalRegistry } from "../../registry-data/types.ts";
import type { Cidr } from "../../targets/cidr.ts";
import type { AsnFacts, IpFacts, SourceAge } from "../facts.ts";
import { type Fields, fieldsWithout } from "../unknown-fields.ts";

/** What registries said of an address's network and origin; null where no registry was asked. */
export type RegistryAnswers = {
  readonly network: RegistryLookup<IpRegistration> | null;
  readonly system: RegistryLookup<AsnRegistration> | null;
  /** By the ranges of AS numbers, which are in memory. */
  readonly registry: RegionalRegistry | null;
};

/** Design 5.3. */
const MAX_WAIT_MS = 1500;

/**
 * Asks about the network and the origin at the same time; waits 1500 ms at most, the questions go on for the cache.
 * What is known is given at once.
 */
export function askRegistries(
  {
    registrations,
    clock,
  }: { registrations: Pick<Registrations, "ip" | "asn" | "registryOfAsn">; clock: Clock },
  network: Cidr,
  asn: number | null,
  { signal, deadlineMs }: { signal: AbortSignal; deadlineMs: number },
): RegistryAnswers | Promise<RegistryAnswers> {
  const context = {
    signal,
    deadlineMs: Math.min(deadlineMs, clock.monotonicMs() + MAX_WAIT_MS),
    isAside: true,
  };
  const holder = registrations.ip(network, context);
  const system = asn === null ? null : registrations.asn(asn, context);
  const registry = asn === null ? null : registrations.registryOfAsn(asn);
  if (!(holder instanceof Promise || system instanceof Promise)) return { network: holder, system, registry };
  return Promise.all([holder, system]).then(([ofNetwork, ofSystem]) => ({
    network: ofNetwork,
    system: ofSystem,
    registry,
  }));
}

/** What is said of an address, without its age. */
export type SaidOfIp = Pick<IpFacts, "information" | "asn" | "anonymity" | "unknownFields">;

/** The facts with what only registries know filled in; what the tables say stays. */
export function withRegistries(said: SaidOfIp, answers: RegistryAnswers, now: Date): SaidOfIp {
  const asn = withSystem(said.asn, answers, now);
  // Holder of the network: the origin's organisation, else the registry's (design 5.2).
  const isp = asn.org === "" ? (answers.network?.registration?.organization ?? "") : asn.org;
  return {
    information: isp === said.information.isp ? said.information : { ...said.information, isp },
    asn,
    anonymity: said.anonymity,
    unknownFields: stillUnknown(said.unknownFields, asn, answers),
  };
}

/** The oldest of what registries answered; null: none was asked. */
export function ageOfRegistries(answers: RegistryAnswers | null, now: Date): SourceAge {
  let { dataAgeS, stale, cached }: SourceAge = { dataAgeS: null, stale: false, cached: false };
  for (const lookup of [answers?.network, answers?.system]) {
    if (lookup == null) continue;
    const ofLookup = ageS(lookup.fetchedAt, now);
    if (ofLookup !== null && ofLookup > (dataAgeS ?? -1)) dataAgeS = ofLookup;
    stale ||= lookup.stale;
    cached ||= lookup.cached && lookup.status !== "error";
  }
  return { dataAgeS, stale, cached };
}

/** Whether two answers of the registries say the same, however old they are. */
export const isSameAnswer = (a: RegistryAnswers | null, b: RegistryAnswers | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.registry === b.registry &&
    isSameLookup(a.network, b.network) &&
    isSameLookup(a.system, b.system));

const isSameLookup = (a: RegistryLookup<unknown> | null, b: RegistryLookup<unknown> | null): boolean =>
  a === b || (a !== null && b !== null && a.status === b.status && a.registration === b.registration);

const ageS = (fetchedAt: Date | null, now: Date): number | null =>
  fetchedAt === null ? null : ageSeconds(fetchedAt.getTime(), now.getTime());

function withSystem(facts: AsnFacts, answers: RegistryAnswers, now: Date): AsnFacts {
  if (!answers.system?.registration && !answers.network?.registration) {
    return { ...facts, rir: answers.registry?.toUpperCase() ?? "" };
  }
  const system = answers.system?.registration ?? null;
  const network = answers.network?.registration ?? null;
  const created = system?.registrationDate ?? null;
  const updated = system?.updatedDate ?? null;
  const registry = system?.registry ?? answers.registry ?? network?.registry ?? null;
  return {
    ...facts,
    asname: system?.asnName ?? facts.asname,
    org: facts.org === "" ? (system?.organization ?? "") : facts.org,
    country_code: codeOf(system?.country ?? null) || facts.country_code,
    created: dayOf(created),
    days_since_created: daysSince(created, now),
    updated: dayOf(updated),
    days_since_updated: daysSince(updated, now),
    address: addressOf(system),
    abuse_email: network?.abuseEmail ?? system?.abuseEmail ?? "",
    rir: registry?.toUpperCase() ?? "",
  };
}

const codeOf = (country: string | null): string =>
  country !== null && /^[A-Z]{2}$/.test(country) ? country : "";

const dayOf = (instant: string | null): string => instant?.slice(0, 10) ?? "";

const daysSince = (instant: string | null, now: Date): number =>
  instant === null ? 0 : ageOf(instant, now).days;

const addressOf = (system: AsnRegistration | null): string =>
  system?.contacts.find(({ roles, address }) => roles.includes("registrant") && address !== null)?.address ??
  "";

/** Fields that the registration of the AS number tells. */
const SYSTEM_FIELDS = [
  "asn.address",
  "asn.asname",
  "asn.country_code",
  "asn.created",
  "asn.days_since_created",
  "asn.days_since_updated",
  "asn.org",
  "asn.rir",
  "asn.updated",
];
const RIR_FIELD = ["asn.rir"];
const ABUSE_FIELD = ["asn.abuse_email"];
const ISP_FIELD = ["information.isp"];

/** The unknown fields without those that a registry answered: an answer without the fact is an answer (design 1). */
function stillUnknown(
  unknown: readonly string[],
  facts: AsnFacts,
  answers: RegistryAnswers,
): readonly string[] {
  const answered: Fields[] = [];
  const isAnswered = (lookup: RegistryLookup<unknown> | null) => lookup !== null && lookup.status !== "error";
  if (isAnswered(answers.system)) answered.push(SYSTEM_FIELDS);
  if (facts.rir !== "") answered.push(RIR_FIELD);
  const isAsked = isAnswered(answers.network) && (answers.system === null || isAnswered(answers.system));
  if (facts.abuse_email !== "" || isAsked) answered.push(ABUSE_FIELD);
  if (isAnswered(answers.network)) answered.push(ISP_FIELD);
  return fieldsWithout(unknown, answered);
}
