import type { DomainDns } from "../api/types.gen.ts";
import { RecordTable } from "./dns-records.tsx";
import { Unknown, useIsUnknown } from "./known.tsx";
import { HostLink, NetworkName } from "./links.tsx";
import { counted, words } from "./numbers.ts";
import { Mono } from "./outside.tsx";
import { Flag } from "./place.tsx";

const ROLES = { a: "serves", mx: "mail", ns: "name server" } as const;

/** The addresses behind a name, and what lists say of each. */
export function Hosts({ dns: { hosts, hosts_total: total } }: { dns: DomainDns }) {
  const isUnknown = useIsUnknown();
  if (hosts.length === 0) {
    return (
      <p className="muted">
        {isUnknown("dns.hosts") ? (
          <Unknown>The addresses behind the name are unknown.</Unknown>
        ) : (
          "No addresses."
        )}
      </p>
    );
  }
  const shown = hosts.slice(0, 12);
  return (
    <div className="table-scroll">
      <table className="records hosts">
        <caption className="visually-hidden">Addresses behind the name</caption>
        <thead>
          <tr>
            <th scope="col">Use</th>
            <th scope="col">Address</th>
            <th scope="col">Network</th>
            <th scope="col">Listed</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((host) => (
            <tr key={`${host.role} ${host.name} ${host.ip}`}>
              <th scope="row">{ROLES[host.role]}</th>
              <td>
                <HostLink host={host.ip} />
                <p className="muted">
                  <Mono text={host.name} most={80} />
                </p>
              </td>
              <td className="hosts-network">
                <Flag code={host.country_code} /> <NetworkName asn={host.asn} holder={host.isp} />
              </td>
              <td className={`hosts-listed ${host.detections > 0 ? "bad" : "muted"}`}>
                {host.detections > 0 ? `by ${counted(host.detections, "engine")}` : "by none"}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {isUnknown("dns.hosts") ? (
        <p className="muted">There may be more: not every server was found.</p>
      ) : null}
      {total !== null && total > shown.length ? (
        <p className="muted">and {total - shown.length} more</p>
      ) : null}
    </div>
  );
}

const FIELDS = ["a", "aaaa", "mx", "ns", "txt", "caa", "soa"];

/** In place of records: types that gave no answer may have some. */
function NoRecords({ silent }: { silent: number }) {
  if (silent >= FIELDS.length) return null;
  return (
    <p className="muted">
      {silent === 0 ? "No records were found." : "There are no records of the types that answered."}
    </p>
  );
}

/** All records that were read, and the types that failed. */
export function DnsRecordsOf({ dns }: { dns: DomainDns }) {
  const records = [
    ...dns.a,
    ...dns.aaaa,
    ...dns.mx,
    ...dns.ns,
    ...dns.txt,
    ...dns.caa,
    ...(dns.soa === null ? [] : [dns.soa]),
  ];
  const isUnknown = useIsUnknown();
  const failed = Object.entries(dns.errors);
  const cut = FIELDS.filter(
    (field) => isUnknown(`dns.${field}`) && !failed.some(([type]) => type.toLowerCase() === field),
  );
  return (
    <>
      {records.length === 0 ? (
        <NoRecords silent={failed.length + cut.length} />
      ) : (
        <details className="fold">
          <summary>{counted(records.length, "record")}</summary>
          <RecordTable records={records} caption="DNS records" />
        </details>
      )}
      {cut.length === 0 ? null : (
        <p className="failed">Not known, or not all of them: {cut.join(", ").toUpperCase()}</p>
      )}
      {failed.length === 0 ? null : (
        <p className="failed">
          Did not answer:{" "}
          {failed.map(([type, outcome]) => `${type.toUpperCase()} (${words(outcome)})`).join(", ")}
        </p>
      )}
    </>
  );
}
