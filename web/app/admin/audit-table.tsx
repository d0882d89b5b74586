import { Link } from "wouter";
import { auditWords } from "../../api/audit-actions.gen.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { plain } from "../../report/outside-text.ts";
import { formatCount } from "../../ui/format.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { ShortId } from "../../ui/short-id.tsx";
import { type Column, NONE, Table } from "../../ui/table.tsx";

type AuditRow = Shapes["AuditView"]["audit"][number];

const BEFORE = "_before";
/** Members whose own name says too little. */
const TERMS: Readonly<Record<string, string>> = {
  client: "from",
  ends_totp: "two-factor authentication off",
};

/** The detail of a row as a line, changes alone where a value has one from before: "plan Free → Pro". */
function detailOf(detail: AuditRow["detail"]): string {
  const parts = Object.entries(detail).map(([name, value]) => {
    const old = detail[`${name}${BEFORE}`];
    if (name.endsWith(BEFORE) || value === null || value === false || old === value) return null;
    const term = TERMS[name] ?? name.replaceAll("_", " ");
    if (value === true) return term;
    return `${term} ${old === undefined ? textOf(value) : `${textOf(old)} → ${textOf(value)}`}`;
  });
  return plain(parts.filter((part) => part !== null).join(", "));
}

function textOf(value: unknown): string {
  if (typeof value === "number") return formatCount(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}

const ID = /([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})/;

/** A text with its identifiers cut short. */
const Detail = ({ text }: { readonly text: string }) => (
  <span>
    {text
      .split(ID)
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
      .map((part, at) => (ID.test(part) ? <ShortId key={at} id={part} /> : part))}
  </span>
);

/** A name that keeps to its line; what does not fit is in its title. */
const Who = ({ name }: { readonly name: string }) => (
  <span className="audit-who" title={name}>
    {ID.test(name) ? <Detail text={name} /> : name}
  </span>
);

const orNone = (text: string, show: (text: string) => React.ReactNode = (shown) => shown): React.ReactNode =>
  text === "" ? NONE : show(text);

const WHEN: Column<AuditRow> = { head: "When", cell: ({ at }) => <RelativeTime time={at} /> };
const REST: readonly Column<AuditRow>[] = [
  { head: "What", isRowHead: true, isWords: true, cell: ({ action }) => auditWords(action) },
  { head: "Detail", cell: ({ detail }) => orNone(detailOf(detail), (text) => <Detail text={text} />) },
  { head: "By", cell: ({ actor }) => <Who name={actor} /> },
  { head: "Reason", cell: ({ reason }) => orNone(plain(reason ?? "")) },
];

const ACCOUNT: Column<AuditRow> = {
  head: "Account",
  cell: ({ account_id: id, account_email: email }) =>
    id === null ? (
      NONE
    ) : (
      <Link className="audit-who" title={email ?? id} href={`/admin/accounts/${encodeURIComponent(id)}`}>
        {email ?? `${id.slice(0, 8)}…`}
      </Link>
    ),
};

type AuditTableProps = { readonly audit: readonly AuditRow[]; readonly hasAccount?: boolean };

/** What was changed, by which account and why. */
export const AuditTable = ({ audit, hasAccount = false }: AuditTableProps) => (
  <Table
    caption="Audit log"
    columns={hasAccount ? [WHEN, ACCOUNT, ...REST] : [WHEN, ...REST]}
    rows={audit}
    keyOf={({ id }) => id}
  />
);
