import { CircleDashed, CircleMinus, Info } from "lucide-react";
import { fromRegistryAnswer } from "../api/sources.gen.ts";
import type { WhoisAsnReport, WhoisDomainReport, WhoisIpReport, WhoisProvenance } from "../api/types.gen.ts";
import { DataAge } from "./basis.tsx";
import { Fact, Facts, Section } from "./facts.tsx";
import { Unknown, useIsUnknown } from "./known.tsx";
import { OutsideLink } from "./links.tsx";
import { Ago } from "./moment.tsx";
import { ageInDays, words } from "./numbers.ts";
import { Mono, Outside } from "./outside.tsx";
import { Timeline, type TimelineItem } from "./timeline.tsx";
import { ReportOf, UnknownFields } from "./unknown-fields.tsx";
import { Contacts, DomainFacts, NumberFacts, Remarks } from "./whois-facts.tsx";

export type WhoisReportData = WhoisDomainReport | WhoisIpReport | WhoisAsnReport;

/** What a registry says of a domain, a network or an AS number. */
export function WhoisReport({ report }: { report: WhoisReportData }) {
  const now = report.freshness.computed_at;
  const from = fromRegistryAnswer(report);
  return (
    <ReportOf fields={report.unknown_fields}>
      <RegistrationLine report={report} />
      <div className="report-columns">
        <div>
          <Section title="Timeline" from={from}>
            <Timeline items={registrationTimes(report)} now={now} />
            <UnknownDates report={report} />
          </Section>
          <Section title={report.type === "domain" ? "Registration" : "Holder"} from={from}>
            {report.lookup_status === "not_found" ? <p>Not registered.</p> : <Holder report={report} />}
          </Section>
        </div>
        <div className="report-side">
          {report.type === "domain" ? null : (
            <Section title="Contacts" from={from}>
              <Contacts contacts={report.contacts} />
            </Section>
          )}
          {report.type === "domain" ? null : (
            <Section title="Remarks" from={from}>
              <Remarks remarks={report.remarks} />
            </Section>
          )}
          <Section title="Where this comes from" from={from}>
            <Provenance report={report} />
          </Section>
          <UnknownFields fields={report.unknown_fields} />
        </div>
      </div>
    </ReportOf>
  );
}

const Holder = ({ report }: { report: WhoisReportData }) =>
  report.type === "domain" ? <DomainFacts whois={report} /> : <NumberFacts whois={report} />;

/** The dates that the line of time lacks, and why. */
export function UnknownDates({ report }: { report: WhoisReportData }) {
  const isUnknown = useIsUnknown();
  const isFree =
    report.lookup_status === "not_found" || (report.type === "domain" && report.registered === false);
  if (isFree) return <p className="muted">None: it is not registered.</p>;
  const missing = datesOf(report).filter(({ at }) => at === null);
  if (missing.length === 0) return null;
  return (
    <ul className="plain-list muted">
      {missing.map(({ field, name }) => (
        <li key={field}>
          {name}: {isUnknown(field) ? <Unknown /> : "not given by the registry"}
        </li>
      ))}
    </ul>
  );
}

const datesOf = (report: WhoisReportData) =>
  report.type === "domain"
    ? [
        { field: "creation_date", name: "Created", at: report.creation_date },
        { field: "expiration_date", name: "Expires", at: report.expiration_date },
        { field: "updated_date", name: "Last change", at: report.updated_date },
      ]
    : [
        { field: "registration_date", name: "Registered", at: report.registration_date },
        { field: "updated_date", name: "Changed", at: report.updated_date },
      ];

function RegistrationLine({ report }: { report: WhoisReportData }) {
  const { lookup_status: status, error } = report;
  const isUnknown = useIsUnknown();
  const Icon = status === "ok" ? Info : status === "not_found" ? CircleMinus : CircleDashed;
  return (
    <section className={`verdict answer-${status ?? "error"}`} aria-label="Answer">
      <div className="verdict-line">
        <p className="verdict-word">
          <Icon aria-hidden="true" className="verdict-icon" />
          <strong>
            {status === "ok" ? "Registered" : status === "not_found" ? "Not registered" : "No answer"}
          </strong>
          {report.type === "domain" && report.domain_age_days !== null ? (
            <span className="verdict-of"> for {ageInDays(report.domain_age_days)}</span>
          ) : status === "ok" && report.type === "domain" && isUnknown("domain_age_days") ? (
            <span className="verdict-of"> for an unknown time</span>
          ) : null}
        </p>
        <p className="verdict-basis source">
          {error === null ? (
            <DataAge freshness={report.freshness} isAsked={status === "ok"} />
          ) : (
            <Outside text={error.message} />
          )}
        </p>
      </div>
    </section>
  );
}

/** The dates of a registration. */
export function registrationTimes(report: WhoisReportData): readonly TimelineItem[] {
  if (report.type !== "domain") {
    const { registration_date: from, updated_date: updated } = report;
    return [
      ...(from === null ? [] : [{ name: "Registered", from, to: null }]),
      ...(updated === null ? [] : [{ name: "Changed", from: updated, to: null }]),
    ];
  }
  const { creation_date: from, expiration_date: to, updated_date: updated } = report;
  return [
    ...(from === null ? [] : [{ name: "Registration", from, to }]),
    ...(updated === null ? [] : [{ name: "Last change", from: updated, to: null }]),
  ];
}

function Provenance({ report }: { report: WhoisReportData }) {
  const { provenance, source, fetched_at: at, freshness, terms_of_service_url: terms } = report;
  return (
    <Facts>
      <Fact name="Server">
        <Mono text={provenance.server} most={120} />
      </Fact>
      <Fact name="Protocol">{source === null ? <Unknown /> : protocolText(source, provenance)}</Fact>
      <Fact name="Asked">
        <Ago at={at} now={freshness.computed_at} />
      </Fact>
      {provenance.registrar_server === null ? null : (
        <Fact name="Gaps filled by">
          <Mono text={provenance.registrar_server} most={120} />
        </Fact>
      )}
      {terms === null ? null : (
        <Fact name="Terms of use">
          <OutsideLink href={terms}>{terms}</OutsideLink>
        </Fact>
      )}
    </Facts>
  );
}

function protocolText(source: "rdap" | "whois", { fallback_reason: reason }: WhoisProvenance): string {
  const name = source.toUpperCase();
  return reason === null ? name : `${name}, as RDAP gave none (${words(reason)})`;
}
