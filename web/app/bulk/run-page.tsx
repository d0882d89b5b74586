import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { Link, useParams } from "wouter";
import { dashboard } from "../../api/dashboard.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { countOf, formatCount, formatSpan } from "../../ui/format.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Notice } from "../../ui/states.tsx";
import { Page } from "../page.tsx";
import { RunActions } from "./run-actions.tsx";
import { RunLines } from "./run-lines.tsx";
import { RunState } from "./run-state.tsx";
import "./bulk.css";

type Run = Shapes["RunView"]["run"];

const LOOK_MS = 1_000;

/** One run: how far it is, what came of it, and its files. */
export function RunPage() {
  const { id = "" } = useParams();
  const run = useQuery({
    queryKey: ["run", id],
    queryFn: ({ signal }) => dashboard.run(id, signal),
    refetchInterval: ({ state }) => (state.data?.run.state === "running" ? LOOK_MS : false),
    staleTime: 0,
  });
  return (
    <Page title={run.data?.run.name ?? "Bulk run"}>
      <p className="bulk-back">
        <Link href="/bulk">
          <ArrowLeft size={15} aria-hidden="true" />
          All runs
        </Link>
      </p>
      <Loaded query={run} what="the run" rows={8}>
        {({ run: found }) => (
          <>
            <div className="bulk-progress">
              <ProgressLine run={found} />
              <RunActions run={found} />
            </div>
            {found.state === "draft" && <Shortage run={found} />}
            <WhyPaused run={found} />
            <RunLines run={found} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function ProgressLine({ run }: { readonly run: Run }) {
  const { lines, state, credits } = run;
  const total = lines.waiting + lines.done + lines.failed;
  const done = total - lines.waiting;
  return (
    <div className="bulk-line">
      <p role="status">
        <RunState run={run} />{" "}
        {state === "draft" ? <Offer run={run} /> : `${formatCount(done)} of ${countOf(total, "lookup")}`}
        {state !== "draft" && ` · ${countOf(credits, "credit")} charged`}
        {run.seconds_left !== null && (
          <span className="muted"> · about {formatSpan(run.seconds_left, "nearest")} left</span>
        )}
      </p>
      {state !== "draft" && (
        <progress max={Math.max(1, total)} value={done} aria-label="Progress">
          {done} of {total}
        </progress>
      )}
      <p className="muted small">{leftOut(run)}</p>
    </div>
  );
}

/** Credits of the account; null until they are known. */
function useBalance(): number | null {
  const overview = useQuery({ queryKey: ["overview"], queryFn: ({ signal }) => dashboard.overview(signal) });
  return overview.data?.subscription.credits_remaining ?? null;
}

/** What a run would cost, before it is started. */
function Offer({ run }: { readonly run: Run }) {
  const left = useBalance();
  return (
    <>
      <strong>{countOf(run.lines.waiting, "lookup")}</strong> · costs up to {countOf(run.cost_left, "credit")}
      {left !== null && <span className="muted"> of {formatCount(left)} left</span>}
    </>
  );
}

/** What becomes of a run that the balance does not cover, before it is started. */
function Shortage({ run: { cost_left: cost } }: { readonly run: Run }) {
  const left = useBalance();
  if (left === null || left >= cost) return null;
  return (
    <Notice kind="warn">
      <p>
        The balance may not cover all of it: the run would pause where it ends, and go on when you resume it.{" "}
        <Link href="/billing">See the plans</Link>.
      </p>
    </Notice>
  );
}

function leftOut({ lines: { repeated, invalid, failed } }: Run): string {
  const parts = [
    repeated > 0 ? `${countOf(repeated, "repeated line")} answered once` : null,
    invalid > 0 ? `${countOf(invalid, "line")} that cannot be looked up` : null,
    failed > 0 ? `${countOf(failed, "line")} without an answer` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? "" : `${parts.join(", ")}: not charged.`;
}

function WhyPaused({ run: { state, reason, cost_left: cost } }: { readonly run: Run }) {
  if (state !== "paused" || reason === null) return null;
  const why = {
    credits: (
      <p>
        The balance does not cover the next lookup; the rest costs {countOf(cost, "credit")}.{" "}
        <Link href="/billing">See the plans</Link>, or resume the run when the balance has refilled.
      </p>
    ),
    session: (
      <p>
        The session that paid for this run has ended, by sign-out or expiry. Resume it, and this session pays
        for the rest.
      </p>
    ),
    fault: (
      <p>
        A fault of the service stopped this run; its log says more. Nothing was charged for the lines that are
        left. Resume the run to try them again.
      </p>
    ),
  };
  return <Notice kind="warn">{why[reason]}</Notice>;
}
