import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { parseRegistryDate } from "../dates.ts";
import { hostOf } from "../emails.ts";
import { isBlank, isRedacted } from "../privacy.ts";
import { eppStatuses } from "../statuses.ts";
import { parseWhois } from "./parse-whois.ts";

// The recorded answers, read by this parser and by npm's `whoiser`, held against what each of them says.
const FOLDER = join(import.meta.dirname, "../../../test/fixtures/whois");

const expectationSchema = z.looseObject({
  domain: z.string(),
  creationDate: z.string().nullish(),
  expirationDate: z.string().nullish(),
  updatedDate: z.string().nullish(),
  nameServers: z.array(z.string()).default([]),
  statuses: z.array(z.string()).default([]),
  registrar: z.looseObject({ name: z.string().nullish(), ianaId: z.string().nullish() }).optional(),
  registrant: z.looseObject({ name: z.string().nullish(), organization: z.string().nullish() }).optional(),
});
const whoiserSchema = z.object({
  parseDomainWhois: z.function({
    input: [z.string(), z.string(), z.boolean()],
    output: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  }),
});
const { parseDomainWhois } = whoiserSchema.parse(createRequire(import.meta.url)("whoiser/src/parsers.js"));

const FIELDS = [
  "created",
  "expires",
  "updated",
  "nameServers",
  "statuses",
  "registrar",
  "ianaId",
  "holder",
  "organization",
] as const;
type Fields = Readonly<Record<(typeof FIELDS)[number], string>>;

const shown = (stated: z.infer<typeof expectationSchema>): Fields => ({
  created: stated.creationDate ?? "",
  expires: stated.expirationDate ?? "",
  updated: stated.updatedDate ?? "",
  nameServers: stated.nameServers.join(),
  statuses: stated.statuses.join(),
  registrar: stated.registrar?.name ?? "",
  ianaId: stated.registrar?.ianaId ?? "",
  holder: stated.registrant?.name ?? "",
  organization: stated.registrant?.organization ?? "",
});

function ours(text: string, domain: string): Fields | null {
  const reading = parseWhois(text, domain);
  return reading.state === "read" ? shown(expectationSchema.parse(reading.registration)) : null;
}

/** Its texts, in the forms of an expectation, so that only what it found counts and not how it writes it. */
function whoisers(text: string, domain: string): Fields {
  const data = parseDomainWhois(domain, text, true);
  const textOf = (label: string): string => {
    const value = [data[label] ?? ""].flat().join(" ").trim();
    return isBlank(value) || isRedacted(value) ? "" : value;
  };
  const list = (label: string) => [data[label] ?? []].flat();
  const dateOf = (label: string) => parseRegistryDate(textOf(label)) ?? "";
  const hosts = list("Name Server")
    .map(hostOf)
    .filter((host) => host !== null);
  return {
    created: dateOf("Created Date"),
    expires: dateOf("Expiry Date"),
    updated: dateOf("Updated Date"),
    nameServers: [...new Set(hosts)].sort().join(),
    statuses: eppStatuses(list("Domain Status")).join(),
    registrar: textOf("Registrar"),
    ianaId: textOf("Registrar IANA ID"),
    holder: textOf("Registrant Name"),
    organization: textOf("Registrant Organization"),
  };
}

const rows = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".txt"))
  .flatMap((file) => {
    const name = file.slice(0, -4);
    const text = readFileSync(join(FOLDER, file), "utf8");
    const stated = expectationSchema.parse(JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8")));
    const [expected, own, other] = [shown(stated), ours(text, stated.domain), whoisers(text, stated.domain)];
    return FIELDS.map((field) => ({
      field: `${name}: ${field}`,
      isOwnRight: own?.[field] === expected[field],
      isOtherRight: other[field] === expected[field],
    }));
  });
const ownRight = rows.filter(({ isOwnRight }) => isOwnRight).length;
const otherRight = rows.filter(({ isOtherRight }) => isOtherRight).length;

test(`parseWhois() reads ${ownRight} of ${rows.length} fields of the recorded answers right, whoiser ${otherRight}`, () => {
  const worse = rows.filter(({ isOwnRight, isOtherRight }) => isOtherRight && !isOwnRight);
  expect(worse.map(({ field }) => field)).toEqual([]);
  expect(ownRight).toBeGreaterThan(otherRight);
});
