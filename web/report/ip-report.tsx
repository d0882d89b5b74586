import type { CheckIpReport, IpAnonymity, IpInformation } from "../api/types.gen.ts";
import { Verdict } from "./basis.tsx";
import { Engines } from "./engines.tsx";
import { Fact, Facts, Section, Tags } from "./facts.tsx";
import { HostLink, LookupLink, NetworkName } from "./links.tsx";
import { Day } from "./moment.tsx";
import { count, words } from "./numbers.ts";
import { Outside, Unknown } from "./outside.tsx";
import { GeographyCredit, Place } from "./place.tsx";
import { Reasons } from "./reasons.tsx";
import { UnknownFields } from "./unknown-fields.tsx";

/** Everything known of an address. */
export function IpReport({ report }: { report: CheckIpReport }) {
  const { risk_score: score, blacklists, freshness, information } = report;
  const now = freshness.computed_at;
  return (
    <div className="report">
      <Verdict score={score} blacklists={blacklists} freshness={freshness} />
      <div className="report-columns">
        <div>
          <Reasons score={score} blacklists={blacklists} now={now} />
          <Engines blacklists={blacklists} now={now} />
        </div>
        <div className="report-side">
          <Section title="Who">
            <Who report={report} />
          </Section>
          <Section title="Seen as">
            <SeenAs report={report} />
          </Section>
          <Section title="Network">
            <Network report={report} />
          </Section>
          <UnknownFields fields={report.unknown_fields} />
          {information.geo_accuracy === "none" && information.isp === "" ? null : <GeographyCredit />}
        </div>
      </div>
    </div>
  );
}

function Who({ report: { information: info, asn, unknown_fields: unknown } }: { report: CheckIpReport }) {
  return (
    <Facts>
      <Fact name="Network">
        <NetworkName asn={info.asn} holder={info.isp} />
      </Fact>
      <Fact name="Place">
        <Place
          code={info.country_code}
          country={info.country_name}
          region={info.region_name}
          city={info.city_name}
          accuracy={info.geo_accuracy}
        />
      </Fact>
      <Fact name="Reverse DNS">
        <ReverseDns info={info} />
      </Fact>
      <Fact name="Abuse contact">
        {asn.abuse_email === "" ? <Unknown /> : <LookupLink kind="email" value={asn.abuse_email} />}
      </Fact>
      <Fact name="Kind of use">
        {unknown.includes("information.address_type") ? <Unknown /> : words(info.address_type)}
      </Fact>
      {info.special_purpose === null ? null : (
        <Fact name="Special purpose">
          {words(info.special_purpose.name)} ({info.special_purpose.rfc})
        </Fact>
      )}
    </Facts>
  );
}

function ReverseDns({ info }: { info: IpInformation }) {
  if (info.reverse_dns === null) {
    const status = info.reverse_dns_status;
    return status === "nxdomain" ? (
      <>none</>
    ) : (
      <Unknown>{status === null ? "unknown" : `unknown (${status})`}</Unknown>
    );
  }
  return (
    <>
      <HostLink host={info.reverse_dns} />{" "}
      <span className="muted">{info.reverse_dns_confirmed ? "confirmed" : "not confirmed"}</span>
    </>
  );
}

const ANONYMITY: readonly (readonly [keyof IpAnonymity & `is_${string}`, string])[] = [
  ["is_tor", "Tor"],
  ["is_vpn", "VPN"],
  ["is_proxy", "proxy"],
  ["is_webproxy", "web proxy"],
  ["is_residential_proxy", "residential proxy"],
  ["is_relay", "privacy relay"],
  ["is_hosting", "hosting"],
];

function SeenAs({
  report: { anonymity, information: info, unknown_fields: fields },
}: {
  report: CheckIpReport;
}) {
  const unknown = ANONYMITY.filter(([flag]) => fields.includes(`anonymity.${flag}`)).map(([, name]) => name);
  const names = [
    ...ANONYMITY.filter(([flag]) => anonymity[flag]).map(([flag, name]) =>
      flag === "is_tor" && anonymity.tor_role !== null ? `Tor ${anonymity.tor_role}` : name,
    ),
    ...(info.is_search_engine_bot ? ["search engine crawler"] : []),
    ...(info.is_fake_bot ? ["pretended crawler"] : []),
    ...(info.is_public_dns ? ["public resolver"] : []),
    ...(info.is_satellite ? ["satellite access"] : []),
    ...(info.is_vendor_drop ? ["do not route list"] : []),
    ...(info.is_major_provider_spf_ip ? ["mail of a large provider"] : []),
  ];
  const operators = [
    info.related_service_name,
    info.cloud_provider,
    info.edge_service,
    anonymity.provider ?? "",
  ];
  return (
    <>
      <Tags names={names} none="Nothing in particular" />
      {unknown.length === 0 ? null : <p className="muted">Unknown: {unknown.join(", ")}</p>}
      {operators.every((name) => name === "") ? null : (
        <p>
          Operated as <Outside text={[...new Set(operators.filter((name) => name !== ""))].join(", ")} />
        </p>
      )}
    </>
  );
}

function Network({ report: { asn } }: { report: CheckIpReport }) {
  return (
    <Facts>
      <Fact name="Holder">
        <Outside text={asn.org} most={120} />
      </Fact>
      <Fact name="Handle">
        <Outside text={asn.asname} most={80} />
      </Fact>
      <Fact name="Route">
        {asn.route === "" ? <Unknown /> : <LookupLink kind="whois" value={asn.route} />}
        {asn.origins.length > 1 ? <Origins origins={asn.origins} /> : null}
      </Fact>
      <Fact name="Registered">
        <Registered rir={asn.rir} at={asn.created} />
      </Fact>
      <Fact name="IPv4 addresses">{asn.total_ipv4_ips === 0 ? <Unknown /> : count(asn.total_ipv4_ips)}</Fact>
    </Facts>
  );
}

const SHOWN_ORIGINS = 8;

/** All systems that announce the route, most seen first. */
function Origins({ origins }: { origins: readonly string[] }) {
  const more = origins.length - SHOWN_ORIGINS;
  return (
    <>
      {" announced by "}
      {origins.slice(0, SHOWN_ORIGINS).map((origin, i) => (
        <span key={origin}>
          {i === 0 ? "" : ", "}
          <LookupLink kind="whois" value={origin} />
        </span>
      ))}
      {more > 0 ? ` and ${more} more` : ""}
    </>
  );
}

/** When a network was given out, and by which registry. */
function Registered({ rir, at }: { rir: string; at: string | null }) {
  if (rir === "") return <Day at={at} />;
  if (at === null || at === "") {
    return (
      <>
        <Outside text={rir} most={40} />, <Unknown>date unknown</Unknown>
      </>
    );
  }
  return (
    <>
      <Day at={at} />{" "}
      <span className="muted">
        <Outside text={rir} most={40} />
      </span>
    </>
  );
}
