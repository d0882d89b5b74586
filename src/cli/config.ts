import { accessSync, constants } from "node:fs";
import type { Config } from "../config/config.ts";
import type { EngineDefinition } from "../engines/definitions.ts";
import { defineCommand } from "./command.ts";

/** `repute config`. What stands in it and will not work as it stands is said on standard error. */
export const config = defineCommand({
  help: { examples: ["repute config"], page: "configuration.md" },
  run: async (_invocation, context) => {
    const { printableConfig } = await import("../config/config.ts");
    const { defineEngines } = await import("../engines/definitions.ts");
    const { unknownEngines } = await import("../engines/unknown-engines.ts");
    const inForce = await context.config();
    const { readSwitchesCopy } = await import("../app/engine-switches.ts");
    const switches = readSwitchesCopy(inForce.dataDir);
    context.print(printableConfig(inForce, switches).trimEnd());
    const { unknownEnginesOfExports } = await import("../exports/unknown-engines.ts");
    const { engines, allowlists, exports } = inForce.file;
    const definitions: readonly EngineDefinition[] = defineEngines({ engines, allowlists, switches });
    for (const sentence of [
      ...unknownEngines(engines, definitions),
      ...unknownEnginesOfExports(exports, definitions),
    ])
      context.warn(`warning: ${sentence}`);
    for (const sentence of unreadableFiles(inForce)) context.warn(`warning: ${sentence}`);
    const { startFaults } = await import("../config/start-faults.ts");
    for (const fault of startFaults(inForce.file)) context.warn(`warning: ${fault}; ${NO_START}`);
    return 0;
  },
});

const NO_START = "`repute serve` will not start";

/** Files without which `serve` does not start. */
function unreadableFiles({ file }: Config): readonly string[] {
  const files = {
    "geo.database": file.geo.database,
    "geo.asn_database": file.geo.asn_database,
    "fetch.ca_file": file.fetch.ca_file,
  };
  return Object.entries(files).flatMap(([key, path]) =>
    path === null || isReadable(path) ? [] : [`${key}: cannot read "${path}"; ${NO_START}`],
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
