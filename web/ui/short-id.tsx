import { useId } from "react";
import "./relative-time.css";

const SHOWN = 8;

/** The beginning of a long identifier; all of it on focus, on hover and to screen readers. */
export function ShortId({ id }: { readonly id: string }) {
  const tip = useId();
  return (
    <span className="time">
      <button type="button" className="time-button" aria-describedby={tip}>
        <code>{id.slice(0, SHOWN)}…</code>
      </button>
      <span className="time-exact" role="tooltip" id={tip}>
        {id}
      </span>
    </span>
  );
}
