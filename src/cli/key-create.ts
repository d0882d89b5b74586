import { withAccounts } from "./accounts.ts";
import { defineCommand, JSON_OPTION } from "./command.ts";
import { LIMIT_OPTIONS, limitRows, readLimits } from "./key-limits.ts";
import { labelled } from "./table.ts";

/** `repute key create`. */
export const command = defineCommand({
  help: {
    examples: [
      "repute key create --account ann@example.com --name website",
      "repute key create --account ann@example.com --expires 90d",
    ],
    page: "operations.md#keys-export-and-deletion",
  },
  options: [
    { flags: "--account <email>", summary: "E-mail of the account", isRequired: true },
    { flags: "--name <name>", summary: "What the key is for (default: default)" },
    ...LIMIT_OPTIONS,
    JSON_OPTION,
  ],
  run: async (invocation, context) => {
    const { option, has } = invocation;
    const name = option("name");
    const wish = { email: option("account") ?? "", ...(name === null ? {} : { name }) };
    const { key, text } = await withAccounts(context, async (accounts, db) =>
      accounts.createKey({ ...wish, options: await readLimits(invocation, db) }),
    );
    const { id, prefix } = key;
    if (has("json")) context.printJson({ id, name: key.name, prefix, key: text });
    else {
      const rows = [["Key", text], ["Name", key.name], ["Id", id], ...limitRows(key)] as const;
      context.print(`${labelled(rows)}\nStore the key now: it is not shown again.`);
    }
    return 0;
  },
});
