import { CircleDashed, CircleMinus, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { FROM_TARGET, fromDns, fromLists, fromRegistryAnswer } from "../api/sources.gen.ts";
import type { FreeDnsLookupReport, FreeEmailReport, FreeWhoisReport } from "../api/types.gen.ts";
import { DataAge } from "./basis.tsx";
import { RecordTable } from "./dns-records.tsx";
import { Fact, Facts, Section } from "./facts.tsx";
import { FreeRegistration } from "./free-reports.tsx";
import { Unknown } from "./known.tsx";
import { LookupLink } from "./links.tsx";
import { counted } from "./numbers.ts";
import { Outside } from "./outside.tsx";
import { ReportOf } from "./unknown-fields.tsx";
import { HostList } from "./whois-facts.tsx";

// Free reports that have an answer and no score.

type AnswerProps = {
  state: "ok" | "not_found" | "error" | "warning";
  word: string;
  children?: ReactNode;
};

const SIGNS = {
  ok: Info,
  not_found: CircleMinus,
  error: CircleDashed,
  warning: TriangleAlert,
} as const;

/** The first line of a report that has no score. */
function AnswerLine({ state, word, children }: AnswerProps) {
  const Icon = SIGNS[state];
  return (
    <section className={`verdict answer-${state}`} aria-label="Answer">
      <div className="verdict-line">
        <p className="verdict-word">
          <Icon aria-hidden="true" className="verdict-icon" />
          <strong>
            <Outside text={word.replace(/\.$/, "")} most={120} />
          </strong>
        </p>
        <p className="verdict-basis muted source">{children}</p>
      </div>
    </section>
  );
}

const WELL_FORMED = "Well formed; whether mail arrives was not asked";

/** The free tool's report of an e-mail address. It asks no server, so that a good form is all it can find. */
export function FreeEmail({ report }: { report: FreeEmailReport }) {
  const state = report.is_valid_format ? (report.is_disposable ? "warning" : "ok") : "not_found";
  const domain = report.email.slice(report.email.lastIndexOf("@") + 1);
  const unknown = (field: string, is: boolean) =>
    report.unknown_fields.includes(field) ? <Unknown /> : is ? "yes" : "no";
  return (
    <div className="report">
      <AnswerLine state={state} word={state === "ok" ? WELL_FORMED : report.message}>
        <DataAge freshness={report.freshness} isAsked={report.is_valid_format} />
      </AnswerLine>
      <Section title="Address" from={fromLists(report.freshness)}>
        <Facts>
          <Fact name="On a list of throwaway domains">{unknown("is_disposable", report.is_disposable)}</Fact>
          <Fact name="Free provider">{unknown("is_free_provider", report.is_free_provider)}</Fact>
          {report.did_you_mean === null ? null : (
            <Fact name="Did you mean">
              <LookupLink kind="email" value={report.did_you_mean} />
            </Fact>
          )}
          {report.is_valid_format ? (
            <Fact name="Domain" from={FROM_TARGET}>
              <LookupLink kind="domain" value={domain} />
            </Fact>
          ) : null}
        </Facts>
      </Section>
    </div>
  );
}

/** The free tool's report of DNS records. */
export function FreeDns({ report }: { report: FreeDnsLookupReport }) {
  const hidden = report.records_total - report.records.length;
  const state = report.unknown_fields.length > 0 ? "error" : report.records.length > 0 ? "ok" : "not_found";
  return (
    <div className="report">
      <AnswerLine state={state} word={report.message}>
        asked for this report, {report.elapsed_ms} ms
      </AnswerLine>
      {report.records.length === 0 ? null : (
        <Section title="Records" from={fromDns(report.freshness)}>
          <RecordTable records={report.records} caption={`${report.record_type} records`} />
          {hidden > 0 ? <p className="muted">{counted(hidden, "more record")} with an account.</p> : null}
        </Section>
      )}
    </div>
  );
}

/** The free tool's report of a registration. */
export function FreeWhois({ report }: { report: FreeWhoisReport }) {
  const state = report.lookup_status ?? "error";
  return (
    <ReportOf fields={report.unknown_fields}>
      <AnswerLine state={state} word={report.message}>
        <DataAge freshness={report.freshness} isAsked={state === "ok"} />
      </AnswerLine>
      {state === "ok" ? (
        <Section
          title={report.type === "domain" ? "Registration" : "Holder"}
          from={fromRegistryAnswer(report)}
        >
          <Facts>
            {report.type === "domain" ? (
              <FreeDomainWhois report={report} />
            ) : (
              <FreeNumberWhois report={report} />
            )}
          </Facts>
        </Section>
      ) : null}
    </ReportOf>
  );
}

function FreeDomainWhois({ report }: { report: FreeWhoisReport }) {
  return (
    <>
      <Fact name="Domain">
        <LookupLink kind="domain" value={report.domain ?? report.query} />
      </Fact>
      <FreeRegistration report={report} />
      <Fact name="Status" of="status">
        <Outside text={report.status.slice(0, 20).join(", ")} />
      </Fact>
      <Fact name="Name servers" of="name_servers">
        <HostList hosts={report.name_servers} />
      </Fact>
    </>
  );
}

function FreeNumberWhois({ report }: { report: FreeWhoisReport }) {
  return (
    <>
      <Fact name={report.type === "asn" ? "AS number" : "Network"}>
        <LookupLink
          kind="whois"
          value={report.type === "asn" ? `AS${report.asn ?? ""}` : (report.network ?? report.query)}
        />
      </Fact>
      <Fact name="Name" of="name">
        <Outside text={report.name} most={120} />
      </Fact>
      <Fact name="Holder" of="organization">
        <Outside text={report.organization} most={160} />
      </Fact>
      <Fact name="Country" of="country">
        <Outside text={report.country} most={60} />
      </Fact>
    </>
  );
}
