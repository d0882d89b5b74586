import { emailsIn } from "../emails.ts";
import { webLinkOf } from "../links.ts";
import type { Contact } from "../shapes.ts";
import { BLANK_CARD, type Card, countryOf } from "./card.ts";
import { remarksOf } from "./common.ts";
import { readJsContact } from "./jscontact.ts";
import { isJson, type Json, memberOf, objectsOf, sortedUnique, textOf, textsOf, webUrlOf } from "./json.ts";
import { readVcard } from "./vcard.ts";

/** An entity of RFC 9083 5.1 with what is inside it. */
export type Entity = {
  readonly handle: string | null;
  /** Lower case, sorted. */
  readonly roles: readonly string[];
  readonly card: Card;
  /** Entities inside it, such as the abuse contact of a registrar. */
  readonly entities: readonly Entity[];
  readonly json: Json;
};

const MAX_DEPTH = 4;
const MAX_ENTITIES = 60;
/** Mailboxes, and telephones, kept of one card. */
const MAX_WAYS = 20;

/** Members that carry a JSContact card, by the drafts of their time. */
const JSCONTACT_MEMBERS = ["jscard", "jscard_0", "jscontact_card"];

/** The entities of an object, down to four levels, at most sixty in all. */
export function readEntities(object: unknown): readonly Entity[] {
  const budget = { left: MAX_ENTITIES };
  return entitiesIn(object, MAX_DEPTH, budget);
}

function entitiesIn(object: unknown, depth: number, budget: { left: number }): readonly Entity[] {
  if (depth === 0) return [];
  const found: Entity[] = [];
  for (const json of objectsOf(object, "entities")) {
    if (budget.left-- <= 0) break;
    found.push({
      handle: textOf(json, "handle"),
      roles: sortedUnique(textsOf(json, "roles").map((role) => role.toLowerCase())),
      card: bounded(cardOf(json)),
      entities: entitiesIn(json, depth - 1, budget),
      json,
    });
  }
  return found;
}

function cardOf(json: Json): Card {
  const vcard = readVcard(memberOf(json, "vcardArray"));
  if (vcard !== null) return vcard;
  for (const name of JSCONTACT_MEMBERS) {
    const card = readJsContact(memberOf(json, name));
    if (card !== null) return card;
  }
  return BLANK_CARD;
}

const bounded = (card: Card): Card => ({
  ...card,
  emails: card.emails.slice(0, MAX_WAYS),
  phones: card.phones.slice(0, MAX_WAYS),
});

/** All of them in one list: outer ones before those inside them. */
function flatEntities(entities: readonly Entity[]): readonly Entity[] {
  const levels: Entity[] = [];
  let level = entities;
  while (level.length > 0) {
    levels.push(...level);
    level = level.flatMap((entity) => entity.entities);
  }
  return levels;
}

/**
 * The first entity of a role that is meant, outer ones first. Those inside a registrar are the registrar's own, not the
 * object's.
 */
export function entityOf(
  entities: readonly Entity[],
  role: string,
  isMeant: (entity: Entity) => boolean = () => true,
): Entity | null {
  for (let level = entities; level.length > 0; ) {
    const found = level.find((entity) => entity.roles.includes(role) && isMeant(entity));
    if (found !== undefined) return found;
    level = level.flatMap(({ roles, entities: inner }) => (roles.includes("registrar") ? [] : inner));
  }
  return null;
}

/** Mailbox and telephone of the abuse role. */
export type AbuseContact = { readonly email: string | null; readonly phone: string | null };

/** The abuse role's own contact, outer entities first; RIPE's `abuse` entities may have a mailbox and nothing else. */
export function abuseContactOf(entities: readonly Entity[]): AbuseContact {
  const cards = flatEntities(entities)
    .filter(({ roles }) => roles.includes("abuse"))
    .map(({ card }) => card);
  return {
    email: cards.flatMap(emailsOf)[0] ?? null,
    phone: cards.flatMap(({ phones }) => phones)[0] ?? null,
  };
}

/** Mailboxes of a card, lower case. */
export const emailsOf = (card: Card): readonly string[] => card.emails.flatMap(emailsIn);

/** Mailboxes of everybody and in the object's remarks, lower case, unique, sorted. */
export const allEmails = (object: Json, entities: readonly Entity[]): readonly string[] =>
  sortedUnique([
    ...flatEntities(entities).flatMap(({ card }) => emailsOf(card)),
    ...remarksOf(object).flatMap(emailsIn),
  ]);

/** Entities that say anything, as contacts; the same handle once, its roles together. */
export function contactsOf(entities: readonly Entity[]): readonly Contact[] {
  const contacts = new Map<string, Contact>();
  for (const entity of flatEntities(entities)) {
    const contact = contactOf(entity);
    const key = entity.handle ?? JSON.stringify({ ...contact, roles: [] });
    const known = contacts.get(key);
    const roles = sortedUnique([...(known?.roles ?? []), ...contact.roles]);
    if (known !== undefined || isTelling(contact)) contacts.set(key, { ...(known ?? contact), roles });
  }
  return [...contacts.values()];
}

const contactOf = ({ handle, roles, card }: Entity): Contact => ({
  handle,
  roles,
  name: card.name,
  organization: card.organization,
  emails: sortedUnique(emailsOf(card)),
  phones: card.phones,
  address: card.address,
  country: countryOf(card.country),
});

const isTelling = ({ handle, name, organization, emails, phones }: Contact): boolean =>
  [handle, name, organization].some((text) => text !== null) || emails.length + phones.length > 0;

/** Web address of an entity: of its card, else its own link of a telling kind. */
export function urlOf({ card, json }: Entity): string | null {
  const own = webLinkOf(card.url);
  if (own !== null) return own;
  const link = objectsOf(json, "links").find((each) =>
    ["about", "website"].includes(textOf(each, "rel") ?? ""),
  );
  return webUrlOf(memberOf(link, "href"));
}

/** An identifier of RFC 9083 4.8 by its type, compared without case. */
export function publicIdOf({ json }: Entity, type: string): string | null {
  const wanted = type.toLowerCase();
  const found = objectsOf(json, "publicIds").find((id) => textOf(id, "type")?.toLowerCase() === wanted);
  return isJson(found) ? textOf(found, "identifier") : null;
}
