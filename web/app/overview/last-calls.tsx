import { Activity } from "lucide-react";
import { Link } from "wouter";
import type { Shapes } from "../../api/types.gen.ts";
import { formatCount } from "../../ui/format.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Empty } from "../../ui/states.tsx";
import { type Column, NONE, Table } from "../../ui/table.tsx";
import { StatusTag } from "../status-tag.tsx";
import { endpointName } from "../words.ts";

type Call = Shapes["OverviewView"]["last_calls"][number];

const COLUMNS: readonly Column<Call>[] = [
  { head: "Call", isRowHead: true, cell: (call) => <Asked call={call} /> },
  { head: "Status", cell: ({ status }) => <StatusTag status={status} /> },
  { head: "Key", cell: ({ key_prefix: prefix }) => (prefix === null ? NONE : <code>{prefix}…</code>) },
  { head: "Credits", isNumber: true, cell: ({ credits }) => formatCount(credits) },
  {
    head: "Took",
    isNumber: true,
    cell: ({ elapsed_ms: ms }) => (ms === null ? NONE : `${formatCount(ms)} ms`),
  },
  { head: "When", isNumber: true, cell: ({ at }) => <RelativeTime time={at} /> },
];

function Asked({ call }: { readonly call: Call }) {
  const { endpoint, target, items, request_id: id, calls, result_id: resultId } = call;
  const name = endpointName(endpoint);
  return (
    <>
      {resultId === null ? name : <Link href={`/results/${encodeURIComponent(resultId)}`}>{name}</Link>}
      {target !== null && <code className="call-target">{target}</code>}
      {id === null && (
        <span className="muted">
          {" "}
          · {formatCount(calls)} {calls === 1 ? "call" : "calls"} refused in this minute
        </span>
      )}
      {items > 1 && <span className="muted"> · {formatCount(items)} items</span>}
    </>
  );
}

const keyOf = ({ request_id: id, at, endpoint }: Call): string => id ?? `${at} ${endpoint}`;

/** The last calls of the account, newest first. */
export function LastCalls({ calls }: { readonly calls: readonly Call[] }) {
  if (calls.length === 0) {
    return (
      <Empty title="No calls yet" icon={<Activity size={22} aria-hidden="true" />}>
        <p>
          Each call shows up here with its status and price. <Link href="/lookup">Look something up</Link> to
          see the first.
        </p>
      </Empty>
    );
  }
  return <Table caption="The last calls" columns={COLUMNS} rows={calls} keyOf={keyOf} />;
}
