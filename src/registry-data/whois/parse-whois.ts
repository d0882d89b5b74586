import { type DomainRegistration, emptyDomainRegistration } from "../types.ts";
import { isPage, linesOf, mayGoOn } from "./lines.ts";
import { readRecord, type WhoisRecord } from "./record.ts";
import { sentencesOf } from "./sentences.ts";
import { shapeOf } from "./shapes.ts";
import { isAbout, isNamed, isOfHeldDomain, isSentenceAbout } from "./subject.ts";
import { restSecondsOf, verdictOf, type WhoisVerdict } from "./verdict.ts";

/** What a WHOIS answer comes to. `unreadable`: neither a record of this domain nor a known word about it. */
export type WhoisReading =
  | { readonly state: "read"; readonly registration: DomainRegistration }
  /** `restSeconds`: for how long the server asks to be left alone; null when it names no time. */
  | { readonly state: "refused"; readonly restSeconds: number | null }
  | { readonly state: "unreadable" };

const UNREADABLE: WhoisReading = { state: "unreadable" };

/**
 * Reads the text that a registry or registrar sent about `domain` (A-labels). Not found only when the text says so and
 * shows no line of a record of this domain: a text that says nothing known, or is about another domain, is `unreadable`.
 * `server` is the host that sent it. Never throws; linear in the text's length.
 */
export function parseWhois(text: string, domain: string, server: string | null = null): WhoisReading {
  const record = readRecord(text, domain, shapeOf(domain));
  // The "Not Found" of a proxy or a web server in a WHOIS server's place is about a page, and so are its dates.
  if (isPage(text) && !(record.isRecord && isNamed(record.names, domain))) return UNREADABLE;
  if (record.isRecord) return isAbout(record.names, domain) ? read(record.registration) : UNREADABLE;
  const lines = linesOf(text);
  const sentences = sentencesOf(lines);
  const verdict = verdictOf(sentences, record.entries, domain);
  if (verdict?.kind === "refused") return { state: "refused", restSeconds: restSecondsOf(sentences) };
  if (!isAbout(record.names, domain)) return UNREADABLE;
  if (isBareRecord(record)) return read(record.registration);
  if (verdict?.kind === "not_found" && mayGoOn(text, lines)) return UNREADABLE;
  return verdict === null || !isSentenceAbout(verdict.sentence.written, domain, server)
    ? UNREADABLE
    : readVerdict(verdict.kind, record, domain);
}

function readVerdict(
  kind: Exclude<WhoisVerdict["kind"], "refused">,
  record: WhoisRecord,
  domain: string,
): WhoisReading {
  // A sentence about another object of the answer (`[holder] NO OBJECT FOUND!`) does not make the domain vacant.
  if (record.own.hasLines && (record.own.isRegistered || !record.own.isVacant)) return UNREADABLE;
  if (record.entries.some((entry) => isOfHeldDomain(entry, shapeOf(domain)))) return UNREADABLE;
  switch (kind) {
    case "not_found":
      return read(emptyDomainRegistration(domain, false));
    case "reserved":
    case "blocked":
      return read({ ...emptyDomainRegistration(domain, false), statuses: [kind] });
    case "quarantine":
      return read({ ...emptyDomainRegistration(domain, true), statuses: [kind] });
    default:
      return kind satisfies never;
  }
}

const read = (registration: DomainRegistration): WhoisReading => ({ state: "read", registration });

/** The name and a line of a registered domain beside it are a record too: some registries show no more. */
const isBareRecord = ({ names, registration, own }: WhoisRecord): boolean =>
  !own.isVacant && (own.isRegistered || (names.length > 0 && registration.statuses.some(isOfRegistered)));

const isOfRegistered = (status: string): boolean =>
  /^(?:ok|registered|delegated|connected|redemptionPeriod|inactive|(?:in)?quarantine)$|^(?:client|server|pending)[A-Z]/i.test(
    status,
  );
