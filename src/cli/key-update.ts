import { InvalidValue } from "../base/failure.ts";
import { withAccounts } from "./accounts.ts";
import { defineCommand, JSON_OPTION } from "./command.ts";
import { keyJson, LIMIT_OPTIONS, limitRows, readLimits } from "./key-limits.ts";
import { labelled } from "./table.ts";

/** `repute key update`. */
export const command = defineCommand({
  help: {
    examples: ["repute key update rpt_Ab3dEf6h --products check-ip --networks any"],
    page: "operations.md#keys-export-and-deletion",
  },
  arguments: [
    { name: "id", summary: "Id of the key, or the first 12 characters of the key itself (`rpt_…`)" },
  ],
  options: [{ flags: "--name <name>", summary: "What the key is for" }, ...LIMIT_OPTIONS, JSON_OPTION],
  run: async (invocation, context) => {
    const { argument, option, has } = invocation;
    const name = option("name");
    if (["name", "expires", "networks", "products"].every((one) => option(one) === null))
      throw new InvalidValue(
        "update_empty",
        "Say what to change: --name, --expires, --networks or --products",
      );
    const key = await withAccounts(context, async (accounts, db) => {
      const limits = await readLimits(invocation, db);
      return accounts.updateKey(argument("id"), { ...limits, ...(name === null ? {} : { name }) });
    });
    if (has("json")) context.printJson(keyJson(key));
    else context.print(labelled([["Key", key.prefix], ["Name", key.name], ...limitRows(key)]));
    return 0;
  },
});
