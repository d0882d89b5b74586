import type { EngineRow } from "../engines/rows.ts";
import type { Style } from "../products/product.ts";
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
    const rows = await withLookups(context, async ({ engines }) => {
      await engines.testZones();
      return engines.list();
    });
    if (has("json")) context.printJson(rows);
    else if (rows.length === 0) context.print("There is no engine");
    else {
      const { style } = context;
      const byHealth = rows.toSorted((a, b) => rankOf(a) - rankOf(b)); // stable: by key within
      const [title = "", ...lines] = table(COLUMNS, byHealth.map(cells), style).split("\n");
      const painted = lines.map((line, i) => inkOf(byHealth[i]?.status ?? "ok", style)(line));
      context.print([title, ...painted].join("\n"));
      for (const [error, keys] of errorsOf(rows)) {
        context.print(wrapped("", `${error}: ${keys.join(", ")}`, style.width, 2));
      }
      context.print(summaryOf(rows, style));
    }
    return 0;
  },
});

/** What needs an eye stands last: that is where a terminal is read. */
const RANKS: readonly EngineRow["status"][] = ["disabled", "ok", "stale", "never"];
const rankOf = ({ status }: Pick<EngineRow, "status">): number =>
  RANKS.includes(status) ? RANKS.indexOf(status) : RANKS.length;

/** `108 engines: 60 ok, 8 stale, 40 disabled`, and what those words ask for. */
function summaryOf(rows: readonly EngineRow[], style: Style): string {
  const counts = new Map<EngineRow["status"], number>();
  for (const { status } of rows) counts.set(status, (counts.get(status) ?? 0) + 1);
  const parts = [...counts]
    .toSorted(([a], [b]) => rankOf({ status: b }) - rankOf({ status: a }))
    .map(([status, count]) => inkOf(status, style)(`${count} ${status}`));
  const hints = HINTS.filter(([status]) => counts.has(status)).map(([, hint]) => style.dim(hint));
  return [`${rows.length} engines: ${parts.join(", ")}`, ...hints].join("\n");
}

const HINTS: readonly (readonly [EngineRow["status"], string])[] = [
  ["stale", "stale: the data is older than it should be"],
  ["never", "never: not asked yet; `repute feeds update` does so now, `serve` by itself"],
];

function inkOf(status: EngineRow["status"], style: Style): (text: string) => string {
  if (status === "ok") return style.good;
  if (status === "disabled") return style.dim;
  return status === "stale" || status === "never" ? style.warn : style.bad;
}

/** One failure often has many lists: it is told once. */
function errorsOf(rows: readonly EngineRow[]): ReadonlyMap<string, readonly string[]> {
  const keys = new Map<string, string[]>();
  for (const { key, last_error: error } of rows) {
    if (error !== null) keys.set(error, [...(keys.get(error) ?? []), key]);
  }
  return keys;
}

function cells(row: EngineRow): readonly string[] {
  const isLive = row.kind === "dnsbl" && row.status === "ok";
  const age = row.data_age_s === null ? "-" : isLive ? "live" : ageText(row.data_age_s);
  const entries = row.kind === "dnsbl" || row.data_age_s === null ? "-" : grouped(row.entries);
  return [row.key, row.kind, row.target, row.status, entries, row.seed ? `${age}, seed` : age];
}
