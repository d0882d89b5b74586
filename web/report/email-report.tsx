import {
  allOf,
  FROM_MAIL_SERVER,
  FROM_RESULT,
  FROM_TARGET,
  fromDns,
  fromEngines,
  fromLists,
  fromRegistries,
} from "../api/sources.gen.ts";
import type { EmailReport as EmailReportData } from "../api/types.gen.ts";
import { NO_MAIL_HOSTS } from "../api/words.gen.ts";
import { Verdict } from "./basis.tsx";
import { Engines } from "./engines.tsx";
import { Fact, Facts, Section } from "./facts.tsx";
import { Nothing, Unknown, useIsUnknown } from "./known.tsx";
import { HostLink, LookupLink } from "./links.tsx";
import { MailSecurity } from "./mail-security.tsx";
import { ageInDays, counted, sentence, words } from "./numbers.ts";
import { Mono, Outside } from "./outside.tsx";
import { Reasons } from "./reasons.tsx";
import { Sourced } from "./source.tsx";
import { ReportOf, UnknownFields } from "./unknown-fields.tsx";

/** Everything known of an e-mail address. */
export function EmailReport({ report }: { report: EmailReportData }) {
  const { risk_score: score, blacklists, freshness } = report;
  const now = freshness.computed_at;
  return (
    <ReportOf fields={report.unknown_fields}>
      <Verdict score={score} blacklists={blacklists} freshness={freshness} />
      <p className="in-a-sentence">
        <Sourced from={sentenceFrom(report)}>{emailSentence(report)}</Sourced>
      </p>
      <Suggestion report={report} />
      <div className="report-columns">
        <div>
          <Reasons score={score} blacklists={blacklists} now={now} />
          <Section
            title="Mail servers"
            from={allOf(fromDns(freshness, report.mx_status), fromEngines(freshness))}
          >
            <MailHosts report={report} />
          </Section>
          <Section title="Mail security" from={fromDns(freshness)}>
            <MailSecurity
              name={report.domain}
              spf={report.spf}
              dmarc={report.dmarc}
              freshness={freshness}
              isMissing={report.mx_status === "nxdomain"}
            />
            <Spoofing report={report} />
          </Section>
          <Engines blacklists={blacklists} freshness={freshness} />
        </div>
        <div className="report-side">
          <Section title="Address" from={fromLists(freshness)}>
            <AddressFacts report={report} />
          </Section>
          <UnknownFields fields={report.unknown_fields} />
        </div>
      </div>
    </ReportOf>
  );
}

/** A suggestion for a mistyped address, that leads to its report. */
function Suggestion({ report: { did_you_mean: address, freshness } }: { report: EmailReportData }) {
  if (address === null) return null;
  return (
    <p className="suggestion">
      <Sourced from={fromLists(freshness)}>Did you mean</Sourced> <LookupLink kind="email" value={address} />?
    </p>
  );
}

const FORMAT_ERRORS = {
  no_at: "there is no @ in it",
  local_part: "the part before the @ cannot be a mailbox",
  domain: "the part behind the @ is not a domain name",
  too_long: "it is too long",
  tld: "its top-level domain does not exist",
} as const;

/** With a bad format nothing is looked up. */
const sentenceFrom = ({ format_error: error, smtp, freshness }: EmailReportData): string =>
  error === null
    ? allOf(fromLists(freshness), fromDns(freshness), ...(smtp.checked ? [FROM_MAIL_SERVER] : []))
    : FROM_TARGET;

/** What the address is, said in one sentence. */
export function emailSentence(report: EmailReportData): string {
  if (report.format_error !== null) return `Not a valid address: ${FORMAT_ERRORS[report.format_error]}.`;
  const kind = kindOf(report);
  return `${kind}: ${deliveryOf(report)}.`;
}

function kindOf(report: EmailReportData): string {
  const at = report.mx_provider === null ? "" : ` at ${words(report.mx_provider)}`;
  if (report.is_privacy_relay) return `Forwarding alias${at}`;
  if (report.is_disposable) return "Throwaway mailbox";
  if (report.is_noreply) return "No-reply mailbox";
  if (report.is_role_address) return `Post rather than a person (${words(report.role ?? "role")})`;
  return report.is_free_provider
    ? `Mailbox at a free provider${report.mx_provider === null ? "" : at}`
    : `Mailbox${at}`;
}

