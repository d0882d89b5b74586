import { z } from "zod";
import type { Wire } from "../../base/wire.ts";
import { RecordObjectShape } from "../../enrichment/dns-facts/record-shape.ts";
import { OUTCOMES } from "../../net/dns/dns-reading.ts";
import { RECORD_TYPES } from "../../net/dns/dns-types.ts";
import { Freshness } from "../../risk/shapes.ts";
import { addRefusal, REPORT_END, textOfKind } from "../shapes.ts";
import { parseRecordTypes } from "./record-types.ts";
import { dnsTargetOf, parseSubject } from "./target.ts";

const name = textOfKind(parseSubject).describe(
  "Name, also with `_` labels, or an IP address, whose reverse name is asked for PTR",
);
const types = textOfKind(parseRecordTypes);
const TYPES_TEXT =
  `Record type, or several with commas between: ${RECORD_TYPES.join(", ")}. ` +
  "ALL is A, AAAA, CNAME, MX, NS, TXT, SOA, CAA, DS, DNSKEY and HTTPS; of an address it is PTR";

/** Which types may be asked depends on the name: the fault is the type's. */
const judgeTogether = (
  { domain, record_type: type }: { readonly domain: string; readonly record_type: string },
  context: z.core.$RefinementCtx,
) => addRefusal(context, () => dnsTargetOf(domain, type), ["record_type"]);

export const DnsLookupInput = z
  .object({ domain: name, record_type: types.default("ALL").describe(TYPES_TEXT) })
  .superRefine(judgeTogether)
  .meta({ id: "DnsLookupRequest" });

/** The free tool asks for A when nothing is said; of an address that is PTR all the same. */
export const FreeDnsInput = z
  .object({
    domain: name,
    record_type: types.optional().describe(TYPES_TEXT).meta({ default: "A" }),
  })
  .transform(({ domain, record_type: type }) => ({ domain, record_type: type ?? defaultTypeOf(domain) }))
  .superRefine(judgeTogether)
  .meta({ id: "FreeDnsLookupRequest" });

const defaultTypeOf = (domain: string): string => ("version" in parseSubject(domain) ? "PTR" : "A");

const Type = z.enum(RECORD_TYPES);
const Outcome = z.enum(OUTCOMES);

export const LookupShape = z
  .object({
    outcome: Outcome.describe("How the question ended"),
    rcode: z.string().nullable().describe("What the resolver answered, e.g. NOERROR; null on time-out"),
    authenticated_data: z.boolean().describe("The resolver says that it validated the answer (AD)"),
    authority: z.string().nullable().describe("Of a negative answer: zone of its SOA"),
    records_total: z.int().describe("Records received; more than shown when there were too many"),
    elapsed_ms: z.int().describe("Time that the work took, milliseconds"),
  })
  .meta({ id: "DnsTypeLookup" });

export const DnsReportShape = z
  .object({
    domain: z.string().describe("The name as A-labels in lower case, or the address in its one spelling"),
    input: z.string().describe("As it was sent"),
    domain_unicode: z.string().describe("The name as people read it"),
    registered_domain: z.string().nullable().describe("By the public suffix list, private section included"),
    query_name: z.string().describe("The name really asked: of an address its reverse name"),
    records: z
      .partialRecord(Type, z.array(RecordObjectShape))
      .describe("Every type that was answered, empty when it has no records. A type that failed is not here"),
    lookups: z.partialRecord(Type, LookupShape).describe("How each type's question ended"),
    rcode: z.string().nullable().describe("NXDOMAIN when any type says so, else NOERROR when any answered"),
    exists: z.boolean().nullable().describe("Null when nothing was answered"),
    authenticated_data: z.boolean().describe("Every type that was answered has AD"),
    cname_chain: z.array(z.string()).describe("Names followed, in order"),
    errors: z
      .array(
        z.object({
          type: Type.describe("Record type"),
          outcome: Outcome.describe("How its question ended"),
          message: z.string().describe("Why, for people"),
        }),
      )
      .describe("Types that failed"),
    freshness: Freshness,
    unknown_fields: z.array(z.string()).describe("Paths of what was asked for and not found out"),
    elapsed_ms: z.int().default(0).describe("Time that the work took, milliseconds"),
  })
  .meta({ id: "DnsLookupReport" });

/** The view `verdict`: whether the name is there. */
export const DnsVerdict = DnsReportShape.pick({
  domain: true,
  rcode: true,
  exists: true,
  freshness: true,
}).meta({
  id: "DnsLookupVerdict",
});

export const FreeDnsReport = z
  .object({
    domain: z.string().describe("The name as A-labels in lower case, or the address in its one spelling"),
    input: z.string().describe("As it was sent"),
    domain_unicode: z.string().describe("The name as people read it"),
    registered_domain: z.string().nullable().describe("The name one below its public suffix"),
    record_type: z.string().describe("Record types that were asked for"),
    message: z.string().describe("The result in one sentence"),
    records: z.array(RecordObjectShape).describe("Up to five"),
    records_total: z.int().describe("How many there are"),
    ...REPORT_END,
  })
  .meta({ id: "FreeDnsLookupReport", description: "The reduced answer of DNS" });

export type FreeDnsReport = Wire<typeof FreeDnsReport>;
