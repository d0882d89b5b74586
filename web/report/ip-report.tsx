import { ANONYMITY_NAMES } from "../api/products.gen.ts";
import {
  FROM_SPECIAL,
  fromDns,
  fromHolders,
  fromLists,
  fromRanges,
  fromRegistries,
  fromTable,
} from "../api/sources.gen.ts";
import type { CheckIpReport, IpInformation } from "../api/types.gen.ts";
import { ADDRESS_ROLES, NO_REVERSE_NAME } from "../api/words.gen.ts";
import { Verdict } from "./basis.tsx";
import { Engines } from "./engines.tsx";
import { Fact, Facts, Section, type Trait, Traits } from "./facts.tsx";
import { Nothing, Unknown, useIsUnknown } from "./known.tsx";
import { HostLink, LookupLink, NetworkName } from "./links.tsx";
import { Day } from "./moment.tsx";
import { count, words } from "./numbers.ts";
import { Outside } from "./outside.tsx";
import { GeographyCredit, Place } from "./place.tsx";
import { Reasons } from "./reasons.tsx";
import { ReportOf, UnknownFields } from "./unknown-fields.tsx";

/** Everything known of an address. */
export function IpReport({ report }: { report: CheckIpReport }) {
  const { risk_score: score, blacklists, freshness, information } = report;
  const now = freshness.computed_at;
  return (
    <ReportOf fields={report.unknown_fields}>
      <Verdict score={score} blacklists={blacklists} freshness={freshness} />
      <div className="report-columns">
        <div>
          <Reasons score={score} blacklists={blacklists} now={now} />
          <Engines blacklists={blacklists} freshness={freshness} />
        </div>
        <div className="report-side">
          <Section title="Who">
            <Who report={report} />
          </Section>
          <Section title="Seen as" from={fromLists(freshness)}>
            <SeenAs report={report} />
          </Section>
          <Section title="Network">
            <Network report={report} />
          </Section>
          <UnknownFields fields={report.unknown_fields} />
          {information.geo_accuracy === "none" && information.isp === "" ? null : <GeographyCredit />}
        </div>
      </div>
    </ReportOf>
  );
}

function Who({ report: { information: info, asn, freshness } }: { report: CheckIpReport }) {
  const registries = fromRegistries(freshness);
  return (
    <Facts>
      <Fact name="Network" of={["information.asn", "information.isp"]} from={fromHolders(freshness)}>
        <NetworkName asn={info.asn} holder={info.isp} />
      </Fact>
      <Fact name="Place" of={PLACE} from={fromTable("place", freshness, info.geo_source)}>
        <Place
          code={info.country_code}
          country={info.country_name}
          region={info.region_name}
          city={info.city_name}
          accuracy={info.geo_accuracy}
        />
      </Fact>
      <Fact name="Reverse DNS" from={fromDns(freshness, info.reverse_dns_status)}>
        <ReverseDns info={info} />
      </Fact>
      <Fact name="Abuse contact" of="asn.abuse_email" from={registries}>
        {asn.abuse_email === "" ? <Nothing /> : <LookupLink kind="email" value={asn.abuse_email} />}
      </Fact>
      <Fact name="Usage type" of="information.address_type" from={fromLists(freshness)}>
        {words(info.address_type)}
      </Fact>
      {info.special_purpose === null ? null : (
        <Fact name="Special purpose" from={FROM_SPECIAL}>
          {words(info.special_purpose.name)} ({info.special_purpose.rfc})
        </Fact>
      )}
    </Facts>
  );
}

function ReverseDns({ info }: { info: IpInformation }) {
  const isUnknown = useIsUnknown();
  if (info.reverse_dns === null) {
    const words = NO_REVERSE_NAME[info.reverse_dns_status ?? "unasked"];
    if (words === "none" && isUnknown("information.reverse_dns")) return <Unknown />;
    return words === "none" ? <span className="muted">none</span> : <Unknown>{words}</Unknown>;
  }
  return (
    <>
      <HostLink host={info.reverse_dns} />{" "}
      <span className="muted">
        {info.reverse_dns_confirmed
          ? "confirmed"
          : isUnknown("information.reverse_dns_confirmed")
            ? "confirmation unknown"
            : "not confirmed"}
      </span>
    </>
  );
}

const PLACE = ["country_code", "country_name", "region_name", "city_name"].map(
  (name) => `information.${name}`,
);

const OPERATORS = [
  ...["related_service_name", "cloud_provider", "edge_service"].map((name) => `information.${name}`),
  "anonymity.provider",
];

const traitsOf = ({ anonymity, information, freshness }: CheckIpReport): readonly Trait[] => {
  const ofLists = fromLists(freshness);
  return [
    ...ANONYMITY_NAMES.map(([flag, name]) => {
      const lists = anonymity.sources[flag] ?? [];
      const from = lists.length === 0 ? ofLists : `said by ${lists.join(", ")}; ${ofLists}`;
      return { of: `anonymity.${flag}`, name, holds: anonymity[flag], from };
    }),
    ...ADDRESS_ROLES.map(([flag, name]) => ({
      ...{ of: `information.${flag}`, name, holds: information[flag], from: ofLists },
    })),
  ];
};

function SeenAs({ report }: { report: CheckIpReport }) {
  const { anonymity, information: info, freshness } = report;
  const operators = [info.related_service_name, info.cloud_provider, info.edge_service, anonymity.provider];
  const names = [...new Set(operators.filter((name) => name !== null && name !== ""))];
  return (
    <>
      <Traits traits={traitsOf(report)} none="No known role" />
      <Facts>
        {anonymity.is_tor ? (
          <Fact name="Tor role" of="anonymity.tor_role" from={fromLists(freshness)}>
            <Outside text={anonymity.tor_role} most={40} />
          </Fact>
        ) : null}
        <Fact name="Operated by" of={OPERATORS} from={fromLists(freshness)}>
          <Outside text={names.join(", ")} />
        </Fact>
      </Facts>
    </>
  );
}

function Network({ report: { asn, freshness } }: { report: CheckIpReport }) {
  const [table, registries] = [fromTable("network", freshness), fromRegistries(freshness)];
  return (
    <Facts>
      <Fact name="Holder" of="asn.org" from={table}>
        <Outside text={asn.org} most={120} />
      </Fact>
      <Fact name="Handle" of="asn.asname" from={table}>
        <Outside text={asn.asname} most={80} />
      </Fact>
      <Fact name="Route" of="asn.route" from={table}>
        <LookupLink kind="whois" value={asn.route} />
        {asn.origins.length > 1 ? <Origins origins={asn.origins} /> : null}
      </Fact>
      <Fact name="Registry" of="asn.rir" from={fromRanges(freshness)}>
        <Outside text={asn.rir} most={40} />
      </Fact>
      <Fact name="Registered" of="asn.created" from={registries}>
        <Day at={asn.created} />
      </Fact>
      <Fact name="IPv4 addresses" of="asn.total_ipv4_ips" from={table}>
        {count(asn.total_ipv4_ips)}
      </Fact>
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
