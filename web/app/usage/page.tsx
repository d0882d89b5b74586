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
import { LatencySection } from "./latency.tsx";
import { RangeChoice, useRange } from "./range.tsx";
import {
  byHour,
  callsOf,
  type Dimension,
  daysBetween,
  hoursOf,
  type RollUp,
  rollUp,
  type UsageRecord,
} from "./roll-up.ts";
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
      intro="Days and hours are in UTC. Refused and failed calls cost nothing; refused and failed items of a bulk call cost as much as the others. Lines of a run of the Bulk page that get no answer cost nothing."
      actions={<RangeChoice range={range} />}
    >
      <Loaded query={usage} what="the usage" rows={8}>
        {(view) => (view.from === view.to ? <DayView day={view.from} /> : <DaysView view={view} />)}
      </Loaded>
    </Page>
  );
}

const DaysView = ({ view }: { readonly view: Shapes["UsageView"] }) => {
  const slots = useMemo(() => daysBetween(view.from, view.to), [view]);
  return <UsageView rows={view.rows} slots={slots} />;
};

/** One day by the hour, and how long its calls took. */
function DayView({ day }: { readonly day: string }) {
  const hours = useQuery({
    queryKey: ["usage", "hours", day],
    queryFn: ({ signal }) => dashboard.usageHours(day, signal),
  });
  const rows = useMemo(() => (hours.data === undefined ? [] : byHour(hours.data)), [hours.data]);
  const slots = useMemo(() => hoursOf(day), [day]);
  return (
    <Loaded query={hours} what="the hours" rows={8}>
      {(view) => (
        <>
          {view.left_out > 0 && (
            <p className="muted">
              {formatCount(view.left_out)} calls of this day are not shown: they would make more rows than
              this page takes.
            </p>
          )}
          <UsageView rows={rows} slots={slots} />
          <LatencySection view={view} />
        </>
      )}
    </Loaded>
  );
}

type UsageViewProps = { readonly rows: readonly UsageRecord[]; readonly slots: readonly string[] };

function UsageView({ rows, slots }: UsageViewProps) {
  const [by, setBy] = useState<Dimension>("endpoint");
  const shown = useMemo(() => rollUp(rows, by, slots), [rows, by, slots]);
  const { total, unit } = shown;
  if (callsOf(total) === 0) {
    return (
      <Empty title={unit === "day" ? "No calls in these days" : "No calls on this day"}>
        <p>
          This page will show bars per {unit} and a table by endpoint, key and status.
          {unit === "hour" && " Hours are shown as far back as the history of calls is kept."}
        </p>
      </Empty>
    );
  }
  return (
    <>
      <Figures>
        <Figure label="Answered calls" value={formatCount(total.answered)}>
          {total.items > total.answered && `with ${formatCount(total.items)} items`}
        </Figure>
        <Figure label="Credits spent" value={formatCount(total.credits)} />
        <Figure label="Refused" value={formatCount(total.refused)}>
          {shareOf(total.refused, callsOf(total))}
        </Figure>
        <Figure label="Failed" value={formatCount(total.failed)}>
          {shareOf(total.failed, callsOf(total))}
        </Figure>
      </Figures>
      <PerSlot shown={shown} by={by} onBy={setBy} />
      <Section title={`By ${by}`}>
        <GroupTable shown={shown} by={by} />
      </Section>
    </>
  );
}

const shareOf = (part: number, whole: number): string =>
  `${formatCount(Math.round((1000 * part) / whole) / 10)}% of all calls`;

type PerSlotProps = {
  readonly shown: RollUp;
  readonly by: Dimension;
  readonly onBy: (by: Dimension) => void;
};

function PerSlot({ shown, by, onBy }: PerSlotProps) {
  const { unit, days } = shown;
  const [isTable, setIsTable] = useState(false);
  const save = () => {
    const { head, rows } = csvOf(shown, by);
    saveFile(
      `repute-usage-by-${by}-${days[0] ?? ""}-${days.at(-1) ?? ""}.csv`,
      "text/csv",
      toCsv(head, rows),
    );
  };
  return (
    <Section
      title={`Calls per ${unit}`}
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
