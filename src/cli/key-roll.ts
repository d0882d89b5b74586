import { isoSeconds } from "../base/clock.ts";
import { withAccounts } from "./accounts.ts";
import { defineCommand, JSON_OPTION } from "./command.ts";
import { LIMIT_OPTIONS, limitRows, limitsJson, readLimits } from "./key-limits.ts";
import { labelled } from "./table.ts";

const DEFAULT_OVERLAP = "24h";

/** `repute key roll`. */
export const command = defineCommand({
  help: {
    examples: ["repute key roll rpt_Ab3dEf6h --overlap 24h"],
    page: "operations.md#keys-export-and-deletion",
  },
  arguments: [
    { name: "id", summary: "Id of the key, or the first 12 characters of the key itself (`rpt_…`)" },
  ],
  options: [
    {
      flags: "--overlap <duration>",
      summary: `How long the old key works on: 0 to 7d (default: ${DEFAULT_OVERLAP})`,
    },
    ...LIMIT_OPTIONS.filter(({ flags }) => flags.startsWith("--expires")),
    JSON_OPTION,
  ],
  run: async ({ argument, option, has }, context) => {
    const { parseOverlap } = await import("../accounts/key-options.ts");
    const overlapMs = parseOverlap(option("overlap") ?? DEFAULT_OVERLAP);
    const expiry = (name: string) => (name === "expires" ? option("expires") : null);
    const { key, text, old } = await withAccounts(context, async (accounts, db) => {
      const { expiresAt } = await readLimits({ option: expiry }, db);
      return accounts.rollKey(argument("id"), {
        overlapMs,
        ...(expiresAt === undefined ? {} : { expiresAt }),
      });
    });
    const until = old.state === "active" ? old.options.expiresAt : null;
    const replaced = { id: old.id, prefix: old.prefix, works_until: until && isoSeconds(until) };
    const { id, name, prefix } = key;
    if (has("json")) context.printJson({ id, name, prefix, key: text, ...limitsJson(key), replaced });
    else {
      const rows = [["Key", text], ["Name", name], ["Id", id], ...limitRows(key)] as const;
      const end = until === null ? "works no more" : `works until ${isoSeconds(until)}`;
      const notes = ["Store the key now: it is not shown again.", `The old key ${old.prefix} ${end}.`];
      context.print([labelled(rows), ...notes].join("\n"));
    }
    return 0;
  },
});
