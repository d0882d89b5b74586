import { join } from "node:path";
import { z } from "zod";
import { readPackaged } from "../../yaml/packaged-yaml.ts";
import { catalogueShape, refineOff } from "../catalogue-columns.ts";
import { refineZone, zoneShape } from "../options.ts";

/** A zone of the catalogue: the operator's schema, and why it is off. */
export const builtinZoneSchema = z
  .strictObject({
    ...zoneShape,
    name: z.string().min(1).max(200),
    ...catalogueShape,
    unaskable: z
      .literal(true)
      .optional()
      .describe(
        "The zone is not public, or is asked in a way that this version does not know: nothing switches it on",
      ),
  })
  .superRefine((entry, context) => {
    refineOff(entry, context);
    if (entry.unaskable !== true) refineZone(entry, context);
    const { homepage, reference } = entry;
    if (homepage !== null || reference !== null) return;
    context.addIssue({
      code: "custom",
      path: ["homepage"],
      message: "Expected a page about the zone, here or in reference",
    });
  });
export type BuiltinZone = z.infer<typeof builtinZoneSchema>;

/** Reads the zones of the catalogue. Throws when they break the schema: the package is then damaged. */
export function readZoneCatalogue(): readonly BuiltinZone[] {
  const path = join(import.meta.dirname, "../catalogue/dnsbl.yaml");
  return readPackaged(path, z.array(builtinZoneSchema));
}
