import { join } from "node:path";
import type { Lookups } from "../app/open-lookups.ts";
import { counted } from "../base/counted.ts";
import type { EngineDefinition } from "../engines/definitions.ts";
import type { EngineRow } from "../engines/rows.ts";
import type { ClassifyingRow } from "../enrichment/ip/classifying-rows.ts";
import { listedTable, type TableRow } from "../enrichment/table-rows.ts";
import { type BadRow, badRowsOf } from "../feeds/bad-rows.ts";
import { dateFault } from "../feeds/date-fault.ts";
import { readState } from "../feeds/feed-store.ts";
import { type Cause, causesOf } from "../feeds/retrieval/causes.ts";
import { hostOfSource } from "../feeds/retrieval/failure-report.ts";
import type { FeedExchange } from "../feeds/sharing/exchange.ts";
import type { Style } from "../products/product.ts";
import { ageText, wrapped } from "../products/terminal.ts";
import { type CliContext, defineCommand, JSON_OPTION } from "./command.ts";
import { withExchange } from "./exchange.ts";
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

const CLASSIFYING_COLUMNS = [
  { title: "LIST THAT CLASSIFIES", width: 28 },
  { title: "STATUS", width: 27 },
  { title: "ENTRIES", width: 9, isNumber: true },
  { title: "AGE", width: 13 },
];

const TABLE_COLUMNS = [{ title: "TABLE", width: 28 }, ...CLASSIFYING_COLUMNS.slice(1)];

/** `repute feeds list`. JSON holds the engines, the operator's with the first rows that give no entry, and behind them the tables; the lists that are neither stand only in the text. */
export const command = defineCommand({
  help: { examples: ["repute feeds list", "repute feeds list --all | less"], page: "engines.md" },
  options: [
    { flags: "--all", summary: "Engines that are off too; --json holds them in any case" },
    JSON_OPTION,
  ],
  run: async ({ has }, context) => {
    const keptDir = join((await context.config()).dataDir, "feeds");
    const look = async (lookups: Lookups) => {
      await Promise.all([lookups.engines.testZones(), lookups.lists.takeOver()]);
      return {
        rows: lookups.engines.list(),
        classifying: lookups.classifying(),
        tables: lookups.tables(),
        hosts: hostsOf(lookups.engines.definitions()),
        badRows: badRowsByKey(lookups, keptDir),
        notes: notesOf(lookups, keptDir),
      };
    };
    const work = (exchange: FeedExchange | null) => withLookups(context, look, exchange);
    const { rows, classifying, tables, hosts, badRows, notes } = await withExchange(context, work, {
      isOptional: true,
    });
    if (has("json")) {
      const listed = rows.map((row) => ({ ...row, bad_rows: badRows.get(row.key) ?? [] }));
      const tabled = tables.map((one) => ({ ...listedTable(one), bad_rows: [] }));
      context.printJson([...listed, ...tabled]);
    } else {
      const shown = has("all") ? rows : rows.filter(({ status }) => status !== "disabled");
      printEngines(shown, context);
      printHidden(rows.length - shown.length, context);
      printBeside(CLASSIFYING_COLUMNS, classifying, context);
      printBeside(TABLE_COLUMNS, tables, context);
      printRemarks({ rows, beside: [...classifying, ...tables], hosts, badRows, notes }, context);
    }
    return 0;
  },
});

type Output = Pick<CliContext, "print" | "style">;

function printEngines(rows: readonly EngineRow[], { print, style }: Output): void {
  const byTrouble = rows.toSorted((a, b) => rankOf(a) - rankOf(b)); // stable: by key within
  const [title = "", ...lines] = table(COLUMNS, byTrouble.map(cells), style).split("\n");
  const painted = lines.map((line, i) => inkOf(byTrouble[i]?.status ?? "ok", style)(line));
  if (rows.length > 0) print([title, ...painted].join("\n"));
}

function printHidden(count: number, { print, style }: Output): void {
  if (count === 0) return;
  const [what, them] = count === 1 ? ["engine is", "it"] : ["engines are", "them"];
  print(style.dim(`${count} more ${what} off; \`repute feeds list --all\` shows ${them}`));
}

type Beside = ClassifyingRow | TableRow;

/** What only classifies, and tells VPN, hosting, free mail and the like, or where an address is. */
function printBeside(
  columns: typeof CLASSIFYING_COLUMNS,
  rows: readonly Beside[],
  { print, style }: Output,
): void {
  const byTrouble = rows.toSorted((a, b) => Number(a.status === "ok") - Number(b.status === "ok"));
  const [title = "", ...lines] = table(columns, byTrouble.map(cellsBeside), style).split("\n");
  const painted = lines.map((line, i) => (byTrouble[i]?.status === "ok" ? style.good : style.warn)(line));
  if (rows.length > 0) print(["", title, ...painted].join("\n"));
}

const hostsOf = (definitions: readonly EngineDefinition[]): ReadonlyMap<string, string> =>
  new Map(
    definitions.flatMap(({ engine, feed }) => {
      const host = feed === null ? null : hostOfSource(feed);
      return host === null ? [] : [[engine.key, host] as const];
    }),
  );

/** Of the operator's lists that have left out rows, or could not be read at all: the first of those rows. */
const badRowsByKey = ({ engines }: Lookups, keptDir: string): ReadonlyMap<string, readonly BadRow[]> => {
  const troubled = new Set(
    engines
      .list()
      .flatMap(({ key, dropped, last_error: error }) => (dropped > 0 || error !== null ? [key] : [])),
  );
  return new Map(
    engines.definitions().flatMap(({ engine, feed }) => {
      const isOwn = feed !== null && !feed.builtin && engine.disabled === null;
      return isOwn && troubled.has(engine.key) ? [[engine.key, badRowsOf(feed, keptDir)] as const] : [];
    }),
  );
};

