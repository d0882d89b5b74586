import { defineCommand } from "./command.ts";
import { embeddedDatabase } from "./embedded-database.ts";

/** `repute backup FILE`. */
export const command = defineCommand({
  help: { examples: ["repute backup /var/backups/repute.db"], page: "install.md#backup" },
  arguments: [{ name: "file", summary: "Where the backup goes; one that is there is replaced" }],
  run: async (invocation, context) => {
    const { resolve } = await import("node:path");
    const { backUp } = await import("../db/backup.ts");
    const { assertRestorable } = await import("../db/check-backup.ts");
    const { PLANS } = await import("../accounts/plans.ts");
    const file = resolve(invocation.argument("file"));
    await backUp({ database: await embeddedDatabase(context), file }, context);
    context.print(`Wrote ${file}`);
    const plans = PLANS.map(({ name }) => name);
    // It is kept all the same: what it holds may be all that is left one day.
    await assertRestorable(file, { plans, clock: context.clock }).catch((cause: Error) => {
      throw new Error(`repute restore would refuse this backup: ${cause.message}`, { cause });
    });
    return 0;
  },
});
