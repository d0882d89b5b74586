import { z } from "zod";

/** Options `usage.*` of the configuration file. Source: design 15. */
export const usageOptionsSchema = z.strictObject({
  store_targets: z
    .boolean()
    .default(false)
    .describe("Keep in the call history what was looked up; off, only its kind is kept"),
  keep_days: z
    .int()
    .min(1)
    .max(36_500)
    .default(90)
    .describe("Days that rows of the call history are kept; the daily roll-up stays"),
});

export type UsageOptions = z.infer<typeof usageOptionsSchema>;
