import { useId } from "react";
import "./meter.css";

type MeterProps = {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  /** The value in words, beside the bar. */
  readonly text: string;
  readonly state?: "good" | "warn" | "bad" | undefined;
  readonly isLabelHidden?: boolean;
};

/** A quantity within its bounds, on the native element; the words say the same as the bar. */
export function Meter({ label, value, max, text, state = "good", isLabelHidden }: MeterProps) {
  const id = useId();
  const shown = Math.min(Math.max(value, 0), max);
  return (
    <span className="meter" data-state={state}>
      <label htmlFor={id} className={isLabelHidden ? "visually-hidden" : "meter-label"}>
        {label}
      </label>
      <meter id={id} min={0} max={max === 0 ? 1 : max} value={shown}>
        {text}
      </meter>
      <span className="meter-text">{text}</span>
    </span>
  );
}
