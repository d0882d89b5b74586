import type { Ground } from "./ground.ts";

/** What a scenario needs that is not everywhere. */
export type Need =
  | "postgres"
  | "valkey"
  | "faketime"
  | "tmpfs"
  | "linux"
  | "haproxy"
  | "namespace"
  | "bouncers";

/** A figure with the bound that it must keep. */
export type Row = {
  readonly step: string;
  readonly figure: string;
  readonly value: string;
  readonly must: string;
  readonly isMet: boolean;
};

/** Notes figures, and expectations that were not met. */
export type Findings = {
  readonly figure: (name: string, value: number | string) => void;
  /** One expectation; `text` says what holds when it is met. */
  readonly expect: (isMet: boolean, text: string) => void;
  /** A row of the table; one that is not met is a fault. */
  readonly row: (row: Row) => void;
  readonly rows: readonly Row[];
  readonly figures: Readonly<Record<string, number | string>>;
  /** The expectations that were not met. */
  readonly faults: readonly string[];
};

/** Something that goes wrong, and what is expected of money, answers and recovery. */
export type Scenario = {
  readonly name: string;
  readonly what: string;
  readonly needs: readonly Need[];
  /** `isShort`: the form that tests run. */
  readonly run: (ground: Ground, findings: Findings, isShort: boolean) => Promise<void>;
};

/** Nothing found yet. */
export function createFindings(): Findings {
  const figures: Record<string, number | string> = {};
  const faults: string[] = [];
  const rows: Row[] = [];
  return {
    rows,
    row: (row) => {
      rows.push(row);
      if (!row.isMet) faults.push(`${row.step}: ${row.figure} is ${row.value}, must be ${row.must}`);
    },
    figures,
    faults,
    figure: (name, value) => {
      figures[name] = value;
    },
    expect: (isMet, text) => {
      if (!isMet) faults.push(text);
    },
  };
}
