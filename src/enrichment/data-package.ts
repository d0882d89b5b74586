import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/** Folder and version of an installed data package. */
export type DataPackage = { readonly folder: string; readonly version: string };

/** Finds a package among the installed ones. Throws when it is not installed. */
export function locateDataPackage(name: string): DataPackage {
  const manifest = require.resolve(`${name}/package.json`);
  const parsed: unknown = JSON.parse(readFileSync(manifest, "utf8"));
  const version =
    typeof parsed === "object" && parsed !== null && "version" in parsed ? String(parsed.version) : "";
  return { folder: dirname(manifest), version };
}

/**
 * ISO 8601 date inside a version such as `2.3.2026060513` (year, month, day, hour UTC); null when it has none.
 * Source: the versions of the @ip-location-db packages.
 */
export function dateOfVersion(version: string): string | null {
  const match = /\.(\d{4})(\d{2})(\d{2})(\d{2})$/.exec(version);
  return match === null ? null : `${match[1]}-${match[2]}-${match[3]}T${match[4]}:00:00Z`;
}

/** A file of an installed data package. */
export const dataFile = (source: DataPackage, name: string): string => join(source.folder, name);
