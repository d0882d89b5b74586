import { withAccounts } from "./accounts.ts";
import { defineCommand } from "./command.ts";

/** `repute account export`. */
export const accountExport = defineCommand({
  help: {
    examples: ["repute account export ann@example.com --out ann.json"],
    page: "operations.md#keys-export-and-deletion",
  },
  arguments: [{ name: "email", summary: "E-mail of the account" }],
  options: [
    {
      flags: "--out <file>",
      summary: "Where to write it, readable by you alone; one that is there is replaced",
    },
  ],
  run: async ({ argument, option }, context) => {
    const { exportAccount } = await import("../accounts/export-account.ts");
    const out = option("out");
    await withAccounts(context, async (_accounts, db) => {
      const pieces = await exportAccount({ email: argument("email") }, { db, clock: db.clock });
      if (out === null) for await (const piece of pieces) context.printJsonPiece(piece);
      else await writePrivately(out, pieces);
    });
    if (out !== null) context.print(`Wrote ${out}`);
    return 0;
  },
});

/** Written aside and renamed: a file that is there is replaced by a whole one or not at all. */
async function writePrivately(file: string, pieces: AsyncIterable<string>): Promise<void> {
  const { open, rename, rm } = await import("node:fs/promises");
  const aside = `${file}.${process.pid}.part`;
  try {
    const handle = await open(aside, "wx", 0o600);
    try {
      // The umask takes bits away, and gives none.
      await handle.chmod(0o600);
      for await (const piece of pieces) await handle.write(piece);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(aside, file);
  } catch (error) {
    await rm(aside, { force: true });
    // Told is the file that was asked for, not the one beside it.
    if (error instanceof Error && "path" in error) error.path = file;
    throw error;
  }
}
