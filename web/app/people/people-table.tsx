import type { Shapes } from "../../api/types.gen.ts";
import { Button } from "../../ui/button.tsx";
import { formatCount } from "../../ui/format.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { ROLE_NAMES } from "./roles.ts";

export type ListedPerson = Shapes["PeopleView"]["people"][number];

/** What owners do with a person. */
export type PersonAction = "role" | "remove";

type PeopleTableProps = {
  readonly people: readonly ListedPerson[];
  /** Null: this person changes nothing here. */
  readonly onAct: ((person: ListedPerson, action: PersonAction) => void) | null;
};

/** The people of the account. */
export function PeopleTable({ people, onAct }: PeopleTableProps) {
  const change: Column<ListedPerson> = {
    head: "Change",
    isAction: true,
    cell: (person) => (
      <span className="button-row">
        <Button aria-label={`Change the role of ${person.email}`} onClick={() => onAct?.(person, "role")}>
          Role
        </Button>
        <Button
          tone="danger"
          aria-label={person.is_you ? "Leave this account" : `Remove ${person.email}`}
          onClick={() => onAct?.(person, "remove")}
        >
          {person.is_you ? "Leave" : "Remove"}
        </Button>
      </span>
    ),
  };
  return (
    <Table
      caption="People"
      columns={onAct === null ? COLUMNS : [...COLUMNS, change]}
      rows={people}
      keyOf={({ id }) => id}
    />
  );
}

const COLUMNS: readonly Column<ListedPerson>[] = [
  { head: "E-mail", isRowHead: true, cell: (person) => <Name person={person} /> },
  { head: "Role", cell: ({ role }) => ROLE_NAMES[role] },
  { head: "Authenticator", cell: ({ has_totp: hasTotp }) => (hasTotp ? "On" : "Off") },
  {
    head: "Keys",
    isNumber: true,
    cell: ({ keys }) => formatCount(keys),
  },
  {
    head: "Signed in",
    cell: ({ last_seen_at: at }) =>
      at === null ? <span className="muted">Nowhere now</span> : <RelativeTime time={at} />,
  },
  { head: "Since", cell: ({ created_at: at }) => <RelativeTime time={at} /> },
];

const Name = ({ person: { email, is_you: isYou } }: { readonly person: ListedPerson }) => (
  <span className="with-tag">
    <span className="person-email">{email}</span>
    {isYou && (
      <span className="tag" data-kind="accent">
        You
      </span>
    )}
  </span>
);
