import type { RegistryLookup } from "../../registry-data/outcome.ts";
import type { AsnRegistration, IpRegistration, NumberRegistration } from "../../registry-data/types.ts";
import { endOf, type Gathered } from "./common-report.ts";
import type { WhoisAsnReport, WhoisIpReport } from "./shape.ts";
import type { WhoisTarget } from "./target.ts";

type IpTarget = Extract<WhoisTarget, { kind: "ip" }>;
type AsnTarget = Extract<WhoisTarget, { kind: "asn" }>;

/** A network's registration as it stands on the wire: interface 2.11, design 10; pure. */
export function reportIp(
  target: IpTarget,
  lookup: RegistryLookup<IpRegistration>,
  gathered: Gathered,
): WhoisIpReport {
  const found = lookup.registration;
  return {
    type: "ip",
    network: found?.network ?? null,
    start_address: found?.startAddress ?? null,
    end_address: found?.endAddress ?? null,
    ip_version: target.network.version === "v4" ? 4 : 6,
    network_name: found?.networkName ?? null,
    cidrs: found?.cidrs ?? [],
    parent_handle: found?.parentHandle ?? null,
    network_type: found?.networkType ?? null,
    ...numberOf(target, lookup, gathered, IP_FIELDS),
  };
}

/** An AS number's registration as it stands on the wire: interface 2.11, design 10; pure. */
export function reportAsn(
  target: AsnTarget,
  lookup: RegistryLookup<AsnRegistration>,
  gathered: Gathered,
): WhoisAsnReport {
  const found = lookup.registration;
  const range = found?.asnRange ?? null;
  return {
    type: "asn",
    asn: target.asn,
    asn_name: found?.asnName ?? null,
    asn_range: range === null ? null : `AS${range.first} - AS${range.last}`,
    asn_range_start: range?.first ?? null,
    asn_range_end: range?.last ?? null,
    registered: lookup.status === "not_found" ? false : (found?.registered ?? null),
    ...numberOf(target, lookup, gathered, ASN_FIELDS),
  };
}

function numberOf(
  { query, input }: IpTarget | AsnTarget,
  lookup: RegistryLookup<NumberRegistration>,
  gathered: Gathered,
  ownFields: readonly string[],
) {
  const found = lookup.registration;
  return {
    query,
    input,
    handle: found?.handle ?? null,
    organization: found?.organization ?? null,
    country: found?.country ?? null,
    registry: found?.registry ?? null,
    abuse_email: found?.abuseEmail ?? null,
    abuse_phone: found?.abusePhone ?? null,
    registration_date: found?.registrationDate ?? null,
    updated_date: found?.updatedDate ?? null,
    emails: found?.emails ?? [],
    status: found?.statuses ?? [],
    contacts: found?.contacts ?? [],
    remarks: found?.remarks ?? [],
    source: lookup.source === "rdap" ? lookup.source : null,
    terms_of_service_url: found?.termsOfServiceUrl ?? null,
    ...endOf(lookup, gathered, { registry: [...NUMBER_FIELDS, ...ownFields], others: [] }),
  };
}

/** What only the registry tells, by the names on the wire. */
const NUMBER_FIELDS = [
  "abuse_email",
  "abuse_phone",
  "contacts",
  "country",
  "emails",
  "handle",
  "organization",
  "registration_date",
  "registry",
  "remarks",
  "status",
  "terms_of_service_url",
  "updated_date",
];
const IP_FIELDS = [
  "cidrs",
  "end_address",
  "network",
  "network_name",
  "network_type",
  "parent_handle",
  "start_address",
];
const ASN_FIELDS = ["asn_name", "asn_range", "asn_range_end", "asn_range_start", "registered"];
