import { addressLine, type Card, countryOf, phoneOf } from "./card.ts";
import { cleanText, isJson, type Json, listOf, textOf, textsOf } from "./json.ts";

/** One property of a jCard: name, parameters, type, values (RFC 7095 3.3). */
type Property = { readonly name: string; readonly parameters: Json; readonly values: readonly unknown[] };

const MAX_PROPERTIES = 200;

/** A jCard (`vcardArray`); null when it holds no property. Properties of the wrong shape are passed over. */
export function readVcard(value: unknown): Card | null {
  const properties = propertiesOf(value);
  if (properties.length === 0) return null;
  const named = (name: string) => properties.filter((property) => property.name === name);
  const textIn = (name: string) => firstOf(named(name).flatMap(textsIn));
  const address = named("adr").map(readAddress);
  return {
    name: textIn("fn") ?? nameOf(named("n")),
    organization: textIn("org"),
    emails: named("email").flatMap(textsIn),
    phones: named("tel")
      .filter(({ parameters }) => !isFax(parameters))
      .flatMap(textsIn)
      .map(phoneOf)
      .filter((phone) => phone !== null),
    state: firstOf(address.map(({ state }) => state)),
    country: firstOf(address.map(({ country }) => country)),
    address: firstOf(address.map(({ line }) => line)),
    url: textIn("url") ?? textIn("contact-uri"),
  };
}

function propertiesOf(value: unknown): readonly Property[] {
  const parts: readonly unknown[][] = Array.isArray(value) ? value.filter((part) => Array.isArray(part)) : [];
  // Some registrars leave out the list around the properties.
  const isFlat = typeof parts[0]?.[0] === "string";
  return ((isFlat ? parts : parts[0]) ?? [])
    .slice(0, MAX_PROPERTIES)
    .flatMap((entry: unknown): Property[] => {
      if (!Array.isArray(entry) || typeof entry[0] !== "string") return [];
      const parameters = isJson(entry[1]) ? entry[1] : {};
      return [{ name: entry[0].toLowerCase(), parameters, values: entry.slice(3, 3 + MAX_PROPERTIES) }];
    });
}

const firstOf = (values: readonly (string | null)[]): string | null =>
  values.find((value) => value !== null) ?? null;

/** The texts of a property; of a structured value (`org` with its units) the first part. */
const textsIn = ({ values }: Property): string[] =>
  values.map((value) => cleanText(Array.isArray(value) ? value[0] : value)).filter((text) => text !== null);

/** `n` is family, given, additional, prefixes, suffixes (RFC 6350 6.2.2). */
function nameOf(properties: readonly Property[]): string | null {
  const [parts] = properties[0]?.values ?? [];
  if (!Array.isArray(parts)) return null;
  const [family, given] = [cleanText(parts[0]), cleanText(parts[1])];
  return cleanText([given, family].filter((part) => part !== null).join(" "));
}

const isFax = (parameters: Json): boolean =>
  textsOf(parameters, "type").some((type) => type.toLowerCase() === "fax");

type Address = {
  readonly state: string | null;
  readonly country: string | null;
  readonly line: string | null;
};

/** `adr` is box, extension, street, city, region, code, country (RFC 6350 6.3.1), or a `label` alone (RFC 7095 3.3.1.3). */
function readAddress({ parameters, values }: Property): Address {
  const parts = Array.isArray(values[0]) ? values[0] : [];
  const texts = parts.slice(0, 7).map(lineOf);
  const code = textOf(parameters, "cc") ?? textOf(parameters, "iso-3166-1-alpha-2");
  const label = textOf(parameters, "label") ?? (parts.length === 0 ? cleanText(values[0]) : null);
  return {
    state: texts[4] ?? null,
    country: countryOf(code ?? texts[6] ?? null),
    line: addressLine(texts) ?? label,
  };
}

/** One part of an address; several lines of a street stand in a list. */
const lineOf = (part: unknown): string | null =>
  addressLine(
    listOf(part)
      .slice(0, 10)
      .map((line) => cleanText(line)),
  );
