import { createContext, useContext } from "react";
import type { ProductWord } from "../api/products.ts";

/** Where a report stands. */
export type ReportEnvironment = {
  /** Whether scripts run here: filters and buttons are shown only then. */
  readonly isLive: boolean;
  /** Address of the page that looks a value up. */
  readonly hrefOf: (kind: ProductWord, value: string) => string;
  /** What following such a link costs, where it does. */
  readonly costOf?: (kind: ProductWord) => string;
};

const MAX_SEGMENT = 150;

/** Address of a public tool's report. What a path cannot carry goes into the query. */
export function toolHref(kind: ProductWord, value: string): string {
  if (value === "") return `/tools/${kind}`;
  const isSegment = kind !== "url" && value.length <= MAX_SEGMENT && !/[/\\]|^\.{1,2}$/.test(value);
  const encoded = encodeURIComponent(value.toWellFormed());
  return isSegment ? `/tools/${kind}/${encoded}` : `/tools/${kind}?q=${encoded}`;
}

const Environment = createContext<ReportEnvironment>({ isLive: false, hrefOf: toolHref });

/** Tells the reports inside where they stand; without one, on a public page that no script changes. */
export const ReportEnvironmentProvider = Environment.Provider;

export const useReportEnvironment = (): ReportEnvironment => useContext(Environment);
