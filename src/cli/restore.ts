import { defineCommand } from "./command.ts";
import { embeddedDatabase } from "./embedded-database.ts";

/** `repute restore FILE`. */
export const restore = defineCommand({
  arguments: [{ name: "file", summary: "What `repute backup` wrote" }],
  run: async (invocation, context) => {
    const { resolve } = await import("node:path");
    const { restore: restoreFrom } = await import("../db/backup.ts");
    const file = resolve(invocation.argument("file"));
    const migrated = await restoreFrom({ database: await embeddedDatabase(context), file }, context);
    for (const step of migrated) context.print(`Applied ${step}`);
    context.print(`Restored ${file}`);
    return 0;
  },
});
