import { withAccounts } from "./accounts.ts";
import { defineCommand } from "./command.ts";

/** `repute key rename`. */
export const command = defineCommand({
  help: {
    examples: ['repute key rename rpt_Ab3dEf6h "sign-up form"'],
    page: "operations.md#keys-export-and-deletion",
  },
  arguments: [
    { name: "id", summary: "Id of the key, or the first 12 characters of the key itself (`rpt_…`)" },
    { name: "name", summary: "What the key is for" },
  ],
  run: async ({ argument }, context) => {
    const update = { name: argument("name") };
    const key = await withAccounts(context, (accounts) => accounts.updateKey(argument("id"), update));
    context.print(`Renamed ${key.prefix} to ${key.name}`);
    return 0;
  },
});
