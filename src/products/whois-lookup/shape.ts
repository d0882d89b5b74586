import { z } from "zod";
import type { Wire } from "../../base/wire.ts";
import { ContactShape, DS_MEMBERS, LookupErrorShape, ProvenanceShape } from "../../registry-data/shapes.ts";
import { Freshness } from "../../risk/shapes.ts";
import { addRefusal, REPORT_END } from "../shapes.ts";
import { KINDS, parseWhoisQuery, queryMemberOf } from "./target.ts";

const nullable = (description: string) => z.string().nullable().describe(description);
const texts = (description: string) => z.array(z.string()).describe(description);

export const WhoisInput = z
  .object({
    query: z.string().nullish().describe("Domain, IP address, CIDR range or AS number"),
    domain: z.string().nullish().describe("Older spelling of query, which wins when both are given"),
    type: z
      .string()
      .optional()
      .describe("What the query must be: domain, ip or asn")
      .meta({ enum: [...KINDS] }),
  })
  .superRefine((body, context) => {
    const asked = queryMemberOf(body);
    if (asked === null) {
      const message = "A domain, an IP address, a CIDR range or an AS number is wanted";
      context.addIssue({ code: "custom", message, path: ["query"], params: { reason: "missing" } });
      return;
    }
    let kind: string | undefined;
    addRefusal(context, () => ({ kind } = parseWhoisQuery(asked.text)), [asked.member]);
    if (body.type === undefined || body.type === kind) return;
    const isKind = KINDS.some((known) => known === body.type);
    if (isKind && kind === undefined) return;
    context.addIssue({
      code: "custom",
      message: isKind ? `The query is of type ${kind}` : `One of ${KINDS.join(", ")} is wanted`,
      path: ["type"],
      params: { reason: isKind ? "type_mismatch" : "invalid_type" },
    });
  })
  .meta({ id: "WhoisLookupRequest" });

const LookupStatus = z
  .enum(["ok", "not_found", "error"])
  .nullable()
  .describe("ok: the registry answered; not_found: not registered; error: no registry answered, not charged");

const Source = z.enum(["rdap", "whois"]).nullable().describe("Protocol that gave the dates");
const fetchedAt = nullable("When the registry answered, ISO 8601");

const DsRecord = z.object(DS_MEMBERS).meta({ id: "WhoisDsRecord" });

const end = {
  terms_of_service_url: nullable("Under which the registry answers"),
  lookup_status: LookupStatus,
  error: LookupErrorShape.nullable().describe("Only of error"),
  provenance: ProvenanceShape,
  fetched_at: fetchedAt,
  ...REPORT_END,
};

export const WhoisDomainReport = z
  .object({
    type: z.literal("domain").default("domain").describe("What was asked about"),
    query: nullable("Normalised query"),
    input: z.string().describe("As it was sent"),
    domain: z.string().describe("The name as A-labels in lower case"),
    domain_unicode: z.string().describe("The name as people read it"),
    registered_domain: nullable("The registration described; differs from domain for a host below it"),
    registered: z.boolean().nullable().describe("False: the registry says that it is not registered"),
    registrar: nullable("Who sold it"),
    registrar_iana_id: nullable("Digits"),
    registrar_url: nullable("Web site of the registrar"),
    registrar_abuse_email: nullable("Where to report abuse to the registrar"),
    registrar_abuse_phone: nullable("The same by telephone"),
    creation_date: nullable(
      "ISO 8601; the latest registration where the registry names several; null, as the other dates, where it can be read in two ways",
    ),
    expiration_date: nullable("ISO 8601"),
    updated_date: nullable("The domain's last change, ISO 8601"),
    domain_age_days: z
      .int()
      .nullable()
      .describe("Days since the domain was registered; null when that is not known"),
    domain_age_months: z.int().nullable().describe("Whole calendar months since creation"),
    domain_age_years: z.int().nullable().describe("Whole years since the domain was registered"),
    name_servers: texts("Lower case, sorted"),
    status: texts("EPP's spellings, sorted"),
    emails: texts("Every address found, lower case, sorted"),
    registrant_name: nullable("Null when redacted"),
    registrant_organization: nullable("Null when redacted"),
    registrant_state: nullable("State or province of the holder"),
    registrant_country: nullable("Country of the holder"),
    registrant_email_domain: nullable("Domain of the holder's mailbox"),
    registrant_email_is_free: z.boolean().nullable().describe("At a free mailbox provider"),
    privacy_protected: z
      .boolean()
      .nullable()
      .describe("Redacted, or a privacy service; null: nothing was said"),
    redacted_fields: texts("What was redacted"),
    dnssec: nullable("signedDelegation or unsigned, by the registry, else by DNS"),
    dnssec_status: z
      .enum(["secure", "unsigned", "zone_signed_no_ds", "broken"])
      .nullable()
      .describe("Whether the zone is signed, by the registry"),
    dnssec_zone_signed: z.boolean().nullable().describe("The zone publishes DNSKEY records"),
    dnssec_checked_at: nullable("ISO 8601; refreshed hourly"),
    ds_records: z.array(DsRecord).describe("DS records that the registry has"),
    source: Source,
    ...end,
  })
  .meta({ id: "WhoisDomainReport", description: "Registration of the domain" });

