import { countries } from "countries-list";
import { describe, expect, test } from "vitest";
import { countryFactsOf } from "./country.ts";

describe("countryFactsOf()", () => {
  test.each([
    ["NL", "Netherlands", true, "EU", "EUR", "euros", "€", "31"],
    ["US", "United States", false, "NA", "USD", "us dollars", "$", "1"],
    ["XK", "Kosovo", false, "EU", "EUR", "euros", "€", "383"],
    ["AQ", "Antarctica", false, "AN", "", "", "", "672"],
    ["CI", "Côte d'Ivoire", false, "AF", "XOF", "west african cfa francs", "F\u202fCFA", "225"],
    ["PL", "Poland", true, "EU", "PLN", "polish zlotys", "zł", "48"],
    ["RU", "Russia", false, "EU", "RUB", "russian rubles", "₽", "7"],
    ["GB", "United Kingdom", false, "EU", "GBP", "british pounds", "£", "44"],
    ["GF", "French Guiana", true, "SA", "EUR", "euros", "€", "594"],
    ["VA", "Vatican City", false, "EU", "EUR", "euros", "€", "39"],
    ["JP", "Japan", false, "AS", "JPY", "japanese yen", "¥", "81"],
  ])("gives %s its name, union, continent, currency and calling code", (code, ...expected) => {
    const facts = countryFactsOf(code);
    expect([
      facts.country_name,
      facts.is_eu,
      facts.continent_code,
      facts.currency,
      facts.currency_name_plural,
      facts.currency_symbol,
      facts.calling_code,
    ]).toEqual(expected);
  });

  test.each([
    ["EG", "ج.م."],
    ["RU", "₽"],
    ["JP", "￥"],
    ["CH", "CHF"],
  ])("writes the currency of %s as people there do", (code, symbol) => {
    expect(countryFactsOf(code).currency_symbol_native).toBe(symbol);
  });

  test("writes the flag as emoji and as code points", () => {
    const { emoji_flag, emoji_flag_unicode } = countryFactsOf("NL");
    expect([emoji_flag, emoji_flag_unicode]).toEqual(["🇳🇱", "U+1F1F3 U+1F1F1"]);
  });

  test("counts 27 member states and seven of their regions as the European Union", () => {
    const codes = Object.keys(countries).filter((code) => countryFactsOf(code).is_eu);
    expect(codes).toHaveLength(34);
  });

  test("gives every country a calling code of digits only", () => {
    for (const code of Object.keys(countries)) expect(countryFactsOf(code).calling_code).toMatch(/^\d{1,5}$/);
  });

  test.each(["", "AP", "ZZ", "toString"])("knows nothing but the code of %j", (code) => {
    expect(countryFactsOf(code)).toMatchObject({ country_code: code, country_name: "", emoji_flag: "" });
  });
});
