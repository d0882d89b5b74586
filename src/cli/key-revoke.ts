import { withAccounts } from "./accounts.ts";
import { defineCommand } from "./command.ts";

/** `repute key revoke`. */
export const keyRevoke = defineCommand({
  arguments: [{ name: "id", summary: "Id of the key, or its first 12 characters" }],
  run: async ({ argument }, context) => {
    const key = await withAccounts(context, (accounts) => accounts.revokeKey(argument("id")));
    context.print(`Revoked ${key.prefix} (${key.name})`);
    return 0;
  },
});
