import type { ApiKey } from "../accounts/accounts.ts";
import { isoSeconds } from "../clock.ts";
import { withAccounts } from "./accounts.ts";
import { defineCommand, JSON_OPTION } from "./command.ts";
import { keyJson } from "./key-limits.ts";
import { table } from "./table.ts";

const COLUMNS = [
  { title: "ID", width: 36 },
  { title: "KEY", width: 12 },
  { title: "NAME", width: 19 },
  { title: "LAST USED", width: 10 },
];

/** `repute key list`. */
export const keyList = defineCommand({
  options: [{ flags: "--account <email>", summary: "E-mail of the account", isRequired: true }, JSON_OPTION],
  run: async ({ option, has }, context) => {
    const ref = { email: option("account") ?? "" };
    const keys = await withAccounts(context, (accounts) => accounts.listKeys(ref));
    if (has("json")) context.printJson(keys.map(keyJson));
    else if (keys.length === 0) context.print("The account has no key yet");
    else context.print(table(COLUMNS, keys.map(keyRow), context.style));
    return 0;
  },
});

function keyRow(key: ApiKey): readonly string[] {
  const lastUsed = key.lastUsedAt === null ? "never" : isoSeconds(key.lastUsedAt).slice(0, 10);
  return [key.id, key.prefix, key.name, key.state === "active" ? lastUsed : key.state];
}
