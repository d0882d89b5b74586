import type { CsvRow } from "../../ui/csv.ts";
import { countOf, formatCount } from "../../ui/format.ts";
import { type Column, Table } from "../../ui/table.tsx";
import { type Dimension, nameOfSlot, type RollUp, type UsageGroup } from "./roll-up.ts";

const HEADS: Readonly<Record<Dimension, string>> = { endpoint: "Endpoint", key: "Key", status: "Status" };

const NUMBERS: readonly Column<UsageGroup>[] = [
  { head: "Answered", isNumber: true, cell: ({ answered }) => formatCount(answered) },
  { head: "Refused", isNumber: true, cell: ({ refused }) => formatCount(refused) },
  { head: "Failed", isNumber: true, cell: ({ failed }) => formatCount(failed) },
  { head: "Items", isNumber: true, cell: ({ items }) => formatCount(items) },
  { head: "Credits", isNumber: true, cell: ({ credits }) => formatCount(credits) },
];

/** One line per group over all days: what was charged beside what was refused. */
export function GroupTable({ shown: { groups }, by }: { readonly shown: RollUp; readonly by: Dimension }) {
  const name: Column<UsageGroup> = { head: HEADS[by], isRowHead: true, cell: (group) => group.name };
  return (
    <Table caption={`Usage by ${by}`} columns={[name, ...NUMBERS]} rows={groups} keyOf={({ id }) => id} />
  );
}

/** What the bars show, as a table. */
export function DayTable({ shown: { unit, days, groups, beside } }: { readonly shown: RollUp }) {
  const all = days.map((day, at) => ({ day, at })).toReversed();
  const rows = all.filter(
    ({ at }) => (beside[at] ?? 0) > 0 || groups.some(({ perDay }) => (perDay[at] ?? 0) > 0),
  );
  const quiet = all.length - rows.length;
  type Row = (typeof rows)[number];
  const columns: readonly Column<Row>[] = [
    {
      head: unit === "day" ? "Day" : "Hour",
      isRowHead: true,
      cell: ({ day }) => <span className="day">{nameOfSlot(day)}</span>,
    },
    ...groups.map(({ name, perDay }): Column<Row> => {
      return { head: name, isNumber: true, cell: ({ at }) => formatCount(perDay[at] ?? 0) };
    }),
  ];
  const refused: Column<Row> = {
    head: "Refused or failed",
    isNumber: true,
    cell: ({ at }) => formatCount(beside[at] ?? 0),
  };
  const hasBeside = beside.some((count) => count > 0);
  return (
    <div className="scroll">
      <Table
        caption={`Calls per ${unit}`}
        columns={hasBeside ? [...columns, refused] : columns}
        rows={rows}
        keyOf={({ day }) => day}
      />
      {quiet > 0 && <p className="muted small">{countOf(quiet, unit)} without a call left out.</p>}
    </div>
  );
}

/** What the page shows, day by day, as the rows of a file. */
export function csvOf(
  { unit, days, groups, beside }: RollUp,
  by: Dimension,
): { readonly head: readonly string[]; readonly rows: readonly CsvRow[] } {
  const names = groups.map(({ name }) => name);
  const rows = days.map((day, at) => {
    const stacked = groups.map(({ perDay }) => perDay[at] ?? 0);
    return by === "status" ? [day, ...stacked] : [day, ...stacked, beside[at] ?? 0];
  });
  return { head: [unit, ...names, ...(by === "status" ? [] : ["refused or failed"])], rows };
}
