import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Download, Play, Trash2 } from "lucide-react";
import { useLocation } from "wouter";
import { dashboard } from "../../api/dashboard.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { Button } from "../../ui/button.tsx";
import { countOf } from "../../ui/format.ts";
import { Failure } from "../../ui/states.tsx";
import { useSay } from "../../ui/toasts.tsx";
import { useAccount } from "../session.tsx";

type Run = Shapes["RunView"]["run"];

/** What can be done with a run as it stands. */
export function RunActions({ run }: { readonly run: Run }) {
  const { id, state, lines } = run;
  const { is_reader: isReader } = useAccount();
  const [, navigate] = useLocation();
  const say = useSay();
  const start = useChange(id, () => dashboard.startRun(id));
  const cancel = useChange(id, () => dashboard.cancelRun(id));
  const remove = useChange(
    id,
    () => dashboard.removeRun(id),
    () => {
      say("Run deleted");
      navigate("/bulk");
    },
  );
  const mayStart = (state === "draft" || state === "paused") && lines.waiting > 0;
  const isOver = state === "done" || state === "cancelled";
  const error = start.error ?? cancel.error ?? remove.error;
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
          <Button disabled={isReader} isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel
          </Button>
        )}
        {state !== "draft" && <Files id={id} />}
        {isOver && !isReader && (
          <Button tone="danger" isBusy={remove.isPending} onClick={() => remove.mutate()}>
            <Trash2 aria-hidden="true" />
            Delete
          </Button>
        )}
      </div>
      {error !== null && <Failure error={error} isInline />}
    </div>
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
