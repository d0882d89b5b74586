import { join } from "node:path";
import { z } from "zod";
import { readPackaged } from "../../yaml/packaged-yaml.ts";

const doNotUseSchema = z.array(
  z.strictObject({ zone: z.string().regex(/^[a-z0-9.-]+$/), reason: z.string().min(1).max(200) }),
);

let reasons: ReadonlyMap<string, string> | null = null;

/** Zones that have ended, and names whose new owner may list the whole internet. Reads the package's file. */
export function doNotUseList(): ReadonlyMap<string, string> {
  if (reasons === null) {
    const path = join(import.meta.dirname, "../catalogue/do-not-use.yaml");
    const rows = readPackaged(path, doNotUseSchema);
    reasons = new Map(rows.map(({ zone, reason }) => [zone, reason]));
  }
  return reasons;
}

/** Why the zone, or one above it, must not be asked; null when nothing speaks against it. */
export function doNotUseReason(zone: string): string | null {
  const labels = zone.toLowerCase().replace(/\.$/, "").split(".");
  for (let i = 0; i < labels.length; i++) {
    const reason = doNotUseList().get(labels.slice(i).join("."));
    if (reason !== undefined) return reason;
  }
  return null;
}
