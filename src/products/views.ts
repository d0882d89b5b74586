import type { z } from "zod";
import { type JsonText, withMember } from "../base/json-text.ts";
import type { Wire } from "../base/wire.ts";
import { BLACKLISTS_TEXTS } from "../engines/blacklists-views.ts";
import type { BlacklistsReport } from "../engines/report.ts";
import type { FreshnessReport, RiskScore } from "../risk/shapes.ts";

/** How much of a report an answer holds, by the names on the wire. Source: answers 2. */
export const VIEWS = ["standard", "full", "compact", "verdict"] as const;
export type View = (typeof VIEWS)[number];

/** What the reports of all products have; those that ask engines have `blacklists`. */
export type ViewedReport = {
  readonly blacklists?: BlacklistsReport;
  readonly freshness: FreshnessReport;
};

/** A report by its shape, while its view is not chosen. */
export type Unviewed<Shape extends z.ZodType> = Omit<Wire<Shape>, "blacklists"> & {
  readonly blacklists: BlacklistsReport;
};

/** How the report of one product is cut. */
export type Cuts<Report> = {
  /** The report's other members without those that are empty. */
  readonly compact: (facts: object) => unknown;
  readonly verdict: (report: Report) => object;
};

/** The JSON text of a report in a view. */
export function viewText<R extends ViewedReport>(report: R, view: View, cuts: Cuts<R>): JsonText {
  if (view === "verdict") return [JSON.stringify(cuts.verdict(report))];
  const { blacklists, ...facts } = report;
  const text = [JSON.stringify(view === "compact" ? cuts.compact(shortened(facts)) : facts)];
  return blacklists === undefined
    ? text
    : withMember(text, "blacklists", [BLACKLISTS_TEXTS[view](blacklists)]);
}

/** The score needs the age of the lists, and of no other part; small answers hold no more. */
function withoutSources({ sources: _, ...freshness }: FreshnessReport): FreshnessReport {
  return freshness;
}

const shortened = (facts: Omit<ViewedReport, "blacklists">) => ({
  ...facts,
  freshness: withoutSources(facts.freshness),
});

type Scored = {
  readonly blacklists: BlacklistsReport;
  readonly risk_score: RiskScore;
  readonly freshness: FreshnessReport;
};

/** The view `verdict` of a report with a score. */
export const verdictOf = <T extends object>(target: T, report: Scored) => {
  const { result, band, verdict, coverage, factors, adjustments } = report.risk_score;
  return {
    ...target,
    risk_score: {
      result,
      band,
      verdict,
      coverage,
      factors: factors.map(({ key, points }) => ({ key, points })),
      adjustments: adjustments.map(({ key, points }) => ({ key, points })),
    },
    unanswered_count: report.blacklists.consultation.absences.length,
    freshness: withoutSources(report.freshness),
  };
};
