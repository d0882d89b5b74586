import { counted } from "../base/counted.ts";
import type { BlacklistsReport } from "../engines/report.ts";
import { tallyOf } from "../engines/tally.ts";

/** The one sentence of the free tools about the lists (design 12). */
export function blacklistMessage(blacklists: BlacklistsReport, verdictIsUnknown: boolean): string {
  if (blacklists.engines_total === 0)
    return verdictIsUnknown ? "No engine was asked: no verdict." : "No engine was asked.";
  if (verdictIsUnknown) {
    const { fresh } = tallyOf(blacklists.consultation);
    return `Only ${fresh} of ${counted(blacklists.engines_total, "engine")} answered with fresh data: no verdict.`;
  }
  const all = counted(blacklists.engines_count, "engine");
  if (blacklists.detections > 0) return `Listed by ${blacklists.detections} of ${all}.`;
  return `Not listed by any of ${all}.`;
}
