import type { DomainDns } from "../api/types.gen.ts";
import { RecordTable } from "./dns-records.tsx";
import { HostLink, NetworkName } from "./links.tsx";
import { counted, words } from "./numbers.ts";
import { Mono } from "./outside.tsx";
import { flagOf } from "./place.tsx";

const ROLES = { a: "serves", mx: "mail", ns: "name server" } as const;

/** The addresses behind a name, and what lists say of each. */
export function Hosts({ dns: { hosts, hosts_total: total } }: { dns: DomainDns }) {
  if (hosts.length === 0) return null;
  const shown = hosts.slice(0, 12);
  return (
    <div className="table-scroll">
      <table className="records">
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
              <td>
                {flagOf(host.country_code)} <NetworkName asn={host.asn} holder={host.isp} />
              </td>
              <td className={host.detections > 0 ? "bad" : "muted"}>
                {host.detections > 0 ? `by ${counted(host.detections, "engine")}` : "by none"}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {total !== null && total > shown.length ? (
        <p className="muted">and {total - shown.length} more</p>
      ) : null}
    </div>
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
  const failed = Object.entries(dns.errors);
  return (
    <>
      {records.length === 0 ? (
        <p className="muted">No records were found.</p>
      ) : (
        <details className="fold">
          <summary>{counted(records.length, "record")}</summary>
          <RecordTable records={records} caption="DNS records" />
        </details>
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
