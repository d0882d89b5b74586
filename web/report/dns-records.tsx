import type { DnsRecord } from "../api/types.gen.ts";
import { keyed } from "./keyed.ts";
import { HostLink } from "./links.tsx";
import { count } from "./numbers.ts";
import { Mono } from "./outside.tsx";

/** Records as a table; addresses and names in them lead to their own reports. */
export function RecordTable({ records, caption }: { records: readonly DnsRecord[]; caption: string }) {
  return (
    <div className="table-scroll">
      <table className="records">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Type</th>
            <th scope="col">Name</th>
            <th scope="col">Value</th>
            <th scope="col" className="numeric">
              TTL
            </th>
          </tr>
        </thead>
        <tbody>
          {keyed(records, ({ type, name, value }) => `${type} ${name} ${value}`).map(
            ({ key, item: record }) => (
              <tr key={key}>
                <th scope="row">
                  <span className="record-type">{record.type}</span>
                </th>
                <td className="record-name">
                  <Mono text={record.name} most={120} />
                </td>
                <td>
                  <RecordValue record={record} />
                </td>
                <td className="numeric">{count(record.ttl)} s</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}

/** What a record says; its addresses and names are links. */
function RecordValue({ record }: { record: DnsRecord }) {
  switch (record.type) {
    case "A":
    case "AAAA":
      return <HostLink host={record.address} />;
    case "CNAME":
    case "NS":
    case "PTR":
      return <HostLink host={record.target} />;
    case "MX":
      return record.exchange === "." ? (
        <>takes no mail</>
      ) : (
        <>
          <span className="mono">{record.priority}</span> <HostLink host={record.exchange} />
        </>
      );
    default:
      return <Mono text={record.value} most={1_000} />;
  }
}
