import { useMutation, useQueryClient } from "@tanstack/react-query";
import { dashboard } from "../../api/dashboard.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { Button } from "../../ui/button.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Failure } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { ROLE_NAMES } from "./roles.ts";

type Invitation = Shapes["PeopleView"]["invitations"][number];

/** Invitations that were not accepted yet. */
export function InvitationTable({ invitations }: { readonly invitations: readonly Invitation[] }) {
  const queries = useQueryClient();
  const withdraw = useMutation({
    mutationFn: dashboard.withdrawInvitation,
    onSettled: () => queries.invalidateQueries({ queryKey: ["people"] }),
  });
  const change: Column<Invitation> = {
    head: "Change",
    isAction: true,
    cell: ({ id, email }) => (
      <Button
        tone="danger"
        aria-label={`Withdraw the invitation of ${email}`}
        isBusy={withdraw.isPending && withdraw.variables === id}
        onClick={() => withdraw.mutate(id)}
      >
        Withdraw
      </Button>
    ),
  };
  return (
    <>
      {withdraw.error !== null && <Failure error={withdraw.error} isInline />}
      <Table caption="Invited" columns={[...COLUMNS, change]} rows={invitations} keyOf={({ id }) => id} />
    </>
  );
}

const COLUMNS: readonly Column<Invitation>[] = [
  { head: "E-mail", isRowHead: true, cell: ({ email }) => <span className="person-email">{email}</span> },
  { head: "Role", cell: ({ role }) => ROLE_NAMES[role] },
  { head: "Invited by", cell: ({ invited_by: by }) => <span className="person-email">{by}</span> },
  { head: "Ends", cell: ({ expires_at: at }) => <RelativeTime time={at} /> },
];
