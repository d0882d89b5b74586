import {
  allOf,
  FROM_SUFFIXES,
  FROM_TARGET,
  fromDns,
  fromEngines,
  fromLists,
  fromRegistryAnswer,
  fromServer,
  fromTable,
} from "../api/sources.gen.ts";
import type { Certificate, DomainDns, DomainReport as DomainReportData } from "../api/types.gen.ts";
import { DOMAIN_TRAITS, RELATIONS } from "../api/words.gen.ts";
import { Verdict } from "./basis.tsx";
import { CertificateFacts } from "./certificate.tsx";
import { DnsRecordsOf, Hosts } from "./domain-dns.tsx";
import { Engines } from "./engines.tsx";
import { Fact, Facts, Section, type Trait, Traits } from "./facts.tsx";
import { Below } from "./known.tsx";
import { LookupLink } from "./links.tsx";
import { MailSecurity } from "./mail-security.tsx";
import { ageInDays, count, words } from "./numbers.ts";
import { Outside } from "./outside.tsx";
import { GeographyCredit } from "./place.tsx";
import { Reasons } from "./reasons.tsx";
import { Timeline, type TimelineItem } from "./timeline.tsx";
import { ReportOf, UnknownFields } from "./unknown-fields.tsx";
import { DomainFacts as RegistrationFacts } from "./whois-facts.tsx";
import { registrationTimes, UnknownDates } from "./whois-report.tsx";

/** Everything known of a domain or a host. */
export function DomainReport({ report }: { report: DomainReportData }) {
  const { risk_score: score, blacklists, freshness, whois, ssl, dns } = report;
  const now = freshness.computed_at;
  return (
    <ReportOf fields={report.unknown_fields}>
      <Verdict score={score} blacklists={blacklists} freshness={freshness} />
      <div className="report-columns">
        <div>
          <Reasons score={score} blacklists={blacklists} now={now} />
          <Section title="Timeline" from={timesFrom(report)}>
            <Timeline items={times(report)} now={now} />
            <Below path="whois">
              <UnknownDates report={whois} />
            </Below>
          </Section>
          <Section title="Mail security" from={fromDns(freshness)}>
            <MailSecurity
              name={report.domain}
              spf={dns.spf}
              dmarc={dns.dmarc}
              dns={dns}
              freshness={freshness}
              isMissing={dns.status === "nxdomain"}
            />
          </Section>
          <DnsPart dns={dns} freshness={freshness} />
          <Engines blacklists={blacklists} freshness={freshness} />
        </div>
        <div className="report-side">
          <Section title="Name" from={fromLists(freshness)}>
            <NameFacts report={report} />
            <Traits traits={traitsOf(report)} none="No known role" />
          </Section>
          <Section title="Registration" from={fromRegistryAnswer(whois)}>
            <Below path="whois">
              <Registration whois={whois} />
            </Below>
          </Section>
          <Section title="Certificate" from={fromServer(report.ssl)}>
            <CertificateFacts certificate={ssl} />
          </Section>
          <UnknownFields fields={report.unknown_fields} />
          {dns.hosts.some(({ country_code: code, isp }) => code !== "" || isp !== "") ? (
            <GeographyCredit />
          ) : null}
        </div>
      </div>
    </ReportOf>
  );
}

/** Who holds the domain; of one that is free, that alone. */
function Registration({ whois }: { whois: DomainReportData["whois"] }) {
  if (whois.lookup_status === "error") {
    return (
      <p className="muted">
        The registry gave no answer: <Outside text={whois.error?.message} />
      </p>
    );
  }
  if (whois.registered === false) return <p>Not registered.</p>;
  return <RegistrationFacts whois={whois} />;
}

const DNS_NOTES: Readonly<Record<DomainDns["status"], string | undefined>> = {
  ok: undefined,
  nxdomain: "the name does not exist",
  servfail: "server failure",
  timeout: "no answer in time",
  error: "no answer",
};

function DnsPart({ dns, freshness }: Pick<DomainReportData, "dns" | "freshness">) {
  const { hosts } = dns;
  const beside = hosts.length === 0 ? [] : [fromTable("network", freshness), fromEngines(freshness)];
  return (
    <Section title="DNS" note={DNS_NOTES[dns.status]} from={allOf(fromDns(freshness, dns.status), ...beside)}>
      <Hosts dns={dns} />
      <DnsRecordsOf dns={dns} />
    </Section>
  );
}

const times = ({ whois, ssl }: DomainReportData): readonly TimelineItem[] => [
  ...registrationTimes(whois),
  ...certificateTimes(ssl),
];

const timesFrom = ({ whois, ssl }: DomainReportData): string =>
  allOf(fromRegistryAnswer(whois), ...(ssl.valid_from === null ? [] : [fromServer(ssl)]));

const certificateTimes = ({ valid_from: from, valid_to: to }: Certificate): readonly TimelineItem[] =>
  from === null ? [] : [{ name: "Certificate", from, to }];

function NameFacts({
  report: { facts, whois, domain_unicode: unicode, domain, registered_domain: registered },
}: Props) {
  return (
    <Facts>
      <Fact name="Registered domain" from={FROM_SUFFIXES}>
        {registered === null ? (
          <span className="muted">none: a public suffix</span>
        ) : (
          <LookupLink kind="domain" value={registered} />
        )}
      </Fact>
      {unicode === domain ? null : (
        <Fact name="Reads as" from={FROM_TARGET}>
          <Outside text={unicode} most={120} />
        </Fact>
      )}
      <Fact name="Age" of="facts.age_days" from={fromRegistryAnswer(whois)}>
        <Age days={facts.age_days} isRegistered={whois.registered !== false} />
      </Fact>
      <Popularity facts={facts} />
      <Likeness facts={facts} />
      <Relation facts={facts} />
    </Facts>
  );
}

type Props = { report: DomainReportData };

function Age({ days, isRegistered }: { days: number | null; isRegistered: boolean }) {
  if (days !== null) return ageInDays(days);
  return <span className="muted">{isRegistered ? "none given" : "none: not registered"}</span>;
}

/** Some lists of popular names rank them, others only hold them. */
const Popularity = ({
  facts: { in_top_list: isIn, top_list_rank: rank },
}: Pick<Props["report"], "facts">) => (
  <Fact name="Popularity" of={["facts.in_top_list", "facts.top_list_rank"]}>
    {rank !== null ? `rank ${count(rank)} of the top list` : isIn ? "on the top list" : "not on the top list"}
  </Fact>
);

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

/** What a name is, in words, each with the field that says so. */
const traitsOf = ({ facts, whois }: DomainReportData): readonly Trait[] =>
  DOMAIN_TRAITS.map(([field, name]) => ({
    ...{ of: `facts.${field}`, name },
    holds: facts[field] && !(field === "is_recent" && facts.is_very_recent),
    ...(TRAITS_FROM[field] === undefined ? {} : { from: TRAITS_FROM[field](whois) }),
  }));

/** What no list says. */
const TRAITS_FROM: Readonly<Partial<Record<string, (whois: DomainReportData["whois"]) => string>>> = {
  is_very_recent: fromRegistryAnswer,
  is_recent: fromRegistryAnswer,
  is_idn: () => FROM_TARGET,
};
