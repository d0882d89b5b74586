import { CircleDashed, CircleMinus, Info } from "lucide-react";
import { fromDns } from "../api/sources.gen.ts";
import type { DnsLookupReport } from "../api/types.gen.ts";
import { RecordTable } from "./dns-records.tsx";
import { Section } from "./facts.tsx";
import { HostLink } from "./links.tsx";
import { count, counted, words } from "./numbers.ts";
import { Mono, Outside } from "./outside.tsx";
import { ReportOf } from "./unknown-fields.tsx";

/** The records of a name, type by type, and how each question ended. */
export function DnsReport({ report }: { report: DnsLookupReport }) {
  const types = Object.entries(report.lookups);
  const from = fromDns(report.freshness);
  const answered = types.filter(([type]) => (report.records[type] ?? []).length > 0);
  return (
    <ReportOf fields={report.unknown_fields}>
      <ExistsLine report={report} />
      <div className="report-columns">
        <div>
          {answered.length === 0 ? (
            <Section title="Records" from={from}>
              <p className="muted">No records.</p>
            </Section>
          ) : null}
          {answered.map(([type, { records_total: total }]) => (
            <Section key={type} title={type} note={counted(total, "record")} from={from}>
              <RecordTable records={report.records[type] ?? []} caption={`${type} records`} />
            </Section>
          ))}
        </div>
        <div className="report-side">
          <Section title="How each question ended" from={from}>
            <Outcomes report={report} />
          </Section>
          {report.cname_chain.length === 0 ? null : (
            <Section title="Alias" from={from}>
              <ol className="plain-list">
                {report.cname_chain.slice(0, 12).map((name) => (
                  <li key={name}>
                    <HostLink host={name} />
                  </li>
                ))}
              </ol>
            </Section>
          )}
        </div>
      </div>
    </ReportOf>
  );
}

function ExistsLine({ report }: { report: DnsLookupReport }) {
  const { exists } = report;
  const Icon = exists === null ? CircleDashed : exists ? Info : CircleMinus;
  const status = exists === null ? "error" : exists ? "ok" : "not_found";
  const total = Object.values(report.lookups).reduce((sum, { records_total: one }) => sum + one, 0);
  return (
    <section className={`verdict answer-${status}`} aria-label="Answer">
      <div className="verdict-line">
        <p className="verdict-word">
          <Icon aria-hidden="true" className="verdict-icon" />
          <strong>
            {exists === null ? "No answer" : exists ? counted(total, "record") : "Does not exist"}
          </strong>
        </p>
        <p className="verdict-basis">
          {report.query_name === report.domain ? null : (
            <>
              asked as <Mono text={report.query_name} most={100} /> ·{" "}
            </>
          )}
          {report.authenticated_data ? "validated by the resolver (DNSSEC)" : "not validated by the resolver"}{" "}
          · <span className="source">asked for this report, {count(report.elapsed_ms)} ms</span>
        </p>
      </div>
    </section>
  );
}

const WORDS: Readonly<Record<string, string>> = {
  ok: "answered",
  nodata: "no such records",
  nxdomain: "name does not exist",
  servfail: "server failure",
};

function Outcomes({ report: { lookups, errors } }: { report: DnsLookupReport }) {
  const messages = new Map(errors.map(({ type, message }) => [String(type), message]));
  return (
    <ul className="outcomes">
      {Object.entries(lookups).map(([type, { outcome, records_total: total }]) => (
        <li key={type} className={messages.has(type) ? "outcome-failed" : ""}>
          <span className="record-type">{type}</span>
          <span>
            {WORDS[outcome] ?? words(outcome)}
            {total > 0 ? `, ${counted(total, "record")}` : ""}
            {messages.has(type) ? (
              <span className="muted">
                {": "}
                <Outside text={messages.get(type)} most={120} />
              </span>
            ) : null}
          </span>
        </li>
      ))}
    </ul>
  );
}
