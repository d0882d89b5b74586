import { CircleDashed, CircleMinus, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { ANONYMITY_NAMES } from "../api/products.gen.ts";
import {
  FROM_TARGET,
  fromDns,
  fromLists,
  fromRegistries,
  fromRegistryAnswer,
  fromTable,
} from "../api/sources.gen.ts";
import type {
  FreeDnsLookupReport,
  FreeDomainReport,
  FreeEmailReport,
  FreeIpReport,
  FreeUrlReport,
  FreeWhoisReport,
} from "../api/types.gen.ts";
import { bandOf, meaningOf, type VerdictWord } from "./bands.tsx";
import { bundledText, DataAge, namedText } from "./basis.tsx";
import { RecordTable } from "./dns-records.tsx";
import { Fact, Facts, Section, Traits } from "./facts.tsx";
import { FreeEngines } from "./free-engines.tsx";
import { Nothing, Unknown } from "./known.tsx";
import { HostLink, LookupLink, NetworkName } from "./links.tsx";
import { Day } from "./moment.tsx";
import { ageInDays, count, counted } from "./numbers.ts";
import { Outside } from "./outside.tsx";
import { GeographyCredit, Place } from "./place.tsx";
import { ReportOf } from "./unknown-fields.tsx";
import { VerdictLine } from "./verdict-line.tsx";
import { HostList } from "./whois-facts.tsx";

type Counted = Pick<
  FreeDomainReport,
  "risk_score" | "message" | "freshness" | "engines" | "detections" | "unanswered_count" | "allowlists"
>;

type Verdicted = Counted & Partial<Pick<FreeIpReport, "anonymity">>;

/** From here on a score may come from a fact that a free report does not show. Source: design 4.4. */
const LEAST_UNTOLD = 40;

/** Categories of all that speaks against an address; empty where not all of it is told. */
function categoriesOf(report: Verdicted): readonly string[] {
  const { engines, detections, allowlists, anonymity: flags, risk_score: result } = report;
  const listed = engines.filter(({ detected }) => detected);
  const isTold = listed.length === detections && allowlists.length === 0 && (result ?? 0) < LEAST_UNTOLD;
  if (flags === undefined || !isTold) return [];
  const isProxy = flags.is_proxy || flags.is_webproxy || flags.is_residential_proxy;
  const hiding = [flags.is_vpn ? "vpn" : "", isProxy ? "proxy" : "", flags.is_tor ? "tor" : ""];
  return [...listed.map(({ category }) => category), ...hiding.filter((word) => word !== "")];
}

/** The verdict of a free tool: the number has no parts here, the message says what it rests on. */
function FreeVerdict({ report, isSpecial = false }: { report: Verdicted; isSpecial?: boolean }) {
  const { risk_score: result, message, freshness, detections } = report;
  const verdict: VerdictWord = isSpecial ? "not_applicable" : result === null ? "unknown" : bandOf(result);
  const score = { result: result ?? 0, verdict, base: result ?? 0, factors: [], adjustments: [] };
  return (
    <VerdictLine
      score={score}
      hasNumber={result !== null}
      meaning={isSpecial ? null : meaningOf(verdict, categoriesOf(report))}
      basis={
        <>
          <Outside text={message} />
          {verdict === "unknown" && detections > 0 ? ` ${namedText(detections)}.` : ""}
          {report.allowlists.length === 0 ? "" : ` On ${counted(report.allowlists.length, "allowlist")}.`}
          {report.unanswered_count === 0 ? "" : ` ${count(report.unanswered_count)} did not answer.`}
        </>
      }
      age={<DataAge freshness={freshness} isAsked={!isSpecial} />}
      caution={bundledText(freshness)}
    />
  );
}

/** The free tool's report of an address. */
export function FreeIp({ report }: { report: FreeIpReport }) {
  const hasPlace = report.country_code !== null || report.isp !== "";
  return (
    <ReportOf fields={report.unknown_fields}>
      <FreeVerdict report={report} isSpecial={report.message.startsWith("Not a public address")} />
      <div className="report-columns report-columns-even">
        <Section title="Who">
          <FreeWho report={report} />
          {hasPlace ? <GeographyCredit /> : null}
        </Section>
        <Section title="Seen as" from={fromLists(report.freshness)}>
          <Traits
            traits={ANONYMITY_NAMES.map(([flag, name]) => ({
              of: `anonymity.${flag}`,
              name,
              holds: report.anonymity[flag],
            }))}
            none="No known role"
          />
          {report.provider === null ? null : (
            <Facts>
              <Fact name="Operated by">
                <Outside text={report.provider} most={120} />
              </Fact>
            </Facts>
          )}
        </Section>
      </div>
      <FreeEngines report={report} />
    </ReportOf>
  );
}

function FreeWho({ report }: { report: FreeIpReport }) {
  return (
    <Facts>
      <Fact name="Network" of={["asn", "isp"]} from={fromTable("network", report.freshness)}>
        <NetworkName asn={report.asn} holder={report.isp} />
      </Fact>
      <Fact
        name="Place"
        of={["country_code", "country", "region", "city"]}
        from={fromTable("place", report.freshness)}
      >
        <Place
          code={report.country_code ?? ""}
          country={report.country ?? ""}
          region={report.region}
          city={report.city}
        />
      </Fact>
      <Fact
        name="Reverse DNS"
        of="reverse_dns"
        from={fromDns(report.freshness, report.unknown_fields.includes("reverse_dns") ? null : "ok")}
      >
        {report.reverse_dns === null ? <Nothing /> : <HostLink host={report.reverse_dns} />}
      </Fact>
    </Facts>
  );
}

/** The free tool's report of a domain. */
export function FreeDomain({ report }: { report: FreeDomainReport }) {
  return (
    <ReportOf fields={report.unknown_fields}>
      <FreeVerdict report={report} />
      <Section title="Registration" from={fromRegistries(report.freshness)}>
        <Facts>
          {report.registered === false ? (
            <Fact name="Age">
              <span className="muted">none: not registered</span>
            </Fact>
          ) : (
            <FreeRegistration report={report} />
          )}
          {report.domain_unicode === report.domain ? null : (
            <Fact name="Reads as" from={FROM_TARGET}>
              <Outside text={report.domain_unicode} most={120} />
            </Fact>
          )}
          <Fact name="More" from={FROM_TARGET}>
            <LookupLink kind="whois" value={report.domain}>
              Registration
            </LookupLink>
            {" · "}
            <LookupLink kind="dns" value={report.domain}>
              DNS records
            </LookupLink>
          </Fact>
        </Facts>
      </Section>
      <FreeEngines report={report} />
    </ReportOf>
  );
}

type Registered = Pick<
  FreeDomainReport,
  "domain_age_days" | "registrar" | "creation_date" | "expiration_date"
>;

function FreeRegistration({ report }: { report: Registered }) {
  return (
    <>
      <Fact name="Age" of="domain_age_days">
        {report.domain_age_days === null ? <Nothing /> : ageInDays(report.domain_age_days)}
      </Fact>
      <Fact name="Registrar" of="registrar">
        <Outside text={report.registrar} most={120} />
      </Fact>
      <Fact name="Created" of="creation_date">
        <Day at={report.creation_date} />
      </Fact>
      <Fact name="Expires" of="expiration_date">
        <Day at={report.expiration_date} />
      </Fact>
    </>
  );
}

/** The free tool's report of a URL, which fetches nothing. */
export function FreeUrl({ report }: { report: FreeUrlReport }) {
  const { host, is_host_ip: isIp } = report;
  return (
    <ReportOf fields={report.unknown_fields}>
      <p className="notice source">
        The page was not opened: its content and redirects were not fetched. Lists were asked about this URL
        and its host.
      </p>
      <FreeVerdict report={report} />
      <Section title="Host" from={FROM_TARGET}>
        <Facts>
          <Fact name="Host">
            <LookupLink kind={isIp ? "ip" : "domain"} value={host} />
          </Fact>
          {isIp ? null : (
            <Fact name="Age of the domain" of="domain_age_days" from={fromRegistries(report.freshness)}>
              {report.domain_age_days === null ? <Nothing /> : ageInDays(report.domain_age_days)}
            </Fact>
          )}
        </Facts>
      </Section>
      <FreeEngines report={report} />
    </ReportOf>
  );
}

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
