import { withAccounts } from "./accounts.ts";
import { defineCommand, JSON_OPTION } from "./command.ts";
import { labelled } from "./table.ts";

/** `repute key create`. */
export const keyCreate = defineCommand({
  options: [
    { flags: "--account <email>", summary: "E-mail of the account", isRequired: true },
    { flags: "--name <name>", summary: "What the key is for (default: default)" },
    JSON_OPTION,
  ],
  run: async ({ option, has }, context) => {
    const name = option("name");
    const wish = { email: option("account") ?? "", ...(name === null ? {} : { name }) };
    const { key, text } = await withAccounts(context, (accounts) => accounts.createKey(wish));
    if (has("json")) context.printJson({ id: key.id, name: key.name, prefix: key.prefix, key: text });
    else {
      const rows = [["Key", text] as const, ["Name", key.name] as const, ["Id", key.id] as const];
      context.print(`${labelled(rows)}\nStore the key now: it is not shown again.`);
    }
    return 0;
  },
});
