import { z } from "zod";

/** The operator's `gate:`. */
export const gateOptionsSchema = z.strictObject({
  per_second: z
    .int()
    .min(1)
    .max(10_000_000)
    .default(1000)
    .describe("Questions that one token may ask of /api/gate in a second, in each process"),
});
