import { releaseExport } from "../exports/publish.ts";
import { exportsDirOf } from "../exports/state.ts";
import { defineCommand } from "./command.ts";
import { findExport } from "./exports.ts";

/** `repute exports release NAME`: puts a generation in force that is held back, also beside a running service. */
export const command = defineCommand({
  help: { examples: ["repute exports release edge"], page: "exports.md#when-something-fails" },
  arguments: [{ name: "NAME", summary: "Name of the export" }],
  run: async ({ argument }, context) => {
    const { config, options } = await findExport(context, argument("NAME"));
    const { facts } = await releaseExport(exportsDirOf(config.dataDir), options.name, context.clock);
    context.print(`In force: generation ${facts?.generation ?? 0} with ${facts?.entries ?? 0} entries`);
  },
});
