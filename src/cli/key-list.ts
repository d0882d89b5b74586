import type { ApiKey } from "../accounts/accounts.ts";
import { isoDay, isoSeconds } from "../base/clock.ts";
import { counted } from "../base/counted.ts";
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
export const command = defineCommand({
  help: {
    examples: ["repute key list --account ann@example.com"],
    page: "operations.md#keys-export-and-deletion",
  },
  options: [{ flags: "--account <email>", summary: "E-mail of the account", isRequired: true }, JSON_OPTION],
  run: async ({ option, has }, context) => {
    const ref = { email: option("account") ?? "" };
    const keys = await withAccounts(context, (accounts) => accounts.listKeys(ref));
    if (has("json")) context.printJson(keys.map(keyJson));
    else if (keys.length === 0) context.print("The account has no key yet");
    else {
      const [head = "", ...lines] = table(COLUMNS, keys.map(keyRow), context.style).split("\n");
      const rows = keys.flatMap((key, i) => [lines[i] ?? "", ...noteOf(key, keys)]);
      context.print([head, ...rows].join("\n"));
    }
    return 0;
  },
});

/** What limits a key that works, in a line of at most 80 columns below its own; `--json` has it whole. */
function noteOf({ state, options, replacedBy }: ApiKey, keys: readonly ApiKey[]): readonly string[] {
  const { expiresAt, networks, products } = options;
  const next = keys.find(({ id }) => id === replacedBy);
  const parts = [
    expiresAt === null ? null : `until ${isoSeconds(expiresAt)}`,
    networks === null ? null : counted(networks.length, "network"),
    products === null ? null : counted(products.length, "product"),
    next === undefined ? null : `now ${next.prefix}`,
  ].filter((part) => part !== null);
  return state !== "active" || parts.length === 0 ? [] : [`  ${parts.join(", ")}`];
}

function keyRow(key: ApiKey): readonly string[] {
  const lastUsed = key.lastUsedAt === null ? "never" : isoDay(key.lastUsedAt);
  return [key.id, key.prefix, key.name, key.state === "active" ? lastUsed : key.state];
}