const numberFields = {
  query: z.string().describe("Normalised query"),
  input: z.string().describe("As it was sent"),
  handle: nullable("The registry's own name for it"),
  organization: nullable("Holder"),
  country: nullable("As the registry has it"),
  registry: z
    .enum(["arin", "ripe", "apnic", "lacnic", "afrinic"])
    .nullable()
    .describe("Registry that answered"),
  abuse_email: nullable("Where to report abuse"),
  abuse_phone: nullable("The same by telephone"),
  registration_date: nullable("ISO 8601; the latest registration where the registry names several"),
  updated_date: nullable("ISO 8601"),
  emails: texts("Every address found, lower case, sorted"),
  status: texts("As the registry has it"),
  contacts: z.array(ContactShape).describe("People and roles that the registry names"),
  remarks: texts("The registry's own words"),
  source: z.literal("rdap").nullable().describe("Protocol that answered"),
  ...end,
};

export const WhoisIpReport = z
  .object({
    type: z.literal("ip").describe("What was asked about"),
    network: nullable("Most specific registered network that holds the query"),
    start_address: nullable("First address of the network"),
    end_address: nullable("Last address of the network"),
    ip_version: z.int().nullable().describe("Version of the addresses"),
    network_name: nullable("The registry's name of the network"),
    cidrs: texts("The network as CIDR ranges"),
    parent_handle: nullable("Of the network around it"),
    network_type: nullable("The registry's word"),
    ...numberFields,
  })
  .meta({ id: "WhoisIpReport" });

export const WhoisAsnReport = z
  .object({
    type: z.literal("asn").describe("What was asked about"),
    asn: z.int().nullable().describe("The number"),
    asn_name: nullable("The registry's name of it"),
    asn_range: nullable("Set when the registry answered with a block of AS numbers"),
    asn_range_start: z.int().nullable().describe("First number of the range"),
    asn_range_end: z.int().nullable().describe("Last number of the range"),
    registered: z.boolean().nullable().describe("False: the registry says that it is not registered"),
    ...numberFields,
  })
  .meta({ id: "WhoisAsnReport" });

export const WhoisReportShape = z.union([WhoisDomainReport, WhoisIpReport, WhoisAsnReport]);

/** The view `verdict`: whether it is registered. */
export const WhoisVerdict = z
  .object({
    type: z.enum(KINDS).describe("What was asked about"),
    query: numberFields.query,
    lookup_status: LookupStatus,
    freshness: Freshness,
  })
  .meta({ id: "WhoisVerdict" });

export const FreeWhoisReport = z
  .object({
    query: z.string().describe("Normalised query"),
    input: z.string().describe("As it was sent"),
    message: z.string().describe("The result in one sentence"),
    type: z.enum(KINDS).default("domain").describe("What was asked about"),
    domain: nullable("Of a domain alone"),
    registrar: nullable("Who sold it; of a domain alone"),
    creation_date: nullable("ISO 8601"),
    expiration_date: nullable("ISO 8601"),
    domain_age_days: WhoisDomainReport.shape.domain_age_days,
    status: texts("EPP's spellings, sorted; of a domain alone"),
    name_servers: texts("Of a domain alone"),
    network: nullable("Of an address alone: the registered network around it"),
    asn: z.int().nullable().describe("Of an AS number alone"),
    name: nullable("Network or AS name"),
    organization: nullable("Holder of a network or AS number"),
    country: nullable("Its country, as the registry has it"),
    lookup_status: LookupStatus,
    source: Source,
    provenance: ProvenanceShape.pick({ server: true, registrar_server: true }).describe(
      "Which servers said it",
    ),
    fetched_at: fetchedAt,
    ...REPORT_END,
  })
  .meta({ id: "FreeWhoisReport", description: "The reduced registration" });

export type WhoisDomainReport = Wire<typeof WhoisDomainReport>;
export type WhoisIpReport = Wire<typeof WhoisIpReport>;
export type WhoisAsnReport = Wire<typeof WhoisAsnReport>;
export type WhoisReport = Wire<typeof WhoisReportShape>;
export type FreeWhoisReport = Wire<typeof FreeWhoisReport>;
