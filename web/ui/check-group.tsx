import { CircleAlert } from "lucide-react";
import { useId } from "react";
import "./check.css";
import "./check-group.css";

type CheckGroupProps = {
  readonly legend: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** Null: all, also those that are added later. */
  readonly chosen: readonly string[] | null;
  readonly allLabel: string;
  readonly onChange: (chosen: readonly string[] | null) => void;
  readonly error: string | null;
  readonly hint: string;
};

/** All of something, or some of it: boxes to tick, with hint and error. */
export function CheckGroup(props: CheckGroupProps) {
  const { legend, options, chosen, allLabel, onChange, error, hint } = props;
  const id = useId();
  const some = chosen ?? [];
  return (
    <fieldset className="check-group" aria-describedby={error === null ? id : `${id}-error ${id}`}>
      <legend>{legend}</legend>
      <label className="check">
        <input
          type="checkbox"
          checked={chosen === null}
          onChange={({ target }) => onChange(target.checked ? null : [])}
        />
        <span>{allLabel}</span>
      </label>
      {chosen !== null &&
        options.map(({ value, label }, at) => (
          <label key={value} className="check">
            <input
              type="checkbox"
              checked={some.includes(value)}
              aria-invalid={(at === 0 && error !== null) || undefined}
              onChange={({ target }) =>
                onChange(target.checked ? [...some, value] : some.filter((one) => one !== value))
              }
            />
            <span>{label}</span>
          </label>
        ))}
      {error !== null && (
        <p className="field-error" id={`${id}-error`}>
          <CircleAlert size={14} aria-hidden="true" />
          {error}
        </p>
      )}
      <p className="field-hint" id={id}>
        {hint}
      </p>
    </fieldset>
  );
}
