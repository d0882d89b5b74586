import { addressLine, type Card, countryOf, phoneOf } from "./card.ts";
import { cleanText, isJson, type Json, memberOf, objectsOf, textOf } from "./json.ts";

/** The values of a map of RFC 9553 (`{"e1": {…}}`); its keys say nothing. */
const valuesOf = (card: unknown, name: string): readonly Json[] => {
  const map = memberOf(card, name);
  return isJson(map) ? Object.values(map).slice(0, 100).filter(isJson) : [];
};

/** A JSContact card as RDAP carries it; null when it holds nothing that we show. Source: RFC 9553. */
export function readJsContact(value: unknown): Card | null {
  if (!isJson(value)) return null;
  const [address] = valuesOf(value, "addresses");
  const card: Card = {
    name: nameOf(memberOf(value, "name")) ?? textOf(value, "fullName"),
    organization: firstText(valuesOf(value, "organizations"), "name"),
    emails: textsIn(valuesOf(value, "emails"), ["address", "email"]),
    phones: phonesOf(valuesOf(value, "phones")),
    state: partOf(address, ["region"]) ?? textOf(address, "region"),
    country: countryOf(
      textOf(address, "countryCode") ?? partOf(address, ["country"]) ?? textOf(address, "country"),
    ),
    address: lineOf(address),
    url: firstText(valuesOf(value, "links"), "uri") ?? firstText(valuesOf(value, "onlineServices"), "uri"),
  };
  const isEmpty = [card.name, card.organization, card.address, card.country].every((text) => text === null);
  return isEmpty && card.emails.length + card.phones.length === 0 ? null : card;
}

function nameOf(name: unknown): string | null {
  const full = textOf(name, "full");
  if (full !== null || !isJson(name)) return full ?? cleanText(name);
  const parts = objectsOf(name, "components")
    .filter((part) => textOf(part, "kind") !== "separator")
    .map((part) => textOf(part, "value"))
    .filter((part) => part !== null);
  return cleanText(parts.join(" "));
}

const firstText = (values: readonly Json[], name: string): string | null =>
  values.map((value) => textOf(value, name)).find((text) => text !== null) ?? null;

const textsIn = (values: readonly Json[], names: readonly string[]): string[] =>
  values
    .map((value) => names.map((name) => textOf(value, name)).find((text) => text !== null) ?? null)
    .filter((text) => text !== null);

const phonesOf = (phones: readonly Json[]): string[] =>
  textsIn(
    phones.filter((phone) => memberOf(memberOf(phone, "features"), "fax") !== true),
    ["number", "phone"],
  )
    .map(phoneOf)
    .filter((phone) => phone !== null);

const partOf = (address: unknown, kinds: readonly string[]): string | null =>
  firstText(
    objectsOf(address, "components").filter((part) => kinds.includes(textOf(part, "kind") ?? "")),
    "value",
  );

function lineOf(address: unknown): string | null {
  const full = textOf(address, "full") ?? textOf(address, "fullAddress");
  if (full !== null) return full;
  const parts = objectsOf(address, "components")
    .filter((part) => textOf(part, "kind") !== "separator")
    .map((part) => textOf(part, "value"));
  return addressLine(parts);
}
