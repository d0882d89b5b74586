import { z } from "zod";
import { exportFacts } from "../../exports/facts.ts";
import { exportFetch } from "../../exports/fetches.ts";
import { held } from "../../exports/state.ts";

const { kind, target, subtracted, sources, not_exportable } = exportFacts.shape;

export const ExportView = z.object({
  name: z.string(),
  kind,
  target,
  served: z.boolean(),
  closed_reason: z.string().nullable().describe("Why nothing of it is served"),
  checked_at: z.string().nullable().describe("When a build last found its content to be right"),
  held: held.nullable().describe("A generation that is held back"),
  fault: z.object({ at: z.string(), message: z.string() }).nullable().describe("Why the last build failed"),
  generation: z.int().nullable(),
  made_at: z.string().nullable(),
  entries: z.int().nullable(),
  ipv4_entries: z.int().nullable(),
  ipv6_entries: z.int().nullable(),
  challenged_entries: z.int().nullable(),
  min_score: z.int(),
  policy: z
    .string()
    .nullable()
    .describe("The policy whose blocks are exported; null: it goes by its own `min_score`"),
  cut_by_limit: z.int().nullable(),
  subtracted: subtracted.nullable(),
  promoted_addresses: z.int().nullable(),
  sources,
  not_exportable,
  formats: z.array(
    z.object({
      format: z.string(),
      title: z.string(),
      bytes: z.int().nullable().describe("Null: not asked for yet"),
      gzip_bytes: z.int().nullable(),
      sha256: z.string().nullable(),
      dropped: z.int().nullable().describe("Entries that the format cannot hold"),
    }),
  ),
});

/** Every export that the caller may see. */
export const ExportsView = z.object({ exports: z.array(ExportView) });

/** The same for owners, with who fetched them and who takes decisions of them. */
export const OwnExportsView = z.object({
  exports: z.array(
    ExportView.extend({
      fetches: z.array(exportFetch).describe("Last fetch of each consumer in thirty days, the newest first"),
      bouncers: z
        .array(
          z.object({
            token: z.string().describe("First characters of its token"),
            address: z.string(),
            user_agent: z.string(),
            last_answer_at: z.string(),
            generation: z.int().describe("That it was last sent"),
            not_enforceable: z
              .int()
              .nullable()
              .describe("Entries that it was not told, since it cannot enforce them; null: not known yet"),
          }),
        )
        .describe("Bouncers that this process answered since its start, the latest first"),
    }),
  ),
});
