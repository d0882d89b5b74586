import { counted } from "../../base/counted.ts";
import { ageOf } from "../../registry-data/ages.ts";
import type { FreshnessReport } from "../../risk/shapes.ts";
import type { FreeWhoisReport, WhoisReport } from "./shape.ts";

/** The reduced answer of the free tool: interface 2.13, design 12. */
export function toFreeWhoisReport(report: WhoisReport): FreeWhoisReport {
  const { server, registrar_server } = report.provenance;
  return {
    query: report.query ?? report.input,
    input: report.input,
    message: messageOf(report),
    type: report.type,
    ...BLANK,
    ...fieldsOf(report),
    lookup_status: report.lookup_status,
    source: report.source,
    provenance: { server, registrar_server },
    fetched_at: report.fetched_at,
    freshness: report.lookup_status === "error" ? nothingOf(report.freshness) : report.freshness,
    unknown_fields: freeUnknownFields(report),
    elapsed_ms: report.elapsed_ms,
  };
}

/** What the paid answer knows beside the registry (DNSSEC) is not shown here. */
const nothingOf = ({ computed_at }: FreshnessReport): FreshnessReport => ({
  data_age_s: null,
  stale: false,
  cached: false,
  computed_at,
});

type Fields = Pick<
  FreeWhoisReport,
  | "domain"
  | "registrar"
  | "creation_date"
  | "expiration_date"
  | "domain_age_days"
  | "status"
  | "name_servers"
  | "network"
  | "asn"
  | "name"
  | "organization"
  | "country"
>;

const BLANK: Fields = {
  domain: null,
  registrar: null,
  creation_date: null,
  expiration_date: null,
  domain_age_days: null,
  status: [],
  name_servers: [],
  network: null,
  asn: null,
  name: null,
  organization: null,
  country: null,
};

function fieldsOf(report: WhoisReport): Partial<Fields> {
  if (report.type === "domain") {
    const { domain, registrar, creation_date, expiration_date, domain_age_days } = report;
    const { status, name_servers } = report;
    return { domain, registrar, creation_date, expiration_date, domain_age_days, status, name_servers };
  }
  const { organization, country } = report;
  return report.type === "ip"
    ? { network: report.network, name: report.network_name, organization, country }
    : { asn: report.asn, name: report.asn_name, organization, country };
}

/** Where the free answer shows a paid answer's field under another name. */
const FREE_NAMES: Readonly<Record<string, string>> = { network_name: "name", asn_name: "name" };

const freeUnknownFields = (report: WhoisReport): string[] => {
  const shown = new Set(Object.keys(fieldsOf(report)));
  return report.unknown_fields
    .map((field) => (Object.hasOwn(FREE_NAMES, field) ? (FREE_NAMES[field] ?? field) : field))
    .filter((field) => shown.has(field))
    .sort();
};

function messageOf(report: WhoisReport): string {
  if (report.lookup_status === "error") return "The registry gave no answer.";
  if (report.lookup_status === "not_found") return "Not registered.";
  const since = report.type === "domain" ? report.creation_date : report.registration_date;
  return since === null ? "Registered." : `Registered ${ageText(since, report.freshness.computed_at)} ago.`;
}

/** "8 years", "1 year", "40 days" (design 12). */
export function ageText(since: string, until: string): string {
  const { days, years } = ageOf(since, new Date(until));
  return years > 0 ? counted(years, "year") : counted(days, "day");
}
