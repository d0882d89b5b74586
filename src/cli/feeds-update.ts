import type { ListOutcome } from "../app/live-index.ts";
import type { Lookups } from "../app/open-lookups.ts";
import { InvalidValue } from "../base/failure.ts";
import type { EngineRow } from "../engines/rows.ts";
import { wrapped } from "../products/terminal.ts";
import { type CliContext, defineCommand, JSON_OPTION } from "./command.ts";
import { withExchange } from "./exchange.ts";
import { withLookups } from "./lookups.ts";
import { grouped, table } from "./table.ts";

const COLUMNS = [
  { title: "LIST", width: 32 },
  { title: "OUTCOME", width: 9 },
  { title: "ENTRIES", width: 9, isNumber: true },
  { title: "DROPPED", width: 9, isNumber: true },
  { title: "CHANGED", width: 17 },
];

/**
 * `repute feeds update`: refreshes lists now, those named or all that `feeds list` shows, beside a running server or without
 * one. Lists that only classify, and tables of places and networks, are refreshed by name.
 */
export const command = defineCommand({
  help: {
    examples: ["repute feeds update", "repute feeds update spamhaus_drop feodo_ipblocklist"],
    page: "engines.md",
  },
  arguments: [{ name: "KEY", summary: "List to refresh; default: those of all engines", isRepeated: true }],
  options: [JSON_OPTION],
  run: async ({ repeated, has }, context) => {
    const work = (lookups: Lookups) => update(lookups, repeated("KEY"), context);
    const outcomes = await withExchange(context, (exchange) => withLookups(context, work, exchange));
    if (has("json")) context.printJson(outcomes.map(rowOf));
    else if (outcomes.length === 0) context.print("There is no list to update");
    else print(outcomes, context);
    const failed = outcomes.filter(({ last }) => last.outcome === "failed");
    const [first] = failed;
    if (first === undefined) return 0;
    const why = `${first.key}: ${first.last.detail ?? "no reason given"}`;
    context.warn(`error: ${failed.length} of ${outcomes.length} lists could not be updated (${why})`);
    return 1;
  },
});

/** What became of one list, and its status in `feeds list` from then on. */
type Outcome = ListOutcome & { readonly status: string | null };

async function update(
  { lists, engines, classifying, tables }: Lookups,
  asked: readonly string[],
  { progress }: CliContext,
): Promise<readonly Outcome[]> {
  const rows = engines.list();
  for (const key of asked) if (!lists.keys.includes(key)) throw notRetrieved(key, rows);
  const shown = new Set(rows.map(({ key }) => key));
  const keys = asked.length === 0 ? lists.keys.filter((key) => shown.has(key)) : [...new Set(asked)];
  const total = keys.length;
  let done = 0;
  progress(bar(done, total));
  try {
    const outcomes = await lists.update(keys, () => progress(bar(++done, total)));
    const after = [...engines.list(), ...classifying(), ...tables()];
    const statusOf = new Map(after.map(({ key, status }) => [key, status]));
    return outcomes
      .map((outcome) => ({ ...outcome, status: statusOf.get(outcome.key) ?? null }))
      .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  } finally {
    progress(null);
  }
}

function notRetrieved(key: string, rows: readonly EngineRow[]): InvalidValue {
  const status = rows.find((row) => row.key === key)?.status;
  if (status === undefined) return new InvalidValue("unknown_key", `There is no list "${key}"`);
  const why = status === "disabled" ? "it is switched off" : "it is not a list that is retrieved";
  return new InvalidValue("not_retrieved", `Cannot update "${key}": ${why}`);
}

const BAR_WIDTH = 40;

function bar(done: number, total: number): string {
  const filled = total === 0 ? BAR_WIDTH : Math.floor((BAR_WIDTH * done) / total);
  return `[${"#".repeat(filled)}${".".repeat(BAR_WIDTH - filled)}] ${done} of ${total} lists`;
}

/** What became of one list, as JSON has it: the same figures as in `feeds list`. */
const rowOf = ({ key, last, list, status }: Outcome) => ({
  key,
  outcome: last.outcome,
  status,
  entries: list.entries,
  dropped: list.dropped,
  last_success: list.retrievedAt,
  last_attempt: list.lastAttempt,
  last_error: list.lastError,
  next_attempt: list.nextAttempt ?? null,
  changed_at: list.changedAt,
});

function print(outcomes: readonly Outcome[], { print: write, style }: CliContext): void {
  const cells = outcomes.map(({ key, last, list }) => [
    key,
    last.outcome,
    grouped(list.entries),
    grouped(list.dropped),
    list.changedAt?.slice(0, 16).replace("T", " ") ?? "never",
  ]);
  write(table(COLUMNS, cells, style));
  for (const { key, last } of outcomes) {
    if (last.detail !== null) write(wrapped("", `${key}: ${last.detail}`, style.width, 2));
  }
}
