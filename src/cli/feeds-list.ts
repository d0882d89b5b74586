import type { EngineRow } from "../engines/rows.ts";
import { ageText, wrapped } from "../products/terminal.ts";
import { defineCommand, JSON_OPTION } from "./command.ts";
import { withLookups } from "./lookups.ts";
import { grouped, table } from "./table.ts";

const COLUMNS = [
  { title: "ENGINE", width: 28 },
  { title: "KIND", width: 5 },
  { title: "TARGET", width: 6 },
  { title: "STATUS", width: 16 },
  { title: "ENTRIES", width: 9, isNumber: true },
  { title: "AGE", width: 11 },
];

/** `repute feeds list`. */
export const feedsList = defineCommand({
  options: [JSON_OPTION],
  run: async ({ has }, context) => {
    const rows = await withLookups(context, async ({ engines }) => engines.list());
    if (has("json")) context.printJson(rows);
    else if (rows.length === 0) context.print("There is no engine");
    else {
      context.print(table(COLUMNS, rows.map(cells), context.style));
      for (const { key, last_error: error } of rows) {
        if (error !== null) context.print(wrapped(`${key}: `, error, context.style.width, 2));
      }
    }
    return 0;
  },
});

function cells(row: EngineRow): readonly string[] {
  const age = row.data_age_s === null ? "unknown" : ageText(row.data_age_s);
  return [row.key, row.kind, row.target, row.status, grouped(row.entries), row.seed ? `${age}, seed` : age];
}
