import { READ_WHOIS_BYTES } from "../../net/whois/whois.ts";
import { hostOf } from "../emails.ts";
import { judgeRegistrant } from "../privacy.ts";
import { eppStatuses } from "../statuses.ts";
import type { DomainRegistration, DsRecord, Registrar } from "../types.ts";
import { NO_REGISTRAR } from "../types.ts";
import { parseWhois } from "../whois/parse-whois.ts";
import { NO_VACANCY, STATUS_WORDS } from "../whois/verdict-patterns.ts";
import { datesOf, linksOf, termsOf } from "./common.ts";
import {
  abuseContactOf,
  allEmails,
  type Entity,
  emailsOf,
  entityOf,
  publicIdOf,
  readEntities,
  urlOf,
} from "./entities.ts";
import { flagOf, type Json, memberOf, naturalOf, objectsOf, sortedUnique, textOf, textsOf } from "./json.ts";
import { readRedacted } from "./redaction.ts";

/**
 * A domain object of RFC 9083 5.3 as what it says about the registration. Null when it is something else. Members of
 * the wrong shape count as absent.
 */
export function readRdapDomain(domain: string, object: Json): DomainRegistration | null {
  if (!isDomain(object)) return null;
  const entities = readEntities(object);
  const dates = datesOf(object);
  const secure = memberOf(object, "secureDNS");
  const dsRecords = dsRecordsOf(secure);
  const registrar = registrarOf(entities);
  const nameServers = nameServersOf(object);
  const statuses = eppStatuses(textsOf(object, "status"));
  const hasRegistrar = registrar.name !== null || entityOf(entities, "registrar")?.handle != null;
  const hasTraces = nameServers.length > 0 || hasRegistrar || dates.registration !== null;
  return {
    domain,
    registered: hasTraces || !textsOf(object, "status").some(saysVacant),
    registrar,
    creationDate: dates.registration,
    expirationDate: dates.expiration,
    updatedDate: dates.lastChanged,
    nameServers,
    statuses,
    emails: allEmails(object, entities),
    ...registrantOf(object, entities),
    dnssec: signingOf(flagOf(secure, "delegationSigned"), dsRecords),
    dsRecords,
    termsOfServiceUrl: termsOf(object),
    referral: registrarLinkOf(object),
  };
}

/** Whether a status says that the name has no holder, in place of the 404 of RFC 7480 5.3; most registries say so in their own words. */
const saysVacant = (status: string): boolean => {
  const plain = status.toLowerCase();
  if (plain === "blocked" || STATUS_WORDS.reserved.test(plain)) return true;
  // What is registered need not be in the zone, and is sold on markets too.
  return STATUS_WORDS.vacant.test(plain) && !plain.startsWith("not delegated") && !NO_VACANCY.test(plain);
};

/**
 * The words of a 404 (RFC 9083 6) where they tell that the name is reserved or blocked, or that the server refuses to say; null
 * where they tell no more.
 */
export function readRdapAbsence(domain: string, error: Json | null): DomainRegistration | "refused" | null {
  const words = [...textsOf(error, "description"), ...textsOf(error, "title")];
  // As much as WHOIS may say: what reads it is meant for that.
  const reading = parseWhois(words.join("\n").slice(0, READ_WHOIS_BYTES), domain);
  if (reading.state === "refused") return "refused";
  if (reading.state !== "read" || reading.registration.registered !== false) return null;
  return reading.registration.statuses.length > 0 ? reading.registration : null;
}

/** Registries that leave out the class still name the domain. */
function isDomain(object: Json): boolean {
  const kind = textOf(object, "objectClassName");
  if (kind !== null) return kind.toLowerCase() === "domain";
  return textOf(object, "ldhName") !== null || textOf(object, "unicodeName") !== null;
}

function registrarOf(entities: readonly Entity[]): Registrar {
  const registrar = entityOf(entities, "registrar");
  if (registrar === null) return NO_REGISTRAR;
  const own = abuseContactOf(registrar.entities);
  const abuse = own.email === null && own.phone === null ? abuseContactOf(entities) : own;
  return {
    name: registrar.card.name ?? registrar.card.organization ?? namingHandleOf(registrar),
    ianaId: ianaIdOf(registrar),
    url: urlOf(registrar),
    abuseEmail: abuse.email,
    abusePhone: abuse.phone,
  };
}

/** Some registries name registrars by their handle; a number there is a key of the registry's (often IANA's id) and no name. */
const namingHandleOf = ({ handle }: Entity): string | null =>
  handle !== null && /\p{L}/u.test(handle) ? handle : null;

const ianaIdOf = (registrar: Entity): string | null => {
  const id = publicIdOf(registrar, "IANA Registrar ID");
  return id !== null && /^\d{1,10}$/.test(id) ? id : null;
};

type RegistrantPart = Pick<DomainRegistration, "registrant" | "privacyProtected" | "redactedFields">;

function registrantOf(object: Json, entities: readonly Entity[]): RegistrantPart {
  const redacted = readRedacted(object);
  const entity = entityOf(entities, "registrant");
  const card = entity?.card;
  const judged = judgeRegistrant(
    {
      name: card?.name ?? null,
      organization: card?.organization ?? null,
      state: card?.state ?? null,
      country: card?.country ?? null,
      email: (card && emailsOf(card)[0]) ?? card?.emails[0] ?? null,
    },
    redacted.registrant,
  );
  // A value that is shown was replaced, not taken away: the member still says that it is not the registrant's own.
  return { ...judged, redactedFields: sortedUnique([...judged.redactedFields, ...redacted.others]) };
}

const MAX_NAME_SERVERS = 100;

const nameServersOf = (object: Json): readonly string[] =>
  sortedUnique(
    objectsOf(object, "nameservers")
      .slice(0, MAX_NAME_SERVERS)
      .map((server) => hostOf(textOf(server, "ldhName") ?? textOf(server, "unicodeName") ?? ""))
      .filter((host) => host !== null),
  );

const MAX_DS_RECORDS = 50;

function dsRecordsOf(secure: unknown): readonly DsRecord[] {
  return objectsOf(secure, "dsData")
    .slice(0, MAX_DS_RECORDS)
    .flatMap((ds): DsRecord[] => {
      const [keyTag, algorithm, digestType] = ["keyTag", "algorithm", "digestType"].map((name) =>
        naturalOf(ds, name),
      );
      const digest = textOf(ds, "digest")?.replace(/\s/g, "").toUpperCase() ?? "";
      const isWhole = keyTag != null && algorithm != null && digestType != null;
      return isWhole && /^[0-9A-F]{2,256}$/.test(digest) ? [{ keyTag, algorithm, digestType, digest }] : [];
    });
}

function signingOf(isSigned: boolean | null, records: readonly DsRecord[]): DomainRegistration["dnssec"] {
  if (isSigned === true || records.length > 0) return "signedDelegation";
  return isSigned === false ? "unsigned" : null;
}

/** The registrar's own answer about the same domain (RFC 9083 4.2; the gTLD profile's `related` link). */
function registrarLinkOf(object: Json): string | null {
  const link = linksOf(object).find(
    ({ rel, type, href }) => rel === "related" && (type.includes("json") || /\/domain\//i.test(href)),
  );
  return link?.href ?? null;
}
