import type { Shapes } from "../../api/types.gen.ts";
import { formatCount } from "../../ui/format.ts";
import { type Column, Table } from "../../ui/table.tsx";
import { Section } from "../page.tsx";
import { endpointName } from "../words.ts";

type View = Shapes["UsageHoursView"];
type Times = Omit<View["latency"][number], "endpoint">;

const ms = (time: number): React.ReactNode => <span className="whole">{formatCount(time)} ms</span>;

const TIMES: readonly Column<Times>[] = [
  { head: "Answered", isNumber: true, cell: ({ calls }) => formatCount(calls) },
  { head: "Half within", isNumber: true, cell: ({ p50_ms: time }) => ms(time) },
  { head: "95% within", isNumber: true, cell: ({ p95_ms: time }) => ms(time) },
];

const BY_ENDPOINT: readonly Column<View["latency"][number]>[] = [
  { head: "Endpoint", isRowHead: true, cell: ({ endpoint }) => endpointName(endpoint) },
  ...TIMES,
];

const BY_HOUR: readonly Column<View["latency_by_hour"][number]>[] = [
  { head: "Hour", isRowHead: true, cell: ({ hour }) => `${String(hour).padStart(2, "0")}:00` },
  ...TIMES,
];

/** How long answered calls took, from the request's arrival to the answer. Nothing without a call. */
export function LatencySection({ view: { latency, latency_by_hour: hours } }: { readonly view: View }) {
  if (latency.length === 0) return null;
  const busiest = latency.toSorted((a, b) => b.calls - a.calls);
  return (
    <Section title="Time to answer">
      <Table
        caption="Time to answer by endpoint"
        columns={BY_ENDPOINT}
        rows={busiest}
        keyOf={({ endpoint }) => endpoint}
      />
      <details className="latency-hours">
        <summary>By hour</summary>
        <Table
          caption="Time to answer by hour"
          columns={BY_HOUR}
          rows={hours}
          keyOf={({ hour }) => String(hour)}
        />
      </details>
    </Section>
  );
}
