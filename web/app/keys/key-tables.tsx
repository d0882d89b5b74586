import { Link } from "wouter";
import { Button } from "../../ui/button.tsx";
import { countOf, formatCount } from "../../ui/format.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { type Key, nameOf } from "./key.ts";
import { KeyLimits } from "./key-limits.tsx";
import "./keys.css";

/** What can be done to a key. */
export type KeyAction = "edit" | "roll" | "revoke";

type KeysProps = {
  /** All keys of the account that are known: a key may stand beside the one that replaced it. */
  readonly all: readonly Key[];
  /** Those of this table. */
  readonly keys: readonly Key[];
  /** Null: this session changes nothing. */
  readonly onAct: ((key: Key, action: KeyAction) => void) | null;
};

/** What every table of keys shows. */
export const keyColumns = (all: readonly Key[]): readonly Column<Key>[] => [
  { head: "Name", isRowHead: true, cell: (key) => <Name apiKey={key} /> },
  { head: "Key", cell: (key) => <Prefix apiKey={key} all={all} /> },
  { head: "Created", cell: ({ created_at: at }) => <RelativeTime time={at} /> },
  { head: "Last used", cell: ({ last_used_at: at }) => <RelativeTime time={at} /> },
  ...(isByMany(all) ? [MADE_BY] : []),
  { head: "Limits", cell: (key) => <KeyLimits apiKey={key} /> },
];

const MADE_BY: Column<Key> = {
  head: "Made by",
  cell: ({ made_by: by }) => by ?? <span className="muted">Operator, or a person who left</span>,
};

/** Whether it says something who made a key. */
const isByMany = (keys: readonly Key[]): boolean =>
  new Set(keys.flatMap(({ made_by: by }) => (by === undefined || by === null ? [] : [by]))).size > 1;

/** What it was used for lately. */
export const CALLS: Column<Key> = {
  head: "Calls in 30 days",
  isNumber: true,
  cell: ({ calls_30_days: calls }) => formatCount(calls),
};

function Name({ apiKey: { name, kind } }: { readonly apiKey: Key }) {
  return (
    <span className="with-tag key-name">
      {name === "" ? <span className="muted">No name</span> : name}
      {kind === "dashboard" && (
        <span className="tag" data-kind="accent">
          Pays lookups here
        </span>
      )}
    </span>
  );
}

function Prefix({ apiKey, all }: { readonly apiKey: Key; readonly all: readonly Key[] }) {
  const before = all.find(({ replaced_by: by }) => by === apiKey.id);
  const after = all.find(({ id }) => id === apiKey.replaced_by);
  return (
    <span className="key-prefix">
      <code>{apiKey.prefix}…</code>
      {before !== undefined && (
        <span className="key-chain">
          Replaced <code>{before.prefix}…</code>
        </span>
      )}
      {after !== undefined && (
        <span className="key-chain">
          Replaced by <code>{after.prefix}…</code>
        </span>
      )}
    </span>
  );
}

/** Keys that pay. One that was replaced goes on for a while, and can only be revoked. */
export function ActiveKeys({ all, keys, onAct }: KeysProps) {
  const columns = [...keyColumns(all), CALLS];
  const change: Column<Key> = {
    head: "Change",
    isAction: true,
    cell: (key) => <Actions apiKey={key} onAct={(action) => onAct?.(key, action)} />,
  };
  return (
    <Table
      caption="Active keys"
      columns={onAct === null ? columns : [...columns, change]}
      rows={keys}
      keyOf={({ id }) => id}
    />
  );
}

type ActionsProps = { readonly apiKey: Key; readonly onAct: (action: KeyAction) => void };

function Actions({ apiKey, onAct }: ActionsProps) {
  if (apiKey.kind === "dashboard") {
    return (
      <span className="muted small">
        Ends with its <Link href="/settings">session</Link>
      </span>
    );
  }
  if (apiKey.may_change === false) return <span className="muted small">Of another person</span>;
  const name = nameOf(apiKey);
  return (
    <span className="key-actions">
      {apiKey.replaced_by === null && (
        <>
          <Button aria-label={`Edit ${name}`} onClick={() => onAct("edit")}>
            Edit
          </Button>
          <Button aria-label={`Roll ${name}`} onClick={() => onAct("roll")}>
            Roll
          </Button>
        </>
      )}
      <Button tone="danger" aria-label={`Revoke ${name}`} onClick={() => onAct("revoke")}>
        Revoke
      </Button>
    </span>
  );
}

type KeyStateProps = { readonly apiKey: Key };

/** Keys of the past, folded away. One that expired can be given another end. */
export function PastKeys({ all, keys, onAct }: KeysProps) {
  const columns = [...keyColumns(all), ENDED, CALLS];
  const renew: Column<Key> = {
    head: "Change",
    isAction: true,
    cell: (key) =>
      isRenewable(key) && (
        <Button aria-label={`Renew ${nameOf(key)}`} onClick={() => onAct?.(key, "edit")}>
          Renew
        </Button>
      ),
  };
  return (
    <details className="past-keys">
      <summary>{countOf(keys.length, "past key")}</summary>
      <Table
        caption="Past keys"
        columns={onAct !== null && keys.some(isRenewable) ? [...columns, renew] : columns}
        rows={keys}
        keyOf={({ id }) => id}
        rowState={() => "off"}
      />
    </details>
  );
}

const isRenewable = ({ state, kind, replaced_by: by, may_change: mayChange }: Key): boolean =>
  state === "expired" && kind === "api" && by === null && mayChange !== false;

const ENDED: Column<Key> = { head: "Ended", cell: (key) => <KeyState apiKey={key} /> };

/** Whether a key works, else how it ended and when. */
export function KeyState({ apiKey: { state, revoked_at: revokedAt, expires_at: expiresAt } }: KeyStateProps) {
  if (state === "active") return "Active";
  return (
    <span>
      {state === "revoked" ? "Revoked" : "Expired"}{" "}
      <RelativeTime time={state === "revoked" ? revokedAt : expiresAt} />
    </span>
  );
}
