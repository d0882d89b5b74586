import { Check, CircleAlert, Download } from "lucide-react";
import type { Product } from "../../api/products.ts";
import { VERDICTS, type Verdict } from "../../report/bands.tsx";
import { Button } from "../../ui/button.tsx";
import { saveFile, toCsv } from "../../ui/csv.ts";
import { countOf, formatCount } from "../../ui/format.ts";
import { type Column, Table } from "../../ui/table.tsx";
import { lookupHref } from "../lookup/question.ts";
import { Refused } from "../lookup/refused.tsx";
import type { Checked } from "./csv-in.ts";
import { CSV_HEAD, csvRows } from "./csv-out.ts";
import { NotSent } from "./not-sent.tsx";
import type { Progress } from "./run.ts";
import type { Summary } from "./summary.ts";

type ResultsProps = {
  readonly product: Product;
  readonly given: Checked;
  readonly progress: Progress;
  readonly onCancel: () => void;
  readonly onAgain: () => void;
};

/** How far it is, and what has come so far. */
export function Results({ product, given, progress, onCancel, onAgain }: ResultsProps) {
  const { state, results, error } = progress;
  const isRunning = state === "running" || state === "waiting";
  const save = () =>
    saveFile(`repute-bulk-${product.word}.csv`, "text/csv", toCsv(CSV_HEAD, csvRows(given, results)));
  return (
    <>
      <div className="bulk-progress">
        <ProgressLine progress={progress} />
        <div className="button-row">
          {isRunning ? (
            <Button onClick={onCancel}>Cancel</Button>
          ) : (
            <Button onClick={onAgain}>Look up others</Button>
          )}
          <Button disabled={results.length === 0} onClick={save}>
            <Download aria-hidden="true" />
            CSV
          </Button>
        </div>
      </div>
      <NotSent wrong={given.wrong} product={product} />
      {state === "failed" && <Refused error={error} onRetry={onAgain} />}
      {results.length > 0 && <ResultTable product={product} results={results} />}
    </>
  );
}

const STATES: Readonly<Record<Progress["state"], string>> = {
  running: "Looking up",
  waiting: "Waiting: too many requests at once, it goes on by itself",
  done: "Done",
  cancelled: "Cancelled; what had come stays",
  failed: "Stopped",
};

function ProgressLine({
  progress: { state, done, total, charged, remaining },
}: {
  readonly progress: Progress;
}) {
  return (
    <div className="bulk-line">
      <p role="status">
        <strong>{STATES[state]}</strong> · {formatCount(done)} of {formatCount(total)} ·{" "}
        {countOf(charged, "credit")} charged
        {remaining !== null && <span className="muted">, {formatCount(remaining)} left</span>}
      </p>
      <progress max={total} value={done} aria-label="Progress">
        {done} of {total}
      </progress>
    </div>
  );
}

const isVerdict = (word: string): word is Verdict => Object.hasOwn(VERDICTS, word);

function VerdictTag({ row: { verdict, status } }: { readonly row: Summary }) {
  if (status === "error") {
    return (
      <span className="tag" data-kind="bad">
        <CircleAlert aria-hidden="true" />
        No answer
      </span>
    );
  }
  if (!isVerdict(verdict)) {
    return (
      <span className="tag" data-kind="good">
        <Check aria-hidden="true" />
        Answered
      </span>
    );
  }
  const { word, Icon } = VERDICTS[verdict];
  return (
    <span className={`tag verdict-tag verdict-tag-${verdict}`}>
      <Icon aria-hidden="true" />
      {word}
    </span>
  );
}

const SHOWN = 500;

function ResultTable({
  product,
  results,
}: {
  readonly product: Product;
  readonly results: readonly Summary[];
}) {
  const hasScore = results.some(({ verdict }) => verdict !== "");
  const columns: readonly Column<Summary>[] = [
    {
      head: product.label,
      isRowHead: true,
      cell: ({ input }) => (
        <a className="mono" href={lookupHref(product.word, input)} target="_blank" rel="noreferrer">
          {input.slice(0, 120)}
        </a>
      ),
    },
    { head: "Verdict", cell: (row) => <VerdictTag row={row} /> },
    ...(hasScore ? SCORES : []),
    {
      head: "Note",
      cell: ({ note }) => (note === "" ? <span className="muted">–</span> : note.slice(0, 200)),
    },
  ];
  return (
    <>
      <Table
        caption="Results"
        columns={columns}
        rows={results.slice(0, SHOWN)}
        keyOf={({ input }) => input}
      />
      {results.length > SHOWN && (
        <p className="muted">
          The first {SHOWN} are shown; the CSV has all {formatCount(results.length)}.
        </p>
      )}
    </>
  );
}

const SCORES: readonly Column<Summary>[] = [
  { head: "Score", isNumber: true, cell: ({ score }) => (score === null ? "–" : formatCount(score)) },
  {
    head: "Listed by",
    isNumber: true,
    cell: ({ detections, engines }) =>
      detections === null ? "–" : `${formatCount(detections)} of ${formatCount(engines ?? 0)}`,
  },
];
