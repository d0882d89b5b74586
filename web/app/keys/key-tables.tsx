import { Link } from "wouter";
import { Button } from "../../ui/button.tsx";
import { countOf, formatCount } from "../../ui/format.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import type { Key } from "./key.ts";
import "./keys.css";

const SHARED: readonly Column<Key>[] = [
  { head: "Name", isRowHead: true, cell: (key) => <Name apiKey={key} /> },
  { head: "Key", cell: ({ prefix }) => <code>{prefix}…</code> },
  { head: "Created", cell: ({ created_at: at }) => <RelativeTime time={at} /> },
  { head: "Last used", cell: ({ last_used_at: at }) => <RelativeTime time={at} /> },
];

const CALLS: Column<Key> = {
  head: "Calls in 30 days",
  isNumber: true,
  cell: ({ calls_30_days: calls }) => formatCount(calls),
};

function Name({ apiKey: { name, kind } }: { readonly apiKey: Key }) {
  return (
    <span className="with-tag">
      {name === "" ? <span className="muted">No name</span> : name}
      {kind === "dashboard" && (
        <span className="tag" data-kind="accent">
          Pays lookups here
        </span>
      )}
    </span>
  );
}

type ActiveKeysProps = { readonly keys: readonly Key[]; readonly onRevoke: (key: Key) => void };

/** Keys that pay. */
export function ActiveKeys({ keys, onRevoke }: ActiveKeysProps) {
  const action: Column<Key> = {
    head: "Revoke",
    isAction: true,
    cell: (key) =>
      key.kind === "dashboard" ? (
        <span className="muted small">
          Ends with its <Link href="/settings">session</Link>
        </span>
      ) : (
        <Button tone="danger" aria-label={`Revoke ${key.name || key.prefix}`} onClick={() => onRevoke(key)}>
          Revoke
        </Button>
      ),
  };
  return (
    <Table caption="Active keys" columns={[...SHARED, CALLS, action]} rows={keys} keyOf={({ id }) => id} />
  );
}

/** Keys of the past, folded away. */
export function RevokedKeys({ keys }: { readonly keys: readonly Key[] }) {
  const revoked: Column<Key> = {
    head: "Revoked",
    cell: ({ revoked_at: at }) => <RelativeTime time={at} />,
  };
  return (
    <details className="past-keys">
      <summary>{countOf(keys.length, "revoked key")}</summary>
      <Table
        caption="Revoked keys"
        columns={[...SHARED, revoked, CALLS]}
        rows={keys}
        keyOf={({ id }) => id}
        rowState={() => "off"}
      />
    </details>
  );
}
