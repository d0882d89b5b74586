import { withAccounts } from "./accounts.ts";
import { defineCommand } from "./command.ts";

/** `repute account export`. */
export const command = defineCommand({
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
    const { replaceFile } = await import("../blocklist-index/replace-file.ts");
    const out = option("out");
    await withAccounts(context, async (_accounts, db) => {
      const pieces = await exportAccount({ email: argument("email") }, { db, clock: db.clock });
      if (out === null) for await (const piece of pieces) context.printJsonPiece(piece);
      else await replaceFile(out, bytesOf(pieces));
    });
    if (out !== null) context.print(`Wrote ${out}`);
    return 0;
  },
});

async function* bytesOf(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield Buffer.from(piece);
}
