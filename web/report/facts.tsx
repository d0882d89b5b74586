import type { ReactNode } from "react";

/** A list of facts: name and value in two columns. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="facts">{children}</dl>;
}

/** One fact. What is not known is said by its value. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A titled part of a report. */
export function Section({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <section className="report-section">
      <div className="report-section-head">
        <h2>{title}</h2>
        {note === undefined ? null : <p className="muted">{note}</p>}
      </div>
      {children}
    </section>
  );
}

/** Names that stand for something true of the target; `none` when there are no such. */
export function Tags({ names, none }: { names: readonly string[]; none: string }) {
  if (names.length === 0) return <span className="muted">{none}</span>;
  return (
    <ul className="tags">
      {names.map((name) => (
        <li key={name}>{name}</li>
      ))}
    </ul>
  );
}
