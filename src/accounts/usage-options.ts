import { z } from "zod";

/** Options `usage.*` of the configuration file. Source: design 15. */
export const usageOptionsSchema = z.strictObject({
  store_targets: z
    .boolean()
    .nullable()
    .default(null)
    .describe(
      "Whether the call history holds what was looked up: `true` keeps it. Unset, the history holds only its kind; `false` also keeps no results (`usage.keep_results_days`)",
    ),
  keep_days: z
    .int()
    .min(1)
    .max(36_500)
    .default(90)
    .describe("Days that rows of the call history are kept; the daily roll-up stays"),
  keep_results_days: z
    .int()
    .min(0)
    .max(3650)
    .default(30)
    .describe(
      "Days that the answers to lookups made on the pages are kept for their account; 0 keeps none. Answers to calls by an API key are never kept",
    ),
  keep_results_mb: z
    .int()
    .min(1)
    .max(100_000)
    .default(100)
    .describe("Megabytes of compressed answers that an account keeps; the oldest are deleted first"),
});

export type UsageOptions = z.infer<typeof usageOptionsSchema>;

/** Days that results are kept; 0: none are. */
export const keptResultDays = (usage: Pick<UsageOptions, "store_targets" | "keep_results_days">): number =>
  usage.store_targets === false ? 0 : usage.keep_results_days;

/** Bytes of compressed answers that an account keeps. */
export const maxKeptBytes = ({ keep_results_mb: megabytes }: Pick<UsageOptions, "keep_results_mb">): number =>
  megabytes * 1_000_000;
