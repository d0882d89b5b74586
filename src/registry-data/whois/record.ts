import { type DateOrder, orderOfCountry, ordersIn, parseRegistryDate } from "../dates.ts";
import { emailOf, hostOf, sortedEmails } from "../emails.ts";
import { webLinkOf } from "../links.ts";
import { isBlank, isRedacted, type JudgedRegistrant, judgeRegistrant } from "../privacy.ts";
import { eppStatuses } from "../statuses.ts";
import type { DelegationSigning, DomainRegistration, Registrar } from "../types.ts";
import { dsRecordsOf } from "./ds-records.ts";
import type { Field } from "./fields.ts";
import { fieldOf } from "./labels.ts";
import { type OutlineEntry, outlineOf } from "./outline.ts";
import { withTrueRoles } from "./owners.ts";
import type { WhoisShape } from "./shape.ts";
import { type Statements, statementsOf, withHolderObjects } from "./statements.ts";
import { isOfRecord, ownLinesOf, withoutTld } from "./subject.ts";
import { termsUrlOf } from "./terms.ts";
import { statusVerdictOf } from "./verdict.ts";

const MAX_NAME_SERVERS = 100;
const MAX_EMAILS = 100;
const MAX_REDACTED = 50;

/** What could be read of a domain's record, and whether it is one at all. */
export type WhoisRecord = {
  readonly registration: DomainRegistration;
  /** The names that the answer is about, as written. */
  readonly names: readonly string[];
  /** True: dates, registrar or name servers of a domain stand there, so it is registered. */
  readonly isRecord: boolean;
  /** The lines that stand with the asked name in one object. */
  readonly own: { readonly hasLines: boolean; readonly isRegistered: boolean; readonly isVacant: boolean };
  readonly entries: readonly OutlineEntry[];
};

/** Reads the record of `domain` out of a WHOIS answer; never throws, whatever the text. */
export function readRecord(text: string, domain: string, shape: WhoisShape): WhoisRecord {
  const { reword = (entry: OutlineEntry) => entry, rewrite = (whole: string) => whole } = shape;
  const isName = (entry: OutlineEntry) => fieldOf(entry, shape.labels ?? {}) === "domain";
  const stated = withoutTld(outlineOf(rewrite(text)).map(reword), isName, domain);
  const entries = withHolderObjects(withTrueRoles(stated), shape);
  const told = statementsOf(entries, shape);
  const dates = datesOf(told, orderOf(text, told, shape, domain), shape);
  const nameServers = nameServersOf(told);
  const registrar = registrarOf(told, entries);
  const registration: DomainRegistration = {
    domain,
    registered: true,
    registrar,
    ...dates,
    nameServers,
    statuses: statusesOf(told),
    emails: sortedEmails(entries.map(({ value }) => value)).slice(0, MAX_EMAILS),
    ...registrantOf(told, entries, shape),
    dnssec: signingOf(told),
    dsRecords: dsRecordsOf(told),
    termsOfServiceUrl: termsUrlOf(text),
    referral: told.first("referral"),
  };
  const hasDates = dates.creationDate !== null || dates.expirationDate !== null;
  const isRecord = hasDates || registrar.name !== null || nameServers.length > 0;
  return { registration, names: told.all("domain"), isRecord, own: ownOf(entries, domain, shape), entries };
}

function ownOf(
  entries: readonly OutlineEntry[],
  domain: string,
  { labels = {} }: WhoisShape,
): WhoisRecord["own"] {
  const lines = ownLinesOf(entries, (entry) => fieldOf(entry, labels) === "domain", domain);
  return {
    hasLines: lines.length > 0,
    isRegistered: lines.some((entry) => isOfRecord(entry, fieldOf(entry, labels))),
    isVacant: entries.some((entry) => entry.role === "domain" && statusVerdictOf(entry) !== null),
  };
}

type Dates = Pick<DomainRegistration, "creationDate" | "expirationDate" | "updatedDate">;

/** Thai servers count in the Buddhist era: 2567 is 2024. */
const BUDDHIST_YEAR = /^2[56]/;

/** As the answer tells the order itself, or else as its registry or its country writes dates; where it tells two, none is certain. */
function orderOf(text: string, told: Statements, { dates, tlds }: WhoisShape, domain: string) {
  const orders = ordersIn((["created", "expires", "updated"] as const).flatMap(told.all), text);
  if (orders.length > 0) return orders.length === 1 ? orders[0] : undefined;
  if (dates !== undefined && "order" in dates) return dates.order;
  // A country's name in its own script stands behind its code.
  return orderOfCountry(domain) ?? orderOfCountry(tlds[0] ?? "");
}

function datesOf(told: Statements, order: DateOrder | undefined, { dates }: WhoisShape): Dates {
  const instantOf = (date: string) => {
    const instant = parseRegistryDate(date, { ...dates, order });
    return instant === null || BUDDHIST_YEAR.test(instant) ? null : instant;
  };
  const read = (texts: readonly string[]) => texts.map(instantOf).filter((instant) => instant !== null);
  const inBrackets = told.all("statusAndExpiry").map((text) => /\(([\d/-]{8,10})\)/.exec(text)?.[1] ?? "");
  return {
    creationDate: read(told.all("created"))[0] ?? null,
    expirationDate: read([...told.all("expires"), ...inBrackets])[0] ?? null,
    updatedDate:
      told
        .run("updated", (text) => instantOf(text.replace(EDITOR, "")))
        .toSorted()
        .at(-1) ?? null,
  };
}

