import { counted } from "../../base/counted.ts";
import type { Style } from "../product.ts";
import { fromDns } from "../sources.ts";
import { wrapped } from "../terminal.ts";
import type { DnsReport } from "./report.ts";
import type { FreeDnsReport } from "./shape.ts";

/** The report for a person at a terminal: what the name is, its records, then what is not there and what failed. */
export function renderDnsReport(report: DnsReport, style: Style): string {
  return [
    ...headline(report, style),
    ...records(report, style),
    ...absent(report, style),
    ...failed(report, style),
    style.dim(wrapped("  From      ", fromDns(report.freshness), style.width)),
  ].join("\n");
}

function headline(report: DnsReport, style: Style): string[] {
  const { domain, domain_unicode: unicode, query_name: asked, cname_chain: chain } = report;
  const lines = [style.bold(domain), `  ${state(report, style)}`];
  if (unicode !== domain) lines.push(wrapped("  Written   ", unicode, style.width));
  if (asked !== domain) lines.push(wrapped("  Asked     ", asked, style.width));
  if (chain.length > 0) lines.push(wrapped("  Leads to  ", chain.join(" > "), style.width));
  return [...lines, ""];
}

function state({ exists, rcode, lookups, authenticated_data: validated }: DnsReport, style: Style): string {
  if (exists === null) return style.warn("Nothing was answered");
  if (exists === false) return style.bad("The name does not exist (NXDOMAIN)");
  const total = Object.values(lookups).reduce((sum, lookup) => sum + lookup.records_total, 0);
  const found = total === 0 ? "No record of the types asked for" : counted(total, "record");
  const dangling = rcode === "NXDOMAIN" ? style.bad(" · leads to a name that does not exist") : "";
  return `${found}${dangling}${validated ? style.good(" · DNSSEC validated") : ""}`;
}

const LABEL_WIDTH = 8;
const TTL_WIDTH = 8;

function records(report: DnsReport, style: Style): string[] {
  const lines = Object.values(report.records)
    .flat()
    .map((record) => recordLine(record, report, style));
  const cut = Object.entries(report.lookups).flatMap(([type, { records_total: total }]) => {
    const shown = Object.entries(report.records).find(([key]) => key === type)?.[1].length ?? total;
    return shown < total ? [style.warn(`  ${type}: ${shown} of ${total} shown`)] : [];
  });
  return lines.length + cut.length === 0 ? [] : [...lines, ...cut, ""];
}

function recordLine(
  record: FreeDnsReport["records"][number],
  { query_name: asked }: DnsReport,
  style: Style,
): string {
  const label = `  ${record.type.padEnd(LABEL_WIDTH)}${String(record.ttl).padStart(TTL_WIDTH)}  `;
  const owner = record.name === asked ? "" : ` (${record.name})`;
  return wrapped(label, record.value + owner, style.width);
}

function absent({ lookups, exists }: DnsReport, style: Style): string[] {
  const empty = Object.entries(lookups).filter(
    ([, { outcome }]) => outcome === "nodata" || outcome === "nxdomain",
  );
  if (empty.length === 0 || exists === false) return [];
  return [wrapped(style.dim("  None of "), empty.map(([type]) => type).join(", "), style.width, 10), ""];
}

function failed({ errors }: DnsReport, style: Style): string[] {
  if (errors.length === 0) return [];
  return [
    style.bold("No answer"),
    ...errors.map(({ type, outcome, message }) =>
      wrapped(`  ${type.padEnd(LABEL_WIDTH)}`, `${outcome}: ${message}`, style.width),
    ),
    "",
  ];
}
