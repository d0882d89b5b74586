import { z } from "zod";
import { UsageRow } from "../../accounts/shapes.ts";

// What the pages' own interface gives about usage, as in `shapes.ts`.

export const UsageView = z.object({ from: z.string(), to: z.string(), rows: z.array(UsageRow) });

const latency = {
  calls: z.int().describe("Answered ones"),
  p50_ms: z.int().describe("Half of them took at most that"),
  p95_ms: z.int().describe("Of a hundred, 95 took at most that"),
};
export const UsageHoursView = z.object({
  day: z.string(),
  rows: z.array(UsageRow.omit({ day: true }).extend({ hour: z.int().describe("0 to 23, in UTC") })),
  left_out: z.int().describe("Calls that are in no row: there are at most 20,000 rows"),
  latency: z.array(z.object({ endpoint: z.string(), ...latency })),
  latency_by_hour: z.array(z.object({ hour: z.int(), ...latency })).describe("Hours with an answered call"),
});
