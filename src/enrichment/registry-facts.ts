import type { Clock } from "../clock.ts";
import { keepText } from "../json.ts";
import { ageOf } from "../registration/ages.ts";
import type { Registrations } from "../registration/lookup.ts";
import type { Lookup } from "../registration/outcome.ts";
import type { AsnRegistration, IpRegistration, RegionalRegistry } from "../registration/registration.ts";
import { readCidr } from "../targets/cidr.ts";
import type { Ip } from "../targets/ip.ts";
import type { AsnFacts, IpFacts } from "./facts.ts";
import { type Fields, fieldsWithout } from "./unknown-fields.ts";

/** What registries said of an address's network and origin; null where nobody was asked. */
export type RegistryAnswers = {
  readonly network: Lookup<IpRegistration> | null;
  readonly system: Lookup<AsnRegistration> | null;
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
  ip: Ip,
  asn: number | null,
  { signal, deadlineMs }: { signal: AbortSignal; deadlineMs: number },
): RegistryAnswers | Promise<RegistryAnswers> {
  const context = {
    signal,
    deadlineMs: Math.min(deadlineMs, clock.monotonicMs() + MAX_WAIT_MS),
    isAside: true,
  };
  const cidr = readCidr(ip.text);
  const network = cidr && registrations.ip(cidr, context);
  const system = asn === null ? null : registrations.asn(asn, context);
  const registry = asn === null ? null : registrations.registryOfAsn(asn);
  if (!(network instanceof Promise || system instanceof Promise)) return { network, system, registry };
  return Promise.all([network, system]).then(([ofNetwork, ofSystem]) => ({
    network: ofNetwork,
    system: ofSystem,
    registry,
  }));
}

/** The facts with what only registries know filled in; what the tables say stays. */
export function withRegistries(facts: IpFacts, answers: RegistryAnswers, now: Date): IpFacts {
  const asn = withSystem(facts.asn, answers, now);
  // Holder of the network: the origin's organisation, else the registry's (design 5.2).
  const isp = asn.org === "" ? (answers.network?.registration?.organization ?? "") : asn.org;
  const lookups = [answers.network, answers.system].filter((lookup) => lookup !== null);
  return {
    ...facts,
    information: isp === facts.information.isp ? facts.information : { ...facts.information, isp },
    asn,
    unknownFields: stillUnknown(facts.unknownFields, asn, answers),
    dataAgeS: oldest([facts.dataAgeS, ...lookups.map(({ fetchedAt }) => ageS(fetchedAt, now))]),
    stale: facts.stale || lookups.some(({ stale }) => stale),
    cached: facts.cached || lookups.some(({ cached, status }) => cached && status !== "error"),
  };
}

const ageS = (fetchedAt: Date | null, now: Date): number | null =>
  fetchedAt === null ? null : Math.max(0, Math.floor((now.getTime() - fetchedAt.getTime()) / 1000));

function oldest(ages: readonly (number | null)[]): number | null {
  const known = ages.filter((age) => age !== null);
  return known.length === 0 ? null : Math.max(...known);
}

function withSystem(facts: AsnFacts, answers: RegistryAnswers, now: Date): AsnFacts {
  if (!answers.system?.registration && !answers.network?.registration) {
    return withRegistry(facts, answers.registry);
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
    country_code: codeOf(system?.country ?? null),
    created: dayOf(created),
    days_since_created: daysSince(created, now),
    updated: dayOf(updated),
    days_since_updated: daysSince(updated, now),
    address: addressOf(system),
    abuse_email: network?.abuseEmail ?? system?.abuseEmail ?? "",
    rir: registry?.toUpperCase() ?? "",
  };
}

const ofRegistry = new WeakMap<AsnFacts, { readonly rir: string; readonly facts: AsnFacts }>();

/** Nobody told more than the ranges of AS numbers: the same for all addresses of the system. */
function withRegistry(facts: AsnFacts, registry: RegionalRegistry | null): AsnFacts {
  const rir = registry?.toUpperCase() ?? "";
  const known = ofRegistry.get(facts);
  if (known?.rir === rir) return known.facts;
  const made = keepText({ ...facts, rir });
  ofRegistry.set(facts, { rir, facts: made });
  return made;
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
  const isAnswered = (lookup: Lookup<unknown> | null) => lookup !== null && lookup.status !== "error";
  if (isAnswered(answers.system)) answered.push(SYSTEM_FIELDS);
  if (facts.rir !== "") answered.push(RIR_FIELD);
  const isAsked = isAnswered(answers.network) && (answers.system === null || isAnswered(answers.system));
  if (facts.abuse_email !== "" || isAsked) answered.push(ABUSE_FIELD);
  if (isAnswered(answers.network)) answered.push(ISP_FIELD);
  return fieldsWithout(unknown, answered);
}
