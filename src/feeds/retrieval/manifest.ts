import { join } from "node:path";
import { z } from "zod";
import { readPackaged } from "../../yaml/packaged-yaml.ts";

const manifestSchema = z.array(
  z.strictObject({
    file: z.string().regex(/^[a-z0-9-]+$/),
    name: z.string(),
    publisher: z.string(),
    licence: z.string(),
    licence_text: z.string().optional(),
    url: z.string(),
    /** The publisher's date; one without a time means 00:00:00Z (design 3.4). */
    date: z.string().regex(/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$/),
    entries: z.int().min(1),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    changes: z.string(),
  }),
);

/** What the seed holds: one row per packed file. */
export type SeedManifest = z.infer<typeof manifestSchema>;

/** Reads `manifest.yaml` of a seed folder. Throws when it is missing or broken: the package is then damaged. */
export function readSeedManifest(seedDir: string): SeedManifest {
  return readPackaged(join(seedDir, "manifest.yaml"), manifestSchema);
}

/** A manifest's or publisher's date as an instant: `2026-08-22` is its midnight in UTC. */
export const instantOf = (date: string): string => (date.length === 10 ? `${date}T00:00:00Z` : date);
