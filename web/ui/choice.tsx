import { useId } from "react";
import { Select } from "./field.tsx";
import { useIsNarrow } from "./narrow.ts";
import "./choice.css";

type ChoiceProps<V extends string> = {
  readonly label: string;
  readonly options: readonly { readonly value: V; readonly label: string }[];
  readonly value: V;
  readonly onChange: (value: V) => void;
};

// As many stand side by side on a phone.
const MOST_ON_A_LINE = 4;

/** One of a few, all in sight: native radio buttons side by side, or a list where they would wrap. */
export function Choice<V extends string>({ label, options, value, onChange }: ChoiceProps<V>) {
  const name = useId();
  const isNarrow = useIsNarrow();
  if (isNarrow && options.length > MOST_ON_A_LINE) {
    return (
      <Select
        label={label}
        value={value}
        onChange={({ target }) => {
          const chosen = options.find((option) => option.value === target.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Select>
    );
  }
  return (
    <fieldset className="choice">
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
