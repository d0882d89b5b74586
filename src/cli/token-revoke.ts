import { withAccounts } from "./accounts.ts";
import { defineCommand } from "./command.ts";

/** `repute token revoke`. */
export const command = defineCommand({
  help: { examples: ["repute token revoke rpx_Ab3dEf6h"], page: "tokens.md" },
  arguments: [
    { name: "id", summary: "Id of the token, or the first 12 characters of the token itself (`rpx_…`)" },
  ],
  run: async ({ argument }, context) => {
    const token = await withAccounts(context, (accounts) => accounts.revokeToken(argument("id")));
    context.print(`Revoked ${token.prefix} (${token.name})`);
    return 0;
  },
});
