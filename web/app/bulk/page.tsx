import { useMutation, useQuery } from "@tanstack/react-query";
import { ListChecks } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { dashboard } from "../../api/dashboard.ts";
import { takersOf } from "../../api/recognise.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { countOf, formatCount } from "../../ui/format.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Empty, Failure, Notice } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Page, Section } from "../page.tsx";
import { useAccount } from "../session.tsx";
import { bestColumn, countLines, readSheet, type Sheet } from "./csv-in.ts";
import { Given } from "./given.tsx";
import { RunState } from "./run-state.tsx";
import { type DomainsAs, uploadRun } from "./upload.ts";
import "./bulk.css";

type Run = Shapes["RunsView"]["runs"][number];

/** Many lookups at once, which the service works through by itself; and the runs of before. */
export function BulkPage() {
  const runs = useQuery({ queryKey: ["runs"], queryFn: ({ signal }) => dashboard.runs(signal) });
  return (
    <Page
      title="Bulk"
      intro="Paste lines or CSV, or choose a file. The service works through them by itself: you can close this page."
    >
      <Loaded query={runs} what="the runs">
        {({ runs: rows, max_lines: max, kept_days: days }) =>
          days === 0 ? <NoRuns /> : <Work runs={rows} max={max} days={days} />
        }
      </Loaded>
    </Page>
  );
}

const NoRuns = () => (
  <Empty title="There are no runs here" icon={<ListChecks size={22} aria-hidden="true" />}>
    <p>
      This installation keeps no results, and a run needs them. The API looks up as many as 100 values in a
      call: see <a href="/docs">the bulk endpoints</a>.
    </p>
  </Empty>
);

type WorkProps = { readonly runs: readonly Run[]; readonly max: number; readonly days: number };

function Work({ runs, max, days }: WorkProps) {
  const [given, setGiven] = useState<{ text: string; name: string | null }>({ text: "", name: null });
  return (
    <>
      <Given text={given.text} onText={(text, name) => setGiven({ text, name })} />
      {given.text.trim() !== "" && (
        <Prepare
          key={given.text}
          sheet={readSheet(given.text)}
          name={given.name ?? "Pasted lines"}
          max={max}
        />
      )}
      <Section title="Runs">
        {runs.length === 0 ? (
          <Empty title="No runs yet" icon={<ListChecks size={22} aria-hidden="true" />}>
            <p>Runs that you start stay here for {countOf(days, "day")}, with their files.</p>
          </Empty>
        ) : (
          <Table caption="Runs" columns={COLUMNS} rows={runs} keyOf={({ id }) => id} />
        )}
      </Section>
    </>
  );
}

type PrepareProps = { readonly sheet: Sheet; readonly name: string; readonly max: number };

const DOMAINS = takersOf("domain");

/** Which column is looked up and how, before anything is sent. */
function Prepare({ sheet, name, max }: PrepareProps) {
  const [column, setColumn] = useState(() => bestColumn(sheet));
  const [domainsAs, setDomainsAs] = useState<DomainsAs>("domain-reputation");
  const { is_reader: isReader } = useAccount();
  const [, navigate] = useLocation();
  const upload = useMutation({
    mutationFn: () => uploadRun({ name: name.slice(0, 120), sheet, column, domainsAs }),
    onSuccess: (id) => navigate(`/bulk/${id}`),
  });
  const lines = countLines(sheet);
  const isLong = lines > max;
  return (
    <div className="bulk-check">
      {sheet.columns.length > 1 && (
        <Select label="Column" value={column} onChange={({ target }) => setColumn(Number(target.value))}>
          {sheet.columns.map((head, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
            <option key={at} value={at}>
              {head}
            </option>
          ))}
        </Select>
      )}
      <Select
        label="Look domain names up as"
        value={domainsAs}
        onChange={({ target }) =>
          setDomainsAs(
            DOMAINS.find(({ product }) => product === target.value)?.product ?? "domain-reputation",
          )
        }
      >
        {DOMAINS.map(({ product, name: label }) => (
          <option key={product} value={product}>
            {label}
          </option>
        ))}
      </Select>
      {isLong && (
        <Notice kind="warn">
          <p>
            {formatCount(lines)} lines; a run takes at most {formatCount(max)}: split the file.
          </p>
        </Notice>
      )}
      {sheet.openQuote !== null && (
        <Notice kind="warn">
          <p>
            A quote opens in row {formatCount(sheet.openQuote)} and is never closed, so that all that follows
            is one cell: close or remove it.
          </p>
        </Notice>
      )}
      {upload.error !== null && <Failure error={upload.error} />}
      <Button
        tone="primary"
        isBusy={upload.isPending}
        disabled={isReader || isLong || lines === 0 || sheet.openQuote !== null}
        onClick={() => upload.mutate()}
      >
        Check {countOf(lines, "line")}
      </Button>
      <p className="muted small">Nothing is looked up or charged yet: the next page says what it costs.</p>
    </div>
  );
}

const totalOf = ({ lines }: Run): number => lines.waiting + lines.done + lines.failed;

const COLUMNS: readonly Column<Run>[] = [
  { head: "Run", isRowHead: true, cell: ({ id, name }) => <Link href={`/bulk/${id}`}>{name}</Link> },
  { head: "State", cell: (run) => <RunState run={run} /> },
  {
    head: "Looked up",
    isNumber: true,
    cell: (run) => `${formatCount(totalOf(run) - run.lines.waiting)} of ${formatCount(totalOf(run))}`,
  },
  { head: "Credits", isNumber: true, cell: ({ credits }) => formatCount(credits) },
  { head: "Created", isNumber: true, cell: ({ created_at: at }) => <RelativeTime time={at} /> },
];
