import {
  allOf,
  FROM_RESULT,
  FROM_SUFFIXES,
  FROM_TARGET,
  fromDns,
  fromEngines,
  fromLists,
  fromPage,
  fromRegistries,
  fromServer,
  fromTable,
} from "../api/sources.gen.ts";
import type { UrlReport as UrlReportData, UrlServer } from "../api/types.gen.ts";
import { FETCH_WORDS } from "../api/words.gen.ts";
import { Verdict } from "./basis.tsx";
import { CertificateFacts } from "./certificate.tsx";
import { Checks } from "./checks.tsx";
import { Engines } from "./engines.tsx";
import { Fact, Facts, Section } from "./facts.tsx";
import { Unknown, useIsUnknown } from "./known.tsx";
import { HostLink, LookupLink, NetworkName } from "./links.tsx";
import { count, words } from "./numbers.ts";
import { Outside } from "./outside.tsx";
import { GeographyCredit, Place } from "./place.tsx";
import { Reasons } from "./reasons.tsx";
import { RedirectPath } from "./redirects.tsx";
import { ReportOf, UnknownFields } from "./unknown-fields.tsx";
import { FileFacts, FormFindings, PageFacts, Resources } from "./url-page.tsx";
import { WithDetail } from "./with-detail.tsx";

/** Everything known of a URL: lists, the way to the page, and what the page holds. */
export function UrlReport({ report }: { report: UrlReportData }) {
  const { blacklists, freshness, report: page } = report;
  const now = freshness.computed_at;
  return (
    <ReportOf fields={report.unknown_fields}>
      <Verdict score={page.risk_score} blacklists={blacklists} freshness={freshness} />
      <div className="report-columns">
        <div>
          <Reasons score={page.risk_score} blacklists={blacklists} now={now} />
          <Section
            title="Redirects"
            from={allOf(fromPage(page.redirection.hops[0] ?? page.response), fromEngines(freshness))}
          >
            <FetchNote report={report} />
            <RedirectPath redirection={page.redirection} url={report.url} last={lastStop(report)} />
          </Section>
          <Section title="Checks" from={checksFrom(report)}>
            <Checks checks={page.security_checks} unknown={report.unknown_fields} />
          </Section>
          <Section title="Forms and files" from={fromPage(page.response)}>
            <FormFindings forms={page.html_forms} hasPage={page.html_info !== null} />
            <FileFacts file={page.file_type} response={page.response} />
          </Section>
          <Engines blacklists={blacklists} freshness={freshness} />
        </div>
        <div className="report-side">
          <Section title="Where" from={FROM_TARGET}>
            <Where report={report} />
          </Section>
          <Section title="Page" from={fromPage(page.response)}>
            <PageFacts info={page.html_info} response={page.response} />
          </Section>
          <Section title="Certificate" from={fromServer(page.tls)}>
            <CertificateFacts certificate={page.tls} isRead={page.response !== null} />
          </Section>
          <Section title="Loads from elsewhere" from={allOf(fromPage(page.response), fromEngines(freshness))}>
            <Resources
              resources={page.resources}
              isRead={!report.unknown_fields.includes("report.resources")}
            />
          </Section>
          <UnknownFields fields={report.unknown_fields} />
          {hasPlace(page.host_info.server) ? <GeographyCredit /> : null}
        </div>
      </div>
    </ReportOf>
  );
}

const checksFrom = ({ freshness, report }: UrlReportData): string =>
  allOf(
    FROM_TARGET,
    fromPage(report.response),
    fromDns(freshness),
    fromRegistries(freshness),
    fromLists(freshness),
  );

const hasPlace = (server: UrlServer | null): boolean =>
  server !== null && (server.country_code !== "" || server.isp !== "");

const lastStop = ({ report: { response, host_info: host, tls } }: UrlReportData) => ({
  status: response?.code ?? null,
  ip: host.server?.ip ?? "",
  tls: tls?.protocol ?? null,
  elapsedMs: null,
});

/** Whether the words say whether a page was fetched, be it one that tells of an error or is too long to be read whole. */
const saysFetched = (status: UrlReportData["url_fetch_status"]): boolean =>
  status === "http_error" || status === "too_large" || status === "blocked";

function FetchNote({ report: { url_fetch_status: status, report: page } }: { report: UrlReportData }) {
  if (status === "ok") return null;
  const { error, blocked_reason: blocked } = page.fetch;
  return (
    <p className="failed">
      {saysFetched(status) ? "The page was" : "The page could not be read:"}{" "}
      <WithDetail
        words={`${FETCH_WORDS[status]}${blocked === null ? "" : ` (${words(blocked)})`}`}
        detail={error?.message}
      />
    </p>
  );
}

function Where({
  report: { report: page, registered_domain: registered, domain_unicode: unicode, freshness },
}: WhereProps) {
  const { server } = page.host_info;
  const { host } = page.url_parts;
  return (
    <Facts>
      <Fact name="Host">
        <HostLink host={host.replace(/^\[|\]$/g, "")} />
        {unicode !== null && unicode !== host ? (
          <p className="muted">
            reads as <Outside text={unicode} most={100} />
          </p>
        ) : null}
      </Fact>
      <Fact name="Registered domain" from={FROM_SUFFIXES}>
        {registered === null ? (
          <span className="muted">none</span>
        ) : (
          <LookupLink kind="domain" value={registered} />
        )}
      </Fact>
      <Fact name="Address" from={fromDns(freshness, server?.ip ?? page.host_info.addresses[0] ?? null)}>
        {server === null ? (
          <NotReached addresses={page.host_info.addresses} />
        ) : (
          <HostLink host={server.ip} />
        )}
      </Fact>
      {server === null ? null : (
        <>
          <Fact name="Network" from={fromTable("network", freshness)}>
            <NetworkName asn={server.asn} holder={server.isp} />
          </Fact>
          <Fact name="Place" from={fromTable("place", freshness)}>
            <Place
              code={server.country_code}
              country={server.country_name}
              region={server.region_name}
              city={server.city_name}
            />
          </Fact>
        </>
      )}
      <Fact name="Requests made" from={FROM_RESULT}>
        {count(page.fetch.requests_count)}
      </Fact>
    </Facts>
  );
}

/** The addresses of a host of which none was connected to. */
function NotReached({ addresses }: { addresses: readonly string[] }) {
  const isUnknown = useIsUnknown();
  if (addresses.length > 0) {
    return (
      <>
        {addresses.slice(0, 4).map((ip, i) => (
          <span key={ip}>
            {i === 0 ? "" : ", "}
            <HostLink host={ip} />
          </span>
        ))}{" "}
        <span className="muted">
          {isUnknown("report.host_info.server") ? "(unknown which one answers)" : "(not asked)"}
        </span>
      </>
    );
  }
  return isUnknown("report.host_info.server") || isUnknown("report.host_info.addresses") ? (
    <Unknown />
  ) : (
    <span className="muted">none</span>
  );
}

type WhereProps = { report: UrlReportData };
