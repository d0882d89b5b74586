import type { Laboratory } from "./laboratory.ts";

/** What a row measured, by the key of its figure in budgets.ts. */
export type Measurements = Readonly<Record<string, number>>;

/** One comparison: a file under rows/. It measures its figures side by side and knows nothing of their budgets. */
export type Row = {
  readonly name: string;
  readonly measure: (laboratory: Laboratory) => Promise<Measurements>;
};
