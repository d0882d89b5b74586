import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Download, Table2 } from "lucide-react";
import { useMemo, useState } from "react";
import { dashboard } from "../../api/dashboard.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { Button } from "../../ui/button.tsx";
import { Choice } from "../../ui/choice.tsx";
import { saveFile, toCsv } from "../../ui/csv.ts";
import { formatCount } from "../../ui/format.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Empty } from "../../ui/states.tsx";
import { Figure, Figures, Page, Section } from "../page.tsx";
import { UsageChart } from "./chart.tsx";
import { RangeChoice, useRange } from "./range.tsx";
import { callsOf, type Dimension, daysBetween, type RollUp, rollUp } from "./roll-up.ts";
import { csvOf, DayTable, GroupTable } from "./tables.tsx";
import "./usage.css";

const DIMENSIONS = [
  { value: "endpoint", label: "Endpoint" },
  { value: "key", label: "Key" },
  { value: "status", label: "Status" },
] as const;

/** Calls and credits over time. */
export function UsagePage() {
  const range = useRange();
  const usage = useQuery({
    queryKey: ["usage", range.from, range.to],
    queryFn: ({ signal }) => dashboard.usage({ from: range.from, to: range.to }, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Usage"
      intro="Days are in UTC. Refused and failed calls cost nothing; refused and failed items of a bulk call cost as much as the others."
      actions={<RangeChoice range={range} />}
    >
      <Loaded query={usage} what="the usage" rows={8}>
        {(view) => <UsageView view={view} />}
      </Loaded>
    </Page>
  );
}

function UsageView({ view }: { readonly view: Shapes["UsageView"] }) {
  const [by, setBy] = useState<Dimension>("endpoint");
  const shown = useMemo(() => rollUp(view.rows, by, daysBetween(view.from, view.to)), [view, by]);
  const { total } = shown;
  if (callsOf(total) === 0) {
    return (
      <Empty title="No calls in these days">
        <p>This page will show bars per day and a table by endpoint, key and status.</p>
      </Empty>
    );
  }
  return (
    <>
      <Figures>
        <Figure label="Answered calls" value={formatCount(total.answered)}>
          {total.items > callsOf(total) && `with ${formatCount(total.items)} items`}
        </Figure>
        <Figure label="Credits spent" value={formatCount(total.credits)} />
        <Figure label="Refused" value={formatCount(total.refused)}>
          {shareOf(total.refused, callsOf(total))}
        </Figure>
        <Figure label="Failed" value={formatCount(total.failed)}>
          {shareOf(total.failed, callsOf(total))}
        </Figure>
      </Figures>
      <PerDay shown={shown} by={by} onBy={setBy} view={view} />
      <Section title={`By ${by}`}>
        <GroupTable shown={shown} by={by} />
      </Section>
    </>
  );
}

const shareOf = (part: number, whole: number): string =>
  `${formatCount(Math.round((1000 * part) / whole) / 10)}% of all calls`;

type PerDayProps = {
  readonly shown: RollUp;
  readonly by: Dimension;
  readonly onBy: (by: Dimension) => void;
  readonly view: Shapes["UsageView"];
};

function PerDay({ shown, by, onBy, view: { from, to } }: PerDayProps) {
  const [isTable, setIsTable] = useState(false);
  const save = () => {
    const { head, rows } = csvOf(shown, by);
    saveFile(`repute-usage-by-${by}-${from}-${to}.csv`, "text/csv", toCsv(head, rows));
  };
  return (
    <Section
      title="Calls per day"
      aside={
        <div className="button-row">
          <Choice label="Stack by" options={DIMENSIONS} value={by} onChange={onBy} />
          <Button aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
            <Table2 aria-hidden="true" />
            {isTable ? "Show as chart" : "Show as table"}
          </Button>
          <Button onClick={save}>
            <Download aria-hidden="true" />
            CSV
          </Button>
        </div>
      }
    >
      {isTable ? <DayTable shown={shown} /> : <UsageChart shown={shown} />}
    </Section>
  );
}
