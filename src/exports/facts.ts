import { z } from "zod";
import { LISTED_KINDS } from "../targets/listed-kinds.ts";

const licence = z.object({
  spdx: z.string().nullable(),
  redistribution: z.enum(["yes", "no", "unknown"]),
});

/** What is told of one generation of an export, on the wire as it stands here. */
export const exportFacts = z
  .object({
    name: z.string(),
    kind: z.enum(["block", "allow"]),
    target: z.enum(LISTED_KINDS),
    generation: z.int().describe("Grows with every change of the content; seconds since 1970 where it can"),
    made_at: z.string().describe("When this content was made"),
    entries: z.int(),
    ipv4_entries: z.int(),
    ipv6_entries: z.int(),
    challenged_entries: z
      .int()
      .default(0)
      .describe("Beside them: what its policy challenges, which bouncers are told and no file has"),
    min_score: z.int(),
    cut_by_limit: z.int().describe("Entries that the limit left out"),
    subtracted: z
      .object({ allowlists: z.int(), shared_infrastructure: z.int(), overrides: z.int() })
      .describe("Stretches of addresses, or names, that it would hold if they were not cut out"),
    promoted_addresses: z.int().describe("Addresses that no list names and promotion added"),
    sources: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        licence,
        data_age_s: z.int().nullable().describe("When the generation was made"),
        refresh_minutes: z.int(),
      }),
    ),
    not_exportable: z.array(z.string()).describe("Engines that are asked live and have no list to export"),
  })
  .meta({ id: "ExportFacts" });
export type ExportFacts = z.infer<typeof exportFacts>;
