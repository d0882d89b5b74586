import type { ReactNode } from "react";
import { UnknownScope } from "./known.tsx";
import { counted } from "./numbers.ts";
import { Mono } from "./outside.tsx";

/** The fields whose source is absent or failed: their values are defaults, not findings. */
export function UnknownFields({ fields }: { fields: readonly string[] }) {
  if (fields.length === 0) return null;
  return (
    <details className="fold">
      <summary>{counted(fields.length, "field")} not known</summary>
      <p className="muted source">Their source is missing or failed; the raw answer has a default value.</p>
      <ul className="columns">
        {fields.map((field) => (
          <li key={field}>
            <Mono text={field} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** A whole report: what it does not know is said wherever it shows one of these fields. */
export const ReportOf = ({ fields, children }: { fields: readonly string[]; children: ReactNode }) => (
  <UnknownScope fields={fields}>
    <div className="report">{children}</div>
  </UnknownScope>
);
