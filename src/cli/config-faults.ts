import { accessSync, constants } from "node:fs";
import type { Config } from "../config/config.ts";
import { type StartFault, startFaults } from "../config/start-faults.ts";
import { defineEngines, type Switches } from "../engines/definitions.ts";
import { unknownEngines } from "../engines/unknown-engines.ts";
import { unknownEnginesOfExports } from "../exports/unknown-engines.ts";

/** Why `repute serve` will not start with a configuration that can be read. */
export const faultsIn = ({ file }: Config): readonly StartFault[] => [
  ...unreadableFiles(file),
  ...startFaults(file),
];

/** Names in it that nothing has, a sentence each: the service starts, and they do nothing. */
export function namelessIn({ file }: Config, switches: Switches): readonly string[] {
  const { engines, allowlists, exports } = file;
  const definitions = defineEngines({ engines, allowlists, switches });
  return [...unknownEngines(engines, definitions), ...unknownEnginesOfExports(exports, definitions)];
}

function unreadableFiles({ geo, fetch }: Config["file"]): readonly StartFault[] {
  const files = [
    [["geo", "database"], geo.database],
    [["geo", "asn_database"], geo.asn_database],
    [["fetch", "ca_file"], fetch.ca_file],
  ] as const;
  return files.flatMap(([path, file]) =>
    file === null || isReadable(file) ? [] : [{ path, message: `${path.join(".")}: cannot read "${file}"` }],
  );
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}