/** RPSL: who changed it stands before the day. */
const EDITOR = /^[^\s@]{1,254}@\S{1,254} +/;

function statusesOf(told: Statements): string[] {
  const texts = [...told.all("status"), ...told.all("statusAndExpiry")];
  return eppStatuses(texts.filter((text) => !/^not available/i.test(text)));
}

/** `example.lab IN NS ns1.example.lab`, as a zone has it. */
const OWNER_OF_RECORD = /^\S{1,254} +(?:IN +)?NS +/i;

function nameServersOf(told: Statements): string[] {
  const names = new Set<string>();
  for (const value of told.all("nameServer")) {
    if (isBlank(value)) continue;
    for (const token of value.replace(OWNER_OF_RECORD, "").split(/[\s,;|()[\]]+/)) {
      const name = hostOf(token);
      if (name !== null && names.size < MAX_NAME_SERVERS) names.add(name);
    }
  }
  return [...names].sort();
}

function registrarOf(told: Statements, entries: readonly OutlineEntry[]): Registrar {
  const labelled = told.labelled("registrarName") ?? told.labelled("registrar");
  // A line below the heading may be an address, where the name has a label.
  const shown = labelled ?? told.first("registrarName") ?? told.first("registrar");
  const [, name = shown, link] = /^(.*?) ?\( ?(https?:\/\/[^\s()]+) ?\)$/.exec(shown ?? "") ?? [];
  const abuse = entries.filter(({ role }) => role === "abuse").map(({ value }) => value);
  const phone = told.first("abusePhone") ?? abuse.find((value) => /^[+\d][\d\s.()-]{5,30}$/.test(value));
  return {
    name: withoutIds(name),
    ianaId: told.all("registrarIanaId").find((value) => /^\d{1,7}$/.test(value)) ?? null,
    url: [...told.all("registrarUrl"), link ?? ""].map(webLinkOf).find((url) => url !== null) ?? null,
    abuseEmail: emailOf([...told.all("abuseEmail"), ...abuse].join(" ")),
    abusePhone: phone?.replace(/^tel:/i, "") ?? null,
  };
}

/** `Example Inc. (292)`, `Example Inc. [R12-LAB]`, `Example Ltd [Tag = EXAMPLE]`: the registry's own number of the registrar. */
const withoutIds = (name: string | null | undefined): string | null =>
  name
    ?.replace(/ *\[Tag = [^\]]*\]$/, "")
    .replace(/(?: ?(?:\((?=[^()]*\d)[A-Z0-9-]{1,20}\)|\[(?=[^[\]]*\d)[A-Z0-9-]{1,20}\])){1,2}$/, "")
    .trim() || null;

function registrantOf(
  told: Statements,
  entries: readonly OutlineEntry[],
  shape: WhoisShape,
): JudgedRegistrant {
  const organization = told.first("registrantOrganization");
  const named = told.all("holder").find((value) => !isHandle(value)) ?? told.first("registrantName");
  const name = named?.replace(/ {2,}\S{1,300}@\S{1,300}$/, "") ?? null;
  const isOrganization = organization === null && /org|legal|company/i.test(told.first("holderKind") ?? "");
  const shown = {
    name: isOrganization ? null : name,
    organization: isOrganization ? name : organization,
    state: told.first("registrantState"),
    country: told.first("registrantCountry"),
    email: told.first("registrantEmail"),
  };
  return judgeRegistrant(shown, redactedBesides(name, entries, shape));
}

/** Labels of what the holder is: "Natural person" says it there, and stands for a name elsewhere. */
const KIND = /\b(?:type|kind|form|category|class)$/;

/** Fields of the registrant that we do not show, and the registry neither. */
function redactedBesides(
  name: string | null,
  entries: readonly OutlineEntry[],
  { labels = {} }: WhoisShape,
): string[] {
  const names = new Set<string>();
  for (const entry of entries) {
    const { role, label, value } = entry;
    const own = /^(?:registry )?registrant (.+)$/.exec(label)?.[1] ?? (role === "registrant" ? label : null);
    const isShown = label === "" ? value === name : isShownField(fieldOf(entry, labels));
    if (own === null || isShown || KIND.test(own) || !isRedacted(value)) continue;
    if (names.size >= MAX_REDACTED) break;
    names.add(`registrant_${own || "contact"}`.replaceAll(" ", "_"));
  }
  return [...names];
}

/** Fields that `judgeRegistrant` judges itself. */
const SHOWN: ReadonlySet<Field> = new Set([
  "holder",
  "registrantName",
  "registrantOrganization",
  "registrantState",
  "registrantCountry",
  "registrantEmail",
]);

const isShownField = (field: Field | null): boolean => field !== null && SHOWN.has(field);

/** `ABC1-FRNIC`, `SB:HOLDER1`, `30123456789`: one word with a number in it that no person is called by. */
const isHandle = (value: string): boolean =>
  isBlank(value) ||
  (/^[\w.:-]+$/.test(value) && /\d/.test(value) && /^\d+$|[-:_.]|\d$/.test(value) && !isRedacted(value));

function signingOf(told: Statements): DelegationSigning | null {
  const isSigned = ["key", "dsRecord", "dsDigest"] as const;
  if (isSigned.some((field) => told.first(field) !== null)) return "signedDelegation";
  for (const value of told.all("dnssec")) {
    if (/^(?:signed|yes\b|y$|active|true|secure|1$|enabled)/i.test(value)) return "signedDelegation";
    if (/^(?:unsigned|no\b|n$|inactive|false|0$|not? |disabled)/i.test(value)) return "unsigned";
  }
  return null;
}
