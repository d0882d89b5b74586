import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowLeft, Download, Trash2 } from "lucide-react";
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { dashboard, type KeptResultView } from "../../api/dashboard.ts";
import { wordOfProduct } from "../../api/products.ts";
import { ReportEnvironmentProvider } from "../../report/environment.tsx";
import { LONGEST_TARGET, plain } from "../../report/outside-text.ts";
import { Report } from "../../report/report.tsx";
import { Button } from "../../ui/button.tsx";
import { saveFile } from "../../ui/csv.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { formatDate } from "../../ui/format.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Failure } from "../../ui/states.tsx";
import { useSay } from "../../ui/toasts.tsx";
import { lookupHref, lookupPath, questionOf } from "../lookup/question.ts";
import { Page } from "../page.tsx";
import { useAccount } from "../session.tsx";
import { endpointName } from "../words.ts";
import { ShareButton } from "./share.tsx";
import "./results.css";

const ENVIRONMENT = { isLive: true, hrefOf: lookupHref };

/** One kept answer: its report as it was then. */
export function ResultPage() {
  const { id = "" } = useParams();
  const kept = useQuery({
    queryKey: ["result", id],
    queryFn: ({ signal }) => dashboard.result(id, signal),
    // It never changes; its links do, and they say so.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Page title={kept.data === undefined ? "Result" : plain(kept.data.result.target, LONGEST_TARGET)}>
      <p className="results-back">
        <Link href="/results">
          <ArrowLeft size={15} aria-hidden="true" />
          All results
        </Link>
      </p>
      <Loaded query={kept} what="the report" rows={10}>
        {(view) => <Opened key={view.result.id} view={view} />}
      </Loaded>
    </Page>
  );
}

function Opened({ view }: { readonly view: KeptResultView }) {
  const { result } = view;
  const [isDeleting, setDeleting] = useState(false);
  const { is_reader: isReader } = useAccount();
  const word = wordOfProduct(result.product);
  const json = JSON.stringify(result.report, null, 2);
  return (
    <>
      <div className="result-head">
        <p>
          {endpointName(result.product)} · looked up <RelativeTime time={result.at} />
          <span className="muted">
            , kept until {formatDate(result.expires_at)}. Opening it costs nothing.
          </span>
        </p>
        <div className="button-row">
          {word !== null && (
            <Link className="button" href={lookupPath(questionOf(word, result.question, result.target))}>
              Look up again
            </Link>
          )}
          {!isReader && <ShareButton id={result.id} />}
          <Button onClick={() => saveFile(`repute-${result.product}.json`, "application/json", json)}>
            <Download aria-hidden="true" />
            Download JSON
          </Button>
          {!isReader && (
            <Button tone="danger" onClick={() => setDeleting(true)}>
              <Trash2 aria-hidden="true" />
              Delete
            </Button>
          )}
        </div>
      </div>
      <ReportEnvironmentProvider value={ENVIRONMENT}>
        {word === null ? null : <Report word={word} report={result.report} />}
      </ReportEnvironmentProvider>
      {isDeleting && (
        <DeleteDialog id={result.id} links={view.shares.length} onClose={() => setDeleting(false)} />
      )}
    </>
  );
}

type DeleteProps = { readonly id: string; readonly links: number; readonly onClose: () => void };

function DeleteDialog({ id, links, onClose }: DeleteProps) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const say = useSay();
  const remove = useMutation({
    mutationFn: () => dashboard.removeResult(id),
    onSuccess: () => {
      say("Result deleted");
      navigate("/results");
      for (const queryKey of [["results"], ["overview"]]) void queries.invalidateQueries({ queryKey });
    },
  });
  return (
    <Dialog title="Delete this result?" onClose={onClose}>
      <p>
        The report is deleted for good{links > 0 && ", and the links to it stop working"}. What it cost is not
        given back.
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
