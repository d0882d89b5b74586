import { RelativeTime } from "../../ui/relative-time.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import type { Export } from "./recipes.ts";

type Fetch = Export["fetches"][number];

/** Which consumers fetched an export, and which of them still have an older generation. */
export function Fetches({ one }: { readonly one: Export }) {
  const columns: readonly Column<Fetch>[] = [
    { head: "Token", isRowHead: true, cell: ({ token }) => <code>{token}…</code> },
    { head: "Address", cell: ({ address }) => address ?? "Unknown" },
    { head: "Format", cell: ({ format }) => format },
    { head: "Program", cell: ({ user_agent: agent }) => agent ?? "Not said" },
    { head: "Last fetch", cell: ({ at }) => <RelativeTime time={at} /> },
    { head: "Has", cell: (fetch) => (fetch.generation === one.generation ? "This one" : "An older one") },
  ];
  return (
    <>
      <h3>Who fetched it</h3>
      {one.fetches.length === 0 ? (
        <p className="muted">No consumer in the last thirty days.</p>
      ) : (
        <Table
          caption={`Who fetched ${one.name}`}
          columns={columns}
          rows={one.fetches}
          keyOf={({ token, address, format }) => `${token} ${address} ${format}`}
        />
      )}
    </>
  );
}
