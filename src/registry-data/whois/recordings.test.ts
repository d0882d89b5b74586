import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type DomainRegistration, emptyDomainRegistration, NO_REGISTRANT, NO_REGISTRAR } from "../types.ts";
import { parseWhois } from "./parse-whois.ts";
import { shapeOf } from "./shapes.ts";

// Answers in the forms that the registries document and send, with data made up; beside each what it says. A field
// that the expectation leaves out is empty.
const FOLDER = join(import.meta.dirname, "../../../test/fixtures/whois");
const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".txt"))
  .map((file) => file.slice(0, -4));

const expectationSchema = z.looseObject({
  domain: z.string(),
  registrar: z.record(z.string(), z.unknown()).optional(),
  registrant: z.record(z.string(), z.unknown()).optional(),
});

const textOf = (name: string): string => readFileSync(join(FOLDER, `${name}.txt`), "utf8");

function expectationOf(name: string) {
  const stated = expectationSchema.parse(JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8")));
  return {
    ...emptyDomainRegistration(stated.domain, true),
    ...stated,
    registrar: { ...NO_REGISTRAR, ...stated.registrar },
    registrant: { ...NO_REGISTRANT, ...stated.registrant },
  };
}

function readOf(text: string, domain: string): DomainRegistration {
  const reading = parseWhois(text, domain);
  if (reading.state !== "read") throw new Error(`The answer is ${reading.state}`);
  return reading.registration;
}

describe("parseWhois() of a recorded answer", () => {
  test("knows 25 shapes and more", () => {
    expect(names.length).toBeGreaterThanOrEqual(25);
  });

  test.each(names)("reads that of %s", (name) => {
    const expected = expectationOf(name);
    expect(readOf(textOf(name), expected.domain)).toEqual(expected);
  });

  test.each(names)("reads that of %s with the line ends of the other kind", (name) => {
    const expected = expectationOf(name);
    expect(readOf(textOf(name).replaceAll("\n", "\r\n"), expected.domain)).toEqual(expected);
  });

  const common = names.filter((name) => {
    const { labels, dates, reword, rewrite } = shapeOf(expectationOf(name).domain);
    return [labels, dates, reword, rewrite].every((part) => part === undefined);
  });

  test.each(common)("reads that of %s from a registry that it does not know", (name) => {
    const expected = expectationOf(name);
    // Of a country that writes dates as that registry's does, where it writes them in numbers.
    const text = textOf(name).replaceAll(expected.domain, "example.uy");
    const upper = text.replaceAll(expected.domain.toUpperCase(), "EXAMPLE.UY");
    const { creationDate, expirationDate, registrant, registrar } = readOf(upper, "example.uy");
    expect({ creationDate, expirationDate, registrant, registrar }).toMatchObject({
      creationDate: expected.creationDate,
      expirationDate: expected.expirationDate,
      registrant: { name: expected.registrant.name, organization: expected.registrant.organization },
      registrar: { name: expected.registrar.name },
    });
  });

  test.each(names)("does not take that of %s for another domain's", (name) => {
    const { domain } = expectationOf(name);
    const tld = domain.slice(domain.indexOf(".") + 1);
    expect(parseWhois(textOf(name), `other-name.${tld}`)).toEqual({ state: "unreadable" });
  });
});
