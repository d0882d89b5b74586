import { join } from "node:path";
import { z } from "zod";
import { readPackaged } from "../../packaged-yaml.ts";
import { zoneShape } from "../options.ts";

/** A zone of the catalogue: the operator's schema, and why it is off. */
export const builtinZoneSchema = z
  .strictObject({
    ...zoneShape,
    name: z.string().min(1).max(200),
    target: z.enum(["ip", "domain", "url", "email"]),
    zone: z
      .string()
      .regex(/^[a-z0-9.{}_-]+$/)
      .describe("`{key}` stands for the operator's key"),
    off: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe("Why the zone is off unless the operator asks for it"),
    unaskable: z
      .literal(true)
      .optional()
      .describe(
        "The zone's name lacks the operator's key, or it is asked for hashes: `enable` does not help",
      ),
  })
  .superRefine(({ homepage, reference }, context) => {
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
  const path = join(import.meta.dirname, "../catalogue/zones.yaml");
  return readPackaged(path, z.array(builtinZoneSchema));
}
