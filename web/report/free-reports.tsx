import { ANONYMITY_NAMES } from "../api/products.gen.ts";
import { FROM_TARGET, fromDns, fromLists, fromRegistries, fromTable } from "../api/sources.gen.ts";
import type { FreeDomainReport, FreeIpReport, FreeUrlReport } from "../api/types.gen.ts";
import { bandOf, meaningOf, type VerdictWord } from "./bands.tsx";
import { bundledText, DataAge, namedText } from "./basis.tsx";
import { Fact, Facts, Section, Traits } from "./facts.tsx";
import { FreeEngines } from "./free-engines.tsx";
import { Nothing } from "./known.tsx";
import { HostLink, LookupLink, NetworkName } from "./links.tsx";
import { Day } from "./moment.tsx";
import { ageInDays, count, counted } from "./numbers.ts";
import { Outside } from "./outside.tsx";
import { GeographyCredit, Place } from "./place.tsx";
import { ReportOf } from "./unknown-fields.tsx";
import { VerdictLine } from "./verdict-line.tsx";

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

/** What the registry says, in the free reports of a domain and of a registration. */
export function FreeRegistration({ report }: { report: Registered }) {
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
