import { counted } from "../../base/counted.ts";
import type { DnsReport } from "./report.ts";
import type { FreeDnsReport } from "./shape.ts";

/** Interface 8.4. */
const SHOWN_RECORDS = 5;

/** The reduced answer of the free tool: interface 2.13, design 12. */
export function toFreeDnsReport(report: DnsReport): FreeDnsReport {
  const total = totalOf(report);
  return {
    domain: report.domain,
    input: report.input,
    domain_unicode: report.domain_unicode,
    registered_domain: report.registered_domain,
    record_type: Object.keys(report.lookups).join(","),
    message: messageOf(report, total),
    records: Object.values(report.records).flat().slice(0, SHOWN_RECORDS),
    records_total: total,
    freshness: report.freshness,
    unknown_fields: report.unknown_fields.length === 0 ? [] : ["records"],
    elapsed_ms: report.elapsed_ms,
  };
}

const totalOf = ({ lookups }: DnsReport): number =>
  Object.values(lookups).reduce((total, lookup) => total + lookup.records_total, 0);

function messageOf({ lookups, errors, exists }: DnsReport, total: number): string {
  const types = Object.keys(lookups);
  const [failure] = errors;
  if (failure !== undefined && errors.length === types.length)
    return `The lookup failed: ${failure.outcome}.`;
  if (exists === false) return "The name does not exist.";
  const noun = types.length === 1 ? `${types[0]} record` : "record";
  const found = total === 0 ? `No ${noun}s.` : `${counted(total, noun)}.`;
  return errors.length === 0
    ? found
    : `${found} No answer about ${errors.map(({ type }) => type).join(", ")}.`;
}