function deliveryOf({ smtp, mx_status: status, is_privacy_relay: isRelay }: EmailReportData): string {
  if (smtp.checked) {
    if (smtp.outcome === "deliverable") return "its server takes mail for it";
    if (smtp.outcome === "undeliverable") return "its server refuses mail for it";
    if (smtp.outcome === "catch_all") return "its server takes mail for any address, so it may not exist";
    if (smtp.outcome === "greylisted") return "its server puts it off, so whether it exists is not known";
    if (status === "ok" || status === "implicit_a") return "its server did not say whether it exists";
  }
  switch (status) {
    case "ok":
      return isRelay
        ? "a real mailbox behind it"
        : "its domain takes mail; whether the mailbox exists was not asked";
    case "implicit_a":
      return "its domain names no mail server, mail goes to its address";
    case "none":
      return "its domain has no mail server";
    case "null_mx":
      return "its domain says that it takes no mail";
    case "nxdomain":
      return "its domain does not exist";
    default:
      return "whether its domain takes mail is unknown";
  }
}

/** Whether others may send mail in the name of the domain. */
function Spoofing({ report: { is_spoofable: isSpoofable, mx_status: status } }: { report: EmailReportData }) {
  const isUnknown = useIsUnknown();
  if (isSpoofable) {
    return (
      <p className="bad">
        {status === "nxdomain"
          ? "No policy refuses mail that is sent in the name of this domain."
          : "The policy of this domain does not refuse mail that others send in its name."}
      </p>
    );
  }
  if (!isUnknown("is_spoofable")) return null;
  return <Unknown>Whether its policy refuses forged mail is unknown.</Unknown>;
}

function MailHosts({ report: { mx_hosts: hosts, mx_status: status } }: { report: EmailReportData }) {
  const isUnknown = useIsUnknown();
  if (hosts.length === 0) {
    if (isUnknown("mx_hosts")) return <Unknown>Their addresses are unknown.</Unknown>;
    return (
      <p className="muted">{status === null ? "Not looked up." : `${sentence(NO_MAIL_HOSTS[status])}.`}</p>
    );
  }
  return (
    <ul className="mail-hosts">
      {hosts.slice(0, 10).map(({ host, priority, ips, detections }) => (
        <li key={host}>
          <span className="mono muted">{priority}</span>
          <div>
            <HostLink host={host} />
            <p className="muted">
              {ips.slice(0, 4).map((ip, i) => (
                <span key={ip}>
                  {i === 0 ? "" : ", "}
                  <HostLink host={ip} />
                </span>
              ))}
            </p>
          </div>
          <span className={detections > 0 ? "bad" : "muted"}>
            {detections > 0 ? `listed by ${counted(detections, "engine")}` : "listed by none"}
          </span>
        </li>
      ))}
      {hosts.length > 10 ? <li className="muted">and {hosts.length - 10} more</li> : null}
    </ul>
  );
}

function AddressFacts({ report }: { report: EmailReportData }) {
  const { freshness } = report;
  return (
    <Facts>
      <Fact name="Quality" of={["score", "should_block"]} from={FROM_RESULT}>
        {report.score} of 100{" "}
        <span className="muted">{report.should_block ? "block it" : "no reason to block it"}</span>
      </Fact>
      <Fact name="Throwaway mailbox" of="is_disposable">
        {report.is_disposable ? "yes" : "no"}
      </Fact>
      <Fact name="Free provider" of="is_free_provider">
        {report.is_free_provider ? "yes" : "no"}
      </Fact>
      <Fact name="Mail provider" of="mx_provider" from={fromDns(freshness, report.mx_status)}>
        <Outside text={report.mx_provider === null ? null : words(report.mx_provider)} most={80} />
      </Fact>
      <Fact name="Delivered as" from={FROM_TARGET}>
        <Mono text={report.normalized_email} most={120} />
      </Fact>
      <Fact name="Domain" from={FROM_TARGET}>
        <LookupLink kind="domain" value={report.domain} />
      </Fact>
      <Fact name="Kind of domain">
        {report.domain_category === "unknown" ? <Unknown /> : words(report.domain_category)}
      </Fact>
      <Fact name="Age of the domain" of="domain_age_days" from={fromRegistries(freshness)}>
        {report.domain_age_days === null ? <Nothing /> : ageInDays(report.domain_age_days)}
      </Fact>
      {report.is_suspicious_username ? (
        <Fact name="Looks made up" from={FROM_TARGET}>
          <Outside text={report.username_reasons.map(words).join(", ")} />
        </Fact>
      ) : null}
    </Facts>
  );
}
