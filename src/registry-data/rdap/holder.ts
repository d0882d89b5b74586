import { emailsIn } from "../emails.ts";
import { remarksOf, titledRemarksOf } from "./common.ts";
import { allEmails, type Entity, entityOf } from "./entities.ts";
import type { Json } from "./json.ts";

/** Whose a network or an AS number is, as far as shown. */
type Holder = { readonly name: string | null; readonly country: string | null };

/**
 * The registrant; where the registry names none (APNIC), the first line of the description that stands for it. RIPE and
 * AFRINIC give the registrant's role to maintainers too, whose name is their handle: they write in the database for the
 * holder.
 */
export function holderOf(object: Json, entities: readonly Entity[]): Holder {
  const named = entityOf(entities, "registrant", (entity) => nameOf(entity) !== null);
  const any = named ?? entityOf(entities, "registrant");
  return {
    name: (named && nameOf(named)) ?? describedHolder(object) ?? ownHandleOf(any),
    country: any?.card.country ?? null,
  };
}

/** The name of an entity; null when that is its handle. */
function nameOf({ handle, card }: Entity): string | null {
  const name = card.organization ?? card.name;
  return name?.toLowerCase() === handle?.toLowerCase() ? null : name;
}

/** A handle that stands for a name, where nothing says more. */
function ownHandleOf(entity: Entity | null): string | null {
  const name = entity?.card.organization ?? entity?.card.name ?? null;
  return name !== null && MAINTAINER.test(name) ? null : name;
}

const MAINTAINER = /(?:^|-)(?:mnt|maint)(?:-|$)/i;

/** Of APNIC's remarks only the description names the holder; RIPE's and AFRINIC's have no title. */
const describedHolder = (object: Json): string | null =>
  titledRemarksOf(object)
    .filter(({ title }) => title === "" || title === "description")
    .flatMap(({ text }) => text.split("\n"))
    .find(isName) ?? null;

/** Rules of dashes and lines with an address are no names. */
const isName = (line: string): boolean => /[\p{L}\p{N}]/u.test(line) && !/@|:\/\//.test(line);

/**
 * The mailbox for abuse of an object without a contact of that role, as older registrations have it: in a remark that
 * speaks of abuse, else any that is called so.
 */
export function abuseMailboxInText(object: Json, entities: readonly Entity[]): string | null {
  const lines = remarksOf(object).flatMap((text) => text.split("\n"));
  const told = lines.filter((line) => /abuse/i.test(line) && !DENIAL.test(line)).flatMap(emailsIn);
  const called = [...told, ...allEmails(object, entities)].find((email) => email.startsWith("abuse"));
  return called ?? told[0] ?? null;
}

/** "not for abuse", "do not send abuse reports to", "abuse@isp.example is invalid". */
const DENIAL = /\b(?:not|no|never|don't|invalid|without)\b/i;
