import { release } from "../exports/publish.ts";
import { EXPORTS_CLAIM, exportsDirOf } from "../exports/state.ts";
import { createClaims } from "../feeds/claims.ts";
import { defineCommand } from "./command.ts";
import { findExport } from "./exports.ts";

/** `repute exports release NAME`: puts a generation in force that is held back, also beside a running service. */
export const exportsRelease = defineCommand({
  arguments: [{ name: "NAME", summary: "Name of the export" }],
  run: async ({ argument }, context) => {
    const { config, files } = await findExport(context, argument("NAME"));
    const claims = createClaims(exportsDirOf(config.dataDir), context.clock);
    if (!claims.take(EXPORTS_CLAIM))
      throw new Error("The exports are being built now; try again in a moment");
    const { facts } = await release(files, { now: context.clock.now(), wanted: [] }).finally(() =>
      claims.release(EXPORTS_CLAIM),
    );
    context.print(`In force: generation ${facts?.generation ?? 0} with ${facts?.entries ?? 0} entries`);
  },
});
