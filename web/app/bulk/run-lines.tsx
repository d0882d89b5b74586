import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleSlash, Hourglass } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { dashboard } from "../../api/dashboard.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { VERDICTS } from "../../report/bands.tsx";
import { LONGEST_TARGET, plain } from "../../report/outside-text.ts";
import { Select } from "../../ui/field.tsx";
import { formatCount } from "../../ui/format.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Empty } from "../../ui/states.tsx";
import { type Column, NONE, Table } from "../../ui/table.tsx";
import { Pager } from "../admin/pager.tsx";
import { VerdictTag } from "../results/verdict-tag.tsx";
import { endpointName } from "../words.ts";
import { readableNote } from "./note.ts";

type Run = Shapes["RunView"]["run"];
type Item = Shapes["RunItemsView"]["items"][number];

const LIMIT = 50;
const LOOK_MS = 2_000;

const STATES: Readonly<Record<Item["state"], string>> = {
  done: "Answered",
  waiting: "Waiting",
  failed: "Without an answer",
  invalid: "Cannot be looked up",
  repeated: "Repeated",
};

const isState = (word: string): word is Item["state"] => Object.hasOwn(STATES, word);

/** The lines of a run, narrowed by what became of them or by their verdict. */
export function RunLines({ run }: { readonly run: Run }) {
  const [filter, setFilter] = useState({ state: "", verdict: "", offset: 0 });
  const query = { ...filter, limit: LIMIT };
  const isRunning = run.state === "running";
  const items = useQuery({
    // Once more when it has come to a stop: what was read before is older than that.
    queryKey: ["run-lines", run.id, query, isRunning ? "running" : run.changed_at],
    queryFn: ({ signal }) => dashboard.runItems(run.id, query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: isRunning ? LOOK_MS : false,
  });
  const narrow = (part: Partial<typeof filter>) => setFilter({ ...filter, offset: 0, ...part });
  const total = totalOf(run, filter);
  return (
    <>
      <div className="bulk-filter">
        <Select label="Lines" value={filter.state} onChange={({ target }) => narrow({ state: target.value })}>
          <option value="">All</option>
          {Object.entries(STATES).map(([state, word]) => (
            <option key={state} value={state}>
              {word}
              {isState(state) && ` (${formatCount(run.lines[state])})`}
            </option>
          ))}
        </Select>
        <Select
          label="Verdict"
          value={filter.verdict}
          onChange={({ target }) => narrow({ verdict: target.value })}
        >
          <option value="">Any</option>
          {Object.entries(VERDICTS).map(([verdict, { word }]) => (
            <option key={verdict} value={verdict}>
              {word} ({formatCount(run.verdicts[verdict] ?? 0)})
            </option>
          ))}
        </Select>
        <Pager {...query} total={total} onOffset={(offset) => setFilter({ ...filter, offset })} />
      </div>
      <Verdicts run={run} />
      <Loaded query={items} what="the lines" rows={8}>
        {({ items: rows }) =>
          rows.length === 0 ? (
            <Empty title="No line is like that">
              <p>Choose other lines or another verdict.</p>
            </Empty>
          ) : (
            <Table caption="Lines" columns={COLUMNS} rows={rows} keyOf={({ line }) => String(line)} />
          )
        }
      </Loaded>
    </>
  );
}

/** How many lines match: with a verdict at least as many as are known to. */
function totalOf({ lines, verdicts }: Run, { state, verdict }: { state: string; verdict: string }): number {
  if (verdict !== "") return (verdicts[verdict] ?? 0) + lines.repeated;
  if (isState(state)) return lines[state];
  return Object.values(lines).reduce((sum, count) => sum + count, 0);
}

/** What came of the answered lines, by verdict. */
function Verdicts({ run: { verdicts } }: { readonly run: Run }) {
  const found = Object.keys(VERDICTS).filter((verdict) => (verdicts[verdict] ?? 0) > 0);
  if (found.length === 0) return null;
  return (
    <ul className="bulk-verdicts" aria-label="Answers by verdict">
      {found.map((verdict) => (
        <li key={verdict}>
          <VerdictTag verdict={verdict} /> {formatCount(verdicts[verdict] ?? 0)}
        </li>
      ))}
    </ul>
  );
}

const COLUMNS: readonly Column<Item>[] = [
  { head: "Value", isRowHead: true, cell: (item) => <Value item={item} /> },
  { head: "Line", isNumber: true, cell: ({ line }) => formatCount(line) },
  { head: "Kind", isWords: true, cell: ({ product }) => (product === null ? NONE : endpointName(product)) },
  { head: "Verdict", cell: (item) => <ItemVerdict item={item} /> },
  { head: "Score", isNumber: true, cell: ({ score }) => (score === null ? NONE : formatCount(score)) },
  {
    head: "Listed by",
    isNumber: true,
    cell: ({ detections, engines }) =>
      detections === null ? NONE : `${formatCount(detections)} of ${formatCount(engines ?? 0)}`,
  },
  { head: "Note", cell: noteOf },
];

function Value({ item: { target, cells, result_id: id } }: { readonly item: Item }) {
  const text = plain(target || (cells.find((cell) => cell !== "") ?? ""), LONGEST_TARGET);
  if (id === null) return <span className="mono result-target">{text}</span>;
  return (
    <Link className="mono result-target" href={`/results/${id}`}>
      {text}
    </Link>
  );
}

function ItemVerdict({ item: { state, verdict, result_id: id } }: { readonly item: Item }) {
  const isAnswered = state === "done" || (state === "repeated" && (verdict !== null || id !== null));
  if (isAnswered) return <VerdictTag verdict={verdict} />;
  const isWaiting = state === "waiting" || state === "repeated";
  const Icon = isWaiting ? Hourglass : state === "failed" ? CircleAlert : CircleSlash;
  return (
    <span className="tag" data-kind={state === "failed" ? "bad" : undefined}>
      <Icon aria-hidden="true" />
      {isWaiting ? "Waiting" : state === "failed" ? "No answer" : "Not valid"}
    </span>
  );
}

function noteOf({ note, same_as: sameAs }: Item): string {
  const text = note ?? (sameAs === null ? null : `Same as line ${formatCount(sameAs)}`);
  return text === null ? NONE : plain(readableNote(text));
}
