import { defineCommand } from "./command.ts";
import { embeddedDatabase } from "./embedded-database.ts";

/** `repute restore FILE`. */
export const command = defineCommand({
  help: { examples: ["repute restore /var/backups/repute.db"], page: "install.md#backup" },
  arguments: [{ name: "file", summary: "What `repute backup` wrote" }],
  run: async (invocation, context) => {
    const { resolve } = await import("node:path");
    const { restore: restoreFrom } = await import("../db/backup.ts");
    const { PLANS } = await import("../accounts/plans.ts");
    const file = resolve(invocation.argument("file"));
    const plans = PLANS.map(({ name }) => name);
    const database = await embeddedDatabase(context);
    const migrated = await restoreFrom({ database, file, plans }, context);
    for (const step of migrated) context.print(`Applied ${step}`);
    context.print(`Restored ${file}`);
    return 0;
  },
});
