import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Download, Play, Trash2 } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { dashboard } from "../../api/dashboard.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { countOf } from "../../ui/format.ts";
import { Failure } from "../../ui/states.tsx";
import { useSay } from "../../ui/toasts.tsx";
import { useAccount } from "../session.tsx";

type Run = Shapes["RunView"]["run"];

/** What can be done with a run as it stands. */
export function RunActions({ run }: { readonly run: Run }) {
  const { id, state, lines } = run;
  const { is_reader: isReader } = useAccount();
  const [asked, setAsked] = useState<"cancel" | "delete" | null>(null);
  const start = useChange(id, () => dashboard.startRun(id));
  const mayStart = (state === "draft" || state === "paused") && lines.waiting > 0;
  const isOver = state === "done" || state === "cancelled";
  const close = () => setAsked(null);
  return (
    <div className="bulk-actions">
      <div className="button-row">
        {mayStart && (
          <Button tone="primary" disabled={isReader} isBusy={start.isPending} onClick={() => start.mutate()}>
            <Play aria-hidden="true" />
            {state === "draft" ? `Start ${countOf(lines.waiting, "lookup")}` : "Resume"}
          </Button>
        )}
        {!isOver && (
          <Button disabled={isReader} onClick={() => setAsked("cancel")}>
            Cancel
          </Button>
        )}
        {state !== "draft" && <Files id={id} />}
        {isOver && !isReader && (
          <Button tone="danger" onClick={() => setAsked("delete")}>
            <Trash2 aria-hidden="true" />
            Delete
          </Button>
        )}
      </div>
      {start.error !== null && <Failure error={start.error} isInline />}
      {asked === "cancel" && <CancelDialog run={run} onClose={close} />}
      {asked === "delete" && <DeleteDialog id={id} onClose={close} />}
    </div>
  );
}

type CancelProps = { readonly run: Run; readonly onClose: () => void };

function CancelDialog({ run: { id, lines }, onClose }: CancelProps) {
  const cancel = useChange(id, () => dashboard.cancelRun(id), onClose);
  return (
    <Dialog title="Cancel this run?" onClose={onClose}>
      <p>
        The {countOf(lines.waiting, "line")} not looked up so far will not be looked up, and cost nothing.
        Results so far are kept. A cancelled run cannot be resumed.
      </p>
      {cancel.error !== null && <Failure error={cancel.error} />}
      <div className="dialog-end">
        <Button tone="quiet" onClick={onClose}>
          Go on
        </Button>
        <Button tone="danger" isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel the run
        </Button>
      </div>
    </Dialog>
  );
}

type DeleteProps = { readonly id: string; readonly onClose: () => void };

function DeleteDialog({ id, onClose }: DeleteProps) {
  const [, navigate] = useLocation();
  const say = useSay();
  const remove = useChange(
    id,
    () => dashboard.removeRun(id),
    () => {
      say("Run deleted");
      navigate("/bulk");
    },
  );
  return (
    <Dialog title="Delete this run?" onClose={onClose}>
      <p>
        Its lines and the results that are kept of it are deleted for good, and links to them stop working.
        Credits are not refunded.
      </p>
      {remove.error !== null && <Failure error={remove.error} />}
      <div className="dialog-end">
        <Button tone="quiet" onClick={onClose}>
          Keep it
        </Button>
        <Button tone="danger" isBusy={remove.isPending} onClick={() => remove.mutate()}>
          Delete
        </Button>
      </div>
    </Dialog>
  );
}

const Files = ({ id }: { readonly id: string }) => (
  <>
    <a className="button" href={dashboard.runFile(id, "csv")} download>
      <Download aria-hidden="true" />
      Download CSV
    </a>
    <a className="button" href={dashboard.runFile(id, "json")} download>
      <Download aria-hidden="true" />
      Download JSON
    </a>
  </>
);

function useChange(id: string, change: () => Promise<unknown>, then: () => void = () => undefined) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: then,
    onSettled: () => {
      for (const queryKey of [["run", id], ["run-lines", id], ["runs"], ["overview"], ["results"]]) {
        void queries.invalidateQueries({ queryKey });
      }
    },
  });
}
