import { Button } from "../../ui/button.tsx";
import { countOf, formatCount } from "../../ui/format.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { prefixOf, useKey } from "../key-store.ts";
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

function Name({ apiKey }: { readonly apiKey: Key }) {
  const used = useKey();
  const isHere = used !== null && prefixOf(used).startsWith(apiKey.prefix);
  return (
    <span className="with-tag">
      {apiKey.name === "" ? <span className="muted">No name</span> : apiKey.name}
      {isHere && (
        <span className="tag" data-kind="accent">
          Used in this tab
        </span>
      )}
      {apiKey.state === "active" && apiKey.replaced_by !== null && <span className="tag">Replaced</span>}
    </span>
  );
}

const LIMITS: Column<Key> = { head: "Limits", cell: (key) => <LimitsOf apiKey={key} /> };

function LimitsOf({ apiKey }: { readonly apiKey: Key }) {
  const { expires_at: expires, networks, products } = apiKey;
  if (expires === null && networks === null && products === null) return <span className="muted">None</span>;
  return (
    <ul className="key-limit-list">
      {expires !== null && (
        <li>
          Ends <RelativeTime time={expires} />
        </li>
      )}
      {networks !== null && (
        <li>
          From{" "}
          {networks.length > 2
            ? countOf(networks.length, "network")
            : networks.map((network, i) => (
                <span key={network}>
                  {i > 0 && ", "}
                  <code>{network}</code>
                </span>
              ))}
        </li>
      )}
      {products !== null && (
        <li>For {products.length > 2 ? countOf(products.length, "product") : products.join(", ")}</li>
      )}
    </ul>
  );
}

/** What can be done to a key. */
export type KeyAction = "edit" | "roll" | "revoke";

type ActiveKeysProps = {
  readonly keys: readonly Key[];
  readonly onAct: (key: Key, action: KeyAction) => void;
};

/** Keys that pay. One that was replaced goes on for a while, and can only be revoked. */
export function ActiveKeys({ keys, onAct }: ActiveKeysProps) {
  const action: Column<Key> = {
    head: "Change",
    isAction: true,
    cell: (key) => <Actions apiKey={key} onAct={(what) => onAct(key, what)} />,
  };
  const columns = [...SHARED, LIMITS, CALLS, action];
  return <Table caption="Active keys" columns={columns} rows={keys} keyOf={({ id }) => id} />;
}

type ActionsProps = { readonly apiKey: Key; readonly onAct: (action: KeyAction) => void };

function Actions({ apiKey: { name, prefix, replaced_by: replacedBy }, onAct }: ActionsProps) {
  const called = name || prefix;
  return (
    <span className="key-actions">
      {replacedBy === null && (
        <>
          <Button aria-label={`Edit ${called}`} onClick={() => onAct("edit")}>
            Edit
          </Button>
          <Button aria-label={`Roll ${called}`} onClick={() => onAct("roll")}>
            Roll
          </Button>
        </>
      )}
      <Button tone="danger" aria-label={`Revoke ${called}`} onClick={() => onAct("revoke")}>
        Revoke
      </Button>
    </span>
  );
}

/** Keys of the past, folded away. */
export function PastKeys({ keys }: { readonly keys: readonly Key[] }) {
  const ended: Column<Key> = {
    head: "Ended",
    cell: ({ state, revoked_at: revokedAt, expires_at: expiresAt }) => (
      <>
        {state === "revoked" ? "Revoked" : "Expired"} <RelativeTime time={revokedAt ?? expiresAt} />
      </>
    ),
  };
  return (
    <details className="past-keys">
      <summary>{countOf(keys.length, "past key")}</summary>
      <Table
        caption="Past keys"
        columns={[...SHARED, ended, CALLS]}
        rows={keys}
        keyOf={({ id }) => id}
        rowState={() => "off"}
      />
    </details>
  );
}