/** Sentences on the operator's lists: which file cannot be read, and which has no date where `published` says. */
function notesOf({ engines }: Lookups, keptDir: string): readonly string[] {
  const failing = new Set(
    engines.list().flatMap(({ key, last_error: error }) => (error === null ? [] : [key])),
  );
  return engines.definitions().flatMap(({ engine: { key, disabled }, feed }) => {
    if (feed === null || feed.builtin || disabled !== null) return [];
    const file =
      feed.source.kind === "file" && failing.has(key) ? `it is read from ${feed.source.path}` : null;
    const state = readState(keptDir, key);
    const fault = state?.contentHash == null ? null : dateFault(feed, state.publishedAt);
    return [file, fault].flatMap((note) => (note === null ? [] : [`${key}: ${note}`]));
  });
}

type Listed = {
  readonly rows: readonly EngineRow[];
  readonly beside: readonly Beside[];
  /** Of the lists that are downloaded, by key. */
  readonly hosts: ReadonlyMap<string, string>;
  /** Of the operator's lists, by key. */
  readonly badRows: ReadonlyMap<string, readonly BadRow[]>;
  /** On the operator's lists. */
  readonly notes: readonly string[];
};

/** What went wrong, what was left out, and the sums. */
function printRemarks({ rows, beside, hosts, badRows, notes }: Listed, { print, style }: Output): void {
  const failures = beside.map(({ key, lastError }) => ({ key, reason: lastError }));
  const failing = [...rows.map(({ key, last_error: reason }) => ({ key, reason })), ...failures];
  const causes = causesOf(failing.map((row) => ({ ...row, host: hosts.get(row.key) ?? null })));
  const remarks = causes.map(causeText);
  const dropped = rows.filter((row) => row.dropped > 0).map(({ key, dropped: lines }) => `${key} ${lines}`);
  if (dropped.length > 0)
    remarks.push(`Entries left out, not understood or not allowed: ${dropped.join(", ")}`);
  for (const [key, bad] of badRows) remarks.push(...bad.map((row) => badRowText(key, row)));
  remarks.push(...notes);
  if (remarks.length > 0) print("");
  for (const remark of remarks) print(wrapped("", remark, style.width, 2));
  print(rows.length === 0 ? "There is no engine" : summaryOf(rows, style));
}

/** From the least trouble to the most. What has another status does not answer. */
const CALM: readonly EngineRow["status"][] = ["disabled", "ok", "stale", "never"];

/** What needs an eye stands first; of those that are well, those whose last download failed. */
const rankOf = ({ status, last_error: error }: Pick<EngineRow, "status" | "last_error">): number => {
  const calm = CALM.indexOf(status);
  return calm < 0 ? -CALM.length : -calm - (status === "ok" && error !== null ? 0.5 : 0);
};

/** `108 lists: 60 ok, 8 stale, 40 disabled`, and what those words ask for. */
function summaryOf(rows: readonly EngineRow[], style: Style): string {
  const counts = new Map<EngineRow["status"], number>();
  for (const { status } of rows) counts.set(status, (counts.get(status) ?? 0) + 1);
  const parts = [...counts]
    .toSorted(([a], [b]) => rankOf({ status: a, last_error: null }) - rankOf({ status: b, last_error: null }))
    .map(([status, count]) => inkOf(status, style)(`${count} ${status}`));
  const hints = HINTS.filter(([status]) => counts.has(status)).map(([, hint]) => style.dim(hint));
  const clearing = rows.filter(({ kind }) => kind === "allow").length;
  // As reports and the Feeds page count them.
  const apart = `of them ${counted(rows.length - clearing, "engine")} and ${counted(clearing, "allowlist")}; tables and what classifies are apart`;
  return [
    `${rows.length} lists: ${parts.join(", ")}`,
    ...(clearing === 0 ? [] : [style.dim(apart)]),
    ...hints,
  ].join("\n");
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

/** `my_list, line 3: "10.0.0.0/33" is not an address …`. */
const badRowText = (key: string, { line, text, reason }: BadRow): string =>
  `${key}${line === null ? "" : `, line ${line}`}: "${text}" is ${reason}`;

const SHOWN_HOSTS = 3;

/** `The host name cannot be resolved (3 lists, of lists.example): a, b, c. Check …`. */
function causeText({ reason, keys, hosts, check }: Cause): string {
  const more = hosts.length > SHOWN_HOSTS ? ` and ${hosts.length - SHOWN_HOSTS} more hosts` : "";
  const of = hosts.length === 0 ? "" : `of ${hosts.slice(0, SHOWN_HOSTS).join(", ")}${more}`;
  const counted = [keys.length === 1 ? "" : `${keys.length} lists`, of]
    .filter((part) => part !== "")
    .join(", ");
  return `${reason}${counted === "" ? "" : ` (${counted})`}: ${keys.join(", ")}${check === null ? "" : `. ${check}`}`;
}

function cellsBeside({ key, status, entries, dataAgeS, seed }: Beside): readonly string[] {
  if (dataAgeS === null) return [key, status, "-", "-"];
  const age = ageText(dataAgeS);
  return [key, status, entries === null ? "-" : grouped(entries), seed ? `${age}, seed` : age];
}

function cells(row: EngineRow): readonly string[] {
  const isLive = row.kind === "dnsbl" && row.status === "ok";
  const age = row.data_age_s === null ? "-" : isLive ? "live" : ageText(row.data_age_s);
  const entries = row.kind === "dnsbl" || row.data_age_s === null ? "-" : grouped(row.entries);
  return [row.key, row.kind, row.target, row.status, entries, row.seed ? `${age}, seed` : age];
}
