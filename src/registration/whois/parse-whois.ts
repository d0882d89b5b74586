import { hostOf } from "../emails.ts";
import { type DomainRegistration, emptyDomainRegistration } from "../registration.ts";
import { readRecord, type WhoisRecord } from "./record.ts";
import { shapeOf } from "./shapes.ts";
import { verdictOf } from "./verdict.ts";

/** What a WHOIS answer comes to. `unreadable`: neither a record of this domain nor a known word about it. */
export type WhoisReading =
  | { readonly state: "read"; readonly registration: DomainRegistration }
  | { readonly state: "refused" }
  | { readonly state: "unreadable" };

/**
 * Reads the text that a registry or registrar sent about `domain` (A-labels). Not found only when the text says so: a text
 * that says nothing known, or is about another domain, is `unreadable`. Never throws; linear in the text's length.
 */
export function parseWhois(text: string, domain: string): WhoisReading {
  const record = readRecord(text, domain, shapeOf(domain));
  if (record.isRecord) return isAbout(record, domain) ? read(record.registration) : { state: "unreadable" };
  const verdict = verdictOf(text);
  switch (verdict) {
    case "refused":
      return { state: "refused" };
    case "not_found":
      return read(emptyDomainRegistration(domain, false));
    case "reserved":
    case "blocked":
      return read({ ...emptyDomainRegistration(domain, false), statuses: [verdict] });
    case null:
      return isBareRecord(record, domain) ? read(record.registration) : { state: "unreadable" };
    default:
      return verdict satisfies never;
  }
}

const read = (registration: DomainRegistration): WhoisReading => ({ state: "read", registration });

/** False when the answer names domains, and none of them is the one asked for. */
function isAbout({ names }: WhoisRecord, domain: string): boolean {
  const named = names.map((name) => hostOf(name.split(/[\s(]/, 1)[0] ?? "")).filter((name) => name !== null);
  return named.length === 0 || named.includes(domain);
}

/** The name and a status of registered domains beside it are a record too: some registries show no more. */
const isBareRecord = (record: WhoisRecord, domain: string): boolean =>
  record.names.length > 0 && record.registration.statuses.some(isOfRegistered) && isAbout(record, domain);

const isOfRegistered = (status: string): boolean =>
  /^(?:ok|registered|delegated|connected|redemptionPeriod|inactive)$|^(?:client|server|pending)[A-Z]/.test(
    status,
  );
