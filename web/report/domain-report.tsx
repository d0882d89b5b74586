import type { Certificate, DomainDns, DomainReport as DomainReportData } from "../api/types.gen.ts";
import { Verdict } from "./basis.tsx";
import { CertificateFacts } from "./certificate.tsx";
import { DnsRecordsOf, Hosts } from "./domain-dns.tsx";
import { Engines } from "./engines.tsx";
import { Fact, Facts, Section, Tags } from "./facts.tsx";
import { LookupLink } from "./links.tsx";
import { MailSecurity } from "./mail-security.tsx";
import { ageInDays, count, words } from "./numbers.ts";
import { Outside, Unknown } from "./outside.tsx";
import { GeographyCredit } from "./place.tsx";
import { Reasons } from "./reasons.tsx";
import { Timeline, type TimelineItem } from "./timeline.tsx";
import { UnknownFields } from "./unknown-fields.tsx";
import { DomainFacts as RegistrationFacts } from "./whois-facts.tsx";
import { registrationTimes } from "./whois-report.tsx";

/** Everything known of a domain or a host. */
export function DomainReport({ report }: { report: DomainReportData }) {
  const { risk_score: score, blacklists, freshness, whois, ssl, dns, facts } = report;
  const now = freshness.computed_at;
  return (
    <div className="report">
      <Verdict score={score} blacklists={blacklists} freshness={freshness} />
      <div className="report-columns">
        <div>
          <Reasons score={score} blacklists={blacklists} now={now} />
          <Section title="Timeline">
            <Timeline items={times(report)} now={now} />
            {times(report).length === 0 ? <Unknown>no dates known</Unknown> : null}
          </Section>
          <Section title="Mail security">
            <MailSecurity
              name={report.domain}
              spf={dns.spf}
              dmarc={dns.dmarc}
              dns={dns}
              unknown={report.unknown_fields}
              isMissing={dns.status === "nxdomain"}
            />
          </Section>
          <DnsPart dns={dns} />
          <Engines blacklists={blacklists} now={now} />
        </div>
        <div className="report-side">
          <Section title="Name">
            <NameFacts report={report} />
            <Traits names={traitsOf(facts)} />
          </Section>
          <Section title="Registration">
            {whois.lookup_status === "error" ? (
              <p className="muted">
                The registry gave no answer: <Outside text={whois.error?.message} />
              </p>
            ) : (
              <RegistrationFacts whois={whois} />
            )}
          </Section>
          <Section title="Certificate">
            <CertificateFacts certificate={ssl} />
          </Section>

          <UnknownFields fields={report.unknown_fields} />
          {dns.hosts.some(({ country_code: code, isp }) => code !== "" || isp !== "") ? (
            <GeographyCredit />
          ) : null}
        </div>
      </div>
    </div>
  );
}

const DNS_NOTES: Readonly<Record<DomainDns["status"], string | undefined>> = {
  ok: undefined,
  nxdomain: "the name does not exist",
  servfail: "server failure",
  timeout: "no answer in time",
  error: "no answer",
};

function DnsPart({ dns }: { dns: DomainDns }) {
  return (
    <Section title="DNS" note={DNS_NOTES[dns.status]}>
      <Hosts dns={dns} />
      <DnsRecordsOf dns={dns} />
    </Section>
  );
}

const times = ({ whois, ssl }: DomainReportData): readonly TimelineItem[] => [
  ...registrationTimes(whois),
  ...certificateTimes(ssl),
];

const certificateTimes = ({ valid_from: from, valid_to: to }: Certificate): readonly TimelineItem[] =>
  from === null ? [] : [{ name: "Certificate", from, to }];

function NameFacts({
  report: { facts, domain_unicode: unicode, domain, registered_domain: registered },
}: Props) {
  return (
    <Facts>
      <Fact name="Registered domain">
        {registered === null ? (
          <Unknown>none: a public suffix</Unknown>
        ) : (
          <LookupLink kind="domain" value={registered} />
        )}
      </Fact>
      {unicode === domain ? null : (
        <Fact name="Reads as">
          <Outside text={unicode} most={120} />
        </Fact>
      )}
      <Fact name="Age">{facts.age_days === null ? <Unknown /> : ageInDays(facts.age_days)}</Fact>
      <Fact name="Popularity">
        {facts.top_list_rank === null ? "not in the top list" : `rank ${count(facts.top_list_rank)}`}
      </Fact>
      <Likeness facts={facts} />
      <Relation facts={facts} />
    </Facts>
  );
}

type Props = { report: DomainReportData };

function Traits({ names }: { names: readonly string[] }) {
  return names.length === 0 ? null : <Tags names={names} none="" />;
}

function Likeness({ facts }: { facts: DomainReportData["facts"] }) {
  const like = facts.homoglyph_of ?? facts.lookalike_of;
  if (like === null) return null;
  return (
    <Fact name="Looks like">
      <LookupLink kind="domain" value={like} />{" "}
      <span className="muted">
        {facts.lookalike_kind === null ? "by its letters" : words(facts.lookalike_kind)}
      </span>
    </Fact>
  );
}

const RELATIONS: Readonly<Record<NonNullable<DomainReportData["facts"]["brand_related_by"]>, string>> = {
  listed: "one of its domains",
  registrant: "same registrant",
  name_servers: "same name servers",
  network: "same network",
  label: "its name under another suffix",
};

function Relation({
  facts: { brand_related_to: brand, brand_related_by: by },
}: Pick<Props["report"], "facts">) {
  if (brand === null || by === null) return null;
  return (
    <Fact name="Related to">
      <LookupLink kind="domain" value={brand} /> <span className="muted">{RELATIONS[by]}</span>
    </Fact>
  );
}

/** What is true of a name, in words. */
export function traitsOf(facts: DomainReportData["facts"]): readonly string[] {
  const traits: readonly (readonly [boolean, string])[] = [
    [facts.is_very_recent, "registered this week"],
    [facts.is_recent && !facts.is_very_recent, "registered this month"],
    [facts.is_parked, "parked"],
    [facts.is_sinkholed, "sinkholed"],
    [facts.is_dynamic_dns, "dynamic DNS"],
    [facts.is_free_hosting, "free hosting"],
    [facts.is_url_shortener, "URL shortener"],
    [facts.is_disposable_email, "throwaway mail"],
    [facts.is_risky_tld, "risky top-level domain"],
    [facts.is_idn, "international name"],
  ];
  return traits.filter(([holds]) => holds).map(([, name]) => name);
}
