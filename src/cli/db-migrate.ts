import { makePrivateFolder } from "../base/folders.ts";
import { defineCommand } from "./command.ts";

/** `repute db migrate`. */
export const command = defineCommand({
  help: { examples: ["repute db migrate"], page: "install.md#upgrade" },
  run: async (_invocation, context) => {
    const { databaseUrl, dataDir } = await context.config();
    makePrivateFolder(dataDir);
    const { openDatabase } = await import("../db/database.ts");
    const db = await openDatabase({ url: databaseUrl, clock: context.clock });
    await db.close();
    for (const step of db.migrated) context.print(`Applied ${step}`);
    if (db.migrated.length === 0) context.print("The schema is the newest already");
    return 0;
  },
});
