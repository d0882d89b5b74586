import { useState } from "react";
import { Choice } from "../../ui/choice.tsx";

const DAY_MS = 86_400_000;
const PRESETS = [
  { value: "1", label: "Today" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "custom", label: "From – to" },
] as const;

type Preset = (typeof PRESETS)[number]["value"];

const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export type ChosenRange = {
  readonly preset: Preset;
  readonly from: string;
  readonly to: string;
  readonly choose: (preset: Preset) => void;
  readonly limit: (side: "from" | "to", day: string) => void;
};

/** The days to show: the last so many up to today, or two days of choice. */
export function useRange(): ChosenRange {
  const [preset, choose] = useState<Preset>("30");
  const today = dayAt(Date.now());
  const [custom, setCustom] = useState({ from: dayAt(Date.now() - 29 * DAY_MS), to: today });
  const limit = (side: "from" | "to", day: string): void => {
    if (day !== "") setCustom({ ...custom, [side]: day });
  };
  if (preset !== "custom") {
    return { preset, from: dayAt(Date.now() - (Number(preset) - 1) * DAY_MS), to: today, choose, limit };
  }
  const [from, to] = [custom.from, custom.to].toSorted();
  return { preset, from: from ?? today, to: to ?? today, choose, limit };
}

/** The choice of days. */
export function RangeChoice({ range }: { readonly range: ChosenRange }) {
  return (
    <div className="button-row">
      {range.preset === "custom" && (
        <div className="range-days">
          <DayInput label="From" day={range.from} onDay={(day) => range.limit("from", day)} />
          <DayInput label="To" day={range.to} onDay={(day) => range.limit("to", day)} />
        </div>
      )}
      <Choice label="Days" options={PRESETS} value={range.preset} onChange={range.choose} />
    </div>
  );
}

type DayInputProps = {
  readonly label: string;
  readonly day: string;
  readonly onDay: (day: string) => void;
};

const DayInput = ({ label, day, onDay }: DayInputProps) => (
  <label className="range-day">
    <span className="visually-hidden">{label}</span>
    <input
      className="input"
      type="date"
      value={day}
      max={dayAt(Date.now())}
      onChange={(event) => onDay(event.target.value)}
    />
  </label>
);
