import { continents, countries, getEmojiFlag } from "countries-list";
import type { Information } from "../facts.ts";
import { createMemory } from "../memoize.ts";

/** What an address's country says of it, as on the wire. */
export type CountryFacts = Pick<
  Information,
  | "is_eu"
  | "continent_code"
  | "continent_name"
  | "country_code"
  | "country_name"
  | "currency"
  | "currency_name"
  | "currency_name_plural"
  | "currency_symbol"
  | "currency_symbol_native"
  | "calling_code"
  | "emoji_flag"
  | "emoji_flag_unicode"
>;

/** Member states of the European Union since 2020, as ISO codes. */
const EU_MEMBERS = "AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE".split(
  " ",
);

/**
 * Parts of a member state that have an ISO code of their own and where the Union's law holds: the French
 * outermost regions and Åland. Source: TFEU articles 349 and 355.
 */
const EU_REGIONS = ["GP", "MQ", "GF", "RE", "YT", "MF", "AX"];

const EU = new Set([...EU_MEMBERS, ...EU_REGIONS]);

/** Where countries-list differs from ISO 3166-1's English short name or lacks its letters. */
const NAMES: Readonly<Record<string, string>> = {
  AX: "Åland Islands",
  BL: "Saint Barthélemy",
  BQ: "Bonaire, Sint Eustatius and Saba",
  CI: "Côte d'Ivoire",
  CW: "Curaçao",
  RE: "Réunion",
  SH: "Saint Helena, Ascension and Tristan da Cunha",
  TL: "Timor-Leste",
  UM: "United States Minor Outlying Islands",
};

/**
 * Calling codes where the package has several, none in use, or one with an area code behind it.
 * Kosovo has had +383 since 2016; the Vatican uses Italy's numbering, not its reserved +379. Source: ITU E.164.
 */
const CALLING_CODES: Readonly<Record<string, string>> = { XK: "383", VA: "39", CW: "599", SJ: "47" };

/** Continents as UN M49 has them where the package differs. */
const CONTINENTS: Readonly<Record<string, keyof typeof continents>> = { RU: "EU" };

const known = createMemory<CountryFacts>(1000);

/**
 * Facts of the country with this ISO 3166-1 alpha-2 code (or `XK`), made once per country. A code that is no
 * country's gives its code alone. Sources: countries-list, Unicode CLDR through Intl.
 */
export function countryFactsOf(code: string): CountryFacts {
  return known(code, () => (isCountry(code) ? describe(code) : { ...NO_COUNTRY, country_code: code }));
}

type CountryCode = keyof typeof countries;

const isCountry = (code: string): code is CountryCode => Object.hasOwn(countries, code);

const NO_CURRENCY = {
  currency: "",
  currency_name: "",
  currency_name_plural: "",
  currency_symbol: "",
  currency_symbol_native: "",
};

/** Facts of an address whose country is not known. */
export const NO_COUNTRY: CountryFacts = {
  is_eu: false,
  continent_code: "",
  continent_name: "",
  country_code: "",
  country_name: "",
  ...NO_CURRENCY,
  calling_code: "",
  emoji_flag: "",
  emoji_flag_unicode: "",
};

function describe(code: CountryCode): CountryFacts {
  const { name, phone, continent, currency, languages } = countries[code];
  const continentCode = CONTINENTS[code] ?? continent;
  const emoji = getEmojiFlag(code);
  return {
    is_eu: EU.has(code),
    continent_code: continentCode,
    continent_name: continents[continentCode],
    country_code: code,
    country_name: NAMES[code] ?? name,
    ...currencyFacts(currency[0], `${languages[0] ?? "en"}-${code}`),
    calling_code: CALLING_CODES[code] ?? String(phone[0] ?? ""),
    emoji_flag: emoji,
    emoji_flag_unicode: [...emoji].map((sign) => `U+${hexOf(sign)}`).join(" "),
  };
}

const hexOf = (sign: string): string => (sign.codePointAt(0) ?? 0).toString(16).toUpperCase();

function currencyFacts(currency: string | undefined, locale: string): typeof NO_CURRENCY {
  if (currency === undefined) return NO_CURRENCY; // Antarctica
  const native = symbolIn(locale, currency, "symbol");
  return {
    currency,
    currency_name: new Intl.DisplayNames("en", { type: "currency" }).of(currency) ?? "",
    currency_name_plural: symbolIn("en", currency, "name").toLowerCase(),
    currency_symbol: symbolIn("en", currency, "narrowSymbol"),
    currency_symbol_native: native === currency ? symbolIn(locale, currency, "narrowSymbol") : native,
  };
}

type Display = "symbol" | "narrowSymbol" | "name";

/** How CLDR writes the currency of two units: a symbol, or the plural name. Direction marks are dropped. */
function symbolIn(locale: string, currency: string, currencyDisplay: Display): string {
  const format = new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay });
  const part = format.formatToParts(2).find(({ type }) => type === "currency");
  return (part?.value ?? "").replace(/[\u200e\u200f\u061c]/g, "");
}
