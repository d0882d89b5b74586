import type { ReactNode } from "react";
import { KnownAbsence, Unknown, useIsUnknown } from "./known.tsx";
import { Sourced, SourceScope } from "./source.tsx";

/** A list of facts: name and value in two columns. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="facts">{children}</dl>;
}

type FactProps = {
  readonly name: string;
  /** The fields of the report that it shows: without a value it is unknown when all of them are, else there is none. */
  readonly of?: string | readonly string[];
  /** Where it comes from and how old that is; by default as the section around it. */
  readonly from?: string;
  readonly children: ReactNode;
};

/** One fact. What is not known is said by its value. */
export function Fact({ name, of, from, children }: FactProps) {
  return (
    <div className="fact">
      <dt>
        <Sourced from={from}>{name}</Sourced>
      </dt>
      <dd>{of === undefined ? children : <Value of={of}>{children}</Value>}</dd>
    </div>
  );
}

/** What a report says of some of its fields, or that it does not know them, or not all. */
function Value({ of, children }: Required<Pick<FactProps, "of" | "children">>) {
  const isUnknown = useIsUnknown();
  const fields = [of].flat();
  const unknown = fields.filter(isUnknown).length;
  if (unknown > 0 && unknown === fields.length) return <Unknown />;
  return (
    <KnownAbsence>
      {children}
      {unknown > 0 ? <span className="muted"> · in part unknown</span> : null}
    </KnownAbsence>
  );
}

type SectionProps = {
  readonly title: string;
  readonly note?: ReactNode;
  /** Where what it tells comes from and how old that is; without it each of its facts says so. */
  readonly from?: string;
  readonly children: ReactNode;
};

/** A titled part of a report. */
export function Section({ title, note, from, children }: SectionProps) {
  return (
    <section className="report-section">
      <div className="report-section-head">
        <h2>
          <Sourced from={from}>{title}</Sourced>
        </h2>
        {note === undefined ? null : <p className="muted">{note}</p>}
      </div>
      <SourceScope from={from}>{children}</SourceScope>
    </section>
  );
}

/** A trait that holds or not, with the field that says so. */
export type Trait = {
  readonly of: string;
  readonly name: string;
  readonly holds: boolean;
  /** Where that comes from. */
  readonly from?: string;
};

/** The traits that hold, and below them those of which nothing is known. */
export function Traits({ traits, none }: { traits: readonly Trait[]; none: string }) {
  const isUnknown = useIsUnknown();
  const holding = traits.filter(({ holds }) => holds);
  const unknown = traits.filter(({ of, holds }) => !holds && isUnknown(of));
  return (
    <>
      {holding.length === 0 ? (
        <p className="muted">{none}</p>
      ) : (
        <ul className="tags">
          {holding.map(({ of, name, from }) => (
            <li key={of}>
              <Sourced from={from}>{name}</Sourced>
            </li>
          ))}
        </ul>
      )}
      {unknown.length === 0 ? null : (
        <p className="muted">Unknown: {unknown.map(({ name }) => name).join(", ")}</p>
      )}
    </>
  );
}
