import "./table.css";

export type Column<R> = {
  readonly head: string;
  readonly cell: (row: R) => React.ReactNode;
  /** Numbers stand to the right. */
  readonly isNumber?: boolean;
  /** Heading of its row. */
  readonly isRowHead?: boolean;
  /** Words of ours: no column is so narrow that one breaks. */
  readonly isWords?: boolean;
  /** For buttons: no heading in sight. */
  readonly isAction?: boolean;
};

type TableProps<R> = {
  readonly caption: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly keyOf: (row: R) => string;
  readonly rowState?: (row: R) => string | undefined;
  readonly foot?: React.ReactNode;
};

/** A table; where the page is narrow each row stands as a block with its labels. */
export function Table<R>({ caption, columns, rows, keyOf, rowState, foot }: TableProps<R>) {
  return (
    <table className="table">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ head, isNumber, isAction }) => (
            <th key={head} scope="col" data-number={isNumber || undefined}>
              {isAction ? <span className="visually-hidden">{head}</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} data-state={rowState?.(row)}>
            {columns.map((column) => (
              <Cell key={column.head} column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
      {foot !== undefined && <tfoot>{foot}</tfoot>}
    </table>
  );
}

/** What a cell holds that has nothing to show; a row that stands as a block leaves it out. */
export const NONE = "–";

function Cell<R>({ column, row }: { readonly column: Column<R>; readonly row: R }) {
  const content = column.cell(row);
  const shared = {
    "data-none": content === NONE || undefined,
    "data-number": column.isNumber || undefined,
    "data-words": column.isWords || undefined,
    "data-action": column.isAction || undefined,
    "data-label": column.isAction || column.isRowHead ? undefined : column.head,
  };
  if (column.isRowHead) {
    return (
      <th scope="row" {...shared}>
        {content}
      </th>
    );
  }
  return <td {...shared}>{content}</td>;
}
