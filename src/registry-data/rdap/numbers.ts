import type { NumberRegistration, RegionalRegistry } from "../types.ts";
import { registryOfHost } from "./bootstrap-table.ts";
import { countryOf } from "./card.ts";
import { datesOf, linksOf, remarksOf, termsOf } from "./common.ts";
import { abuseContactOf, allEmails, contactsOf, readEntities } from "./entities.ts";
import { abuseMailboxInText, holderOf } from "./holder.ts";
import { type Json, sortedUnique, textOf, textsOf } from "./json.ts";

/** Statuses of a number without a holder (RFC 9083 10.2.2 and registries' own). */
const NOBODYS = /^(?:un|not[ -]?)(?:allocated|assigned|delegated)$|^(?:available|reserved|free)$/;

/** What networks and AS numbers have in common in RDAP. `askedUrl` is of the server that answered. */
export function readNumberObject(object: Json, askedUrl: string): NumberRegistration {
  const entities = readEntities(object);
  const holder = holderOf(object, entities);
  const abuse = abuseContactOf(entities);
  const dates = datesOf(object);
  const statuses = sortedUnique(textsOf(object, "status").map((status) => status.toLowerCase()));
  return {
    registered: !statuses.some((status) => NOBODYS.test(status)),
    handle: textOf(object, "handle"),
    organization: holder.name,
    country: countryOf(textOf(object, "country")) ?? holder.country,
    registry: registryOf(object, askedUrl),
    abuseEmail: abuse.email ?? abuseMailboxInText(object, entities),
    abusePhone: abuse.phone,
    registrationDate: dates.registration,
    updatedDate: dates.lastChanged,
    termsOfServiceUrl: termsOf(object),
    emails: allEmails(object, entities),
    statuses,
    contacts: contactsOf(entities),
    remarks: remarksOf(object),
  };
}

/** By the WHOIS server it names, else by its links to itself, else by who was asked. */
function registryOf(object: Json, askedUrl: string): RegionalRegistry | null {
  const port43 = textOf(object, "port43");
  const own = linksOf(object).filter(({ rel }) => rel === "self" || rel === "");
  const hosts = [port43, ...own.map(({ href }) => hostOf(href)), hostOf(askedUrl)];
  for (const host of hosts) {
    const registry = host === null ? null : registryOfHost(host);
    if (registry !== null) return registry;
  }
  return null;
}

const hostOf = (url: string): string | null => URL.parse(url)?.hostname ?? null;
