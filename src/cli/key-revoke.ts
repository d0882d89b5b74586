import { withAccounts } from "./accounts.ts";
import { defineCommand } from "./command.ts";

/** `repute key revoke`. */
export const command = defineCommand({
  help: { examples: ["repute key revoke rpt_Ab3dEf6h"], page: "operations.md#keys-export-and-deletion" },
  arguments: [
    { name: "id", summary: "Id of the key, or the first 12 characters of the key itself (`rpt_…`)" },
  ],
  run: async ({ argument }, context) => {
    const { key, endedSessions } = await withAccounts(context, (accounts) =>
      accounts.revokeKey(argument("id")),
    );
    const ended = endedSessions === 0 ? "" : `; dashboard sessions ended: ${endedSessions}`;
    context.print(`Revoked ${key.prefix} (${key.name})${ended}`);
    return 0;
  },
});
