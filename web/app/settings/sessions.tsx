import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { LogOut } from "lucide-react";
import { useState } from "react";
import { dashboard } from "../../api/dashboard.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { formatCount } from "../../ui/format.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Failure } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useSay } from "../../ui/toasts.tsx";
import { leave } from "../session.tsx";
import { browserOf } from "./browser-of.ts";

type Session = Shapes["SessionsView"]["sessions"][number];

type SessionsProps = {
  /** True: this session ends none. */
  readonly isReader?: boolean;
};

/** Every session of the account, each with its end. */
export function Sessions({ isReader = false }: SessionsProps) {
  const sessions = useQuery({ queryKey: ["sessions"], queryFn: ({ signal }) => dashboard.sessions(signal) });
  return (
    <Loaded query={sessions} what="the sessions">
      {(view) => <SessionTable sessions={view.sessions} isReader={isReader} />}
    </Loaded>
  );
}

function useEndSession() {
  const queries = useQueryClient();
  const say = useSay();
  return useMutation({
    mutationFn: dashboard.endSession,
    onSuccess: () => say("Session ended"),
    onSettled: () => queries.invalidateQueries({ queryKey: ["sessions"] }),
  });
}

const COLUMNS: readonly Column<Session>[] = [
  { head: "Browser", isRowHead: true, cell: (session) => <Browser session={session} /> },
  { head: "Address", cell: ({ client_address: address }) => <code>{address}</code> },
  { head: "Signed in", cell: ({ created_at: at }) => <RelativeTime time={at} /> },
  { head: "Last seen", cell: ({ last_seen_at: at }) => <RelativeTime time={at} /> },
  { head: "Ends", cell: ({ expires_at: at }) => <RelativeTime time={at} /> },
];

type SessionTableProps = { readonly sessions: readonly Session[]; readonly isReader: boolean };

function SessionTable({ sessions, isReader }: SessionTableProps) {
  const end = useEndSession();
  const action: Column<Session> = {
    head: "End",
    isAction: true,
    cell: ({ id, is_current: isCurrent, user_agent: agent }) =>
      !isCurrent && (
        <Button
          tone="danger"
          isBusy={end.isPending}
          aria-label={`End the session of ${browserOf(agent)}`}
          onClick={() => end.mutate(id)}
        >
          End
        </Button>
      ),
  };
  return (
    <div className="settings-sessions">
      {end.error !== null && <Failure error={end.error} />}
      <Table
        caption="Sessions"
        columns={isReader ? COLUMNS : [...COLUMNS, action]}
        rows={sessions}
        keyOf={({ id }) => id}
      />
      {!isReader && <Everywhere sessions={sessions} />}
    </div>
  );
}

const Browser = ({ session }: { readonly session: Session }) => (
  <span className="with-tag" title={session.user_agent.slice(0, 300)}>
    {browserOf(session.user_agent)}
    {session.is_current && (
      <span className="tag" data-kind="accent">
        This one
      </span>
    )}
  </span>
);

const sessionsText = (count: number): string =>
  count === 1
    ? "this session, and any that was opened meanwhile"
    : `all ${formatCount(count)} sessions, this one included`;

function Everywhere({ sessions }: { readonly sessions: readonly Session[] }) {
  const [isAsking, setIsAsking] = useState(false);
  const queries = useQueryClient();
  // In one step on the service: also what was opened since this list was read.
  const end = useMutation({ mutationFn: () => dashboard.endSessions(), onSuccess: () => leave(queries) });
  return (
    <>
      <div>
        <Button tone="danger" onClick={() => setIsAsking(true)}>
          <LogOut aria-hidden="true" />
          Sign out everywhere
        </Button>
      </div>
      {isAsking && (
        <Dialog title="Sign out everywhere?" onClose={() => setIsAsking(false)}>
          <p>This ends {sessionsText(sessions.length)}. API keys keep working.</p>
          {end.error !== null && <Failure error={end.error} />}
          <div className="dialog-end">
            <Button tone="quiet" onClick={() => setIsAsking(false)}>
              Stay signed in
            </Button>
            <Button tone="danger" isBusy={end.isPending} onClick={() => end.mutate()}>
              Sign out everywhere
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
