import { join } from "node:path";
import { counted } from "../base/counted.ts";
import { InvalidValue } from "../base/failure.ts";
import type { EngineDefinition } from "../engines/definitions.ts";
import { DISABLED_CLASSES, type DisabledClass } from "../engines/disabled.ts";
import { wrapped } from "../products/terminal.ts";
import { type CliContext, defineCommand, JSON_OPTION, type OptionSpec } from "./command.ts";
import { table } from "./table.ts";

/** `--class` of the commands that read or change which engines are on. */
export const CLASS_OPTION: OptionSpec = {
  flags: "--class <class>",
  summary: `Engines off for this kind of reason: ${DISABLED_CLASSES.join(", ")}`,
};

/** The class that was asked for; null when none was. Throws InvalidValue. */
export function readClass(text: string | null): DisabledClass | null {
  const found = DISABLED_CLASSES.find((one) => one === text);
  if (text === null || found !== undefined) return found ?? null;
  throw new InvalidValue(
    "class",
    `There is no class "${text}", expected one of ${DISABLED_CLASSES.join(", ")}`,
  );
}

/** The engines by the configuration and the owners' switches. */
export async function installedEngines({ config: load }: CliContext): Promise<readonly EngineDefinition[]> {
  const { defineEngines } = await import("../engines/definitions.ts");
  const { readSwitchesCopy } = await import("../app/engine-switches.ts");
  const { file, dataDir } = await load();
  const { engines, allowlists } = file;
  return defineEngines({ engines, allowlists, switches: readSwitchesCopy(dataDir) });
}

const COLUMNS = [
  { title: "ENGINE", width: 28 },
  { title: "TARGET", width: 6 },
  { title: "STATE", width: 14 },
  { title: "COMMERCIAL", width: 10 },
  { title: "PUBLISHER", width: 18 },
];

/** `repute engines list`: every engine, whether it is on, and on what terms it can be. Nothing is asked. */
export const command = defineCommand({
  help: {
    examples: ["repute engines list --off", "repute engines list --class low_volume --json"],
    page: "engines.md",
  },
  options: [{ flags: "--off", summary: "Only those that are off" }, CLASS_OPTION, JSON_OPTION],
  run: async ({ has, option }, context) => {
    const wanted = readClass(option("class"));
    const { offerOf } = await import("../engines/offer.ts");
    const needs = await needsReader(context);
    const rows = (await installedEngines(context))
      .filter(({ engine }) => !has("off") || engine.disabled !== null)
      .filter(({ engine }) => wanted === null || engine.disabledClass === wanted)
      .map((definition) => ({
        engine: definition.engine,
        ...offerOf(definition),
        ...needs(definition),
      }));
    if (has("json")) context.printJson(rows.map(rowJson));
    else {
      const cells = rows.map(({ engine, publisher, hasData, hasKey }) => [
        engine.key,
        engine.target,
        stateText({ engine, hasData, hasKey }),
        engine.licence?.commercial ?? "",
        publisher ?? "",
      ]);
      context.print(table(COLUMNS, cells, context.style));
      for (const line of summaryOf(rows)) context.print(wrapped("", line, context.style.width, 2));
    }
    return 0;
  },
});

/** What an engine that is on may still want. */
type Needs = {
  /** Whether there is something to answer from, retrieved or shipped; null of what is asked live. */
  readonly hasData: boolean | null;
  /** Whether the publisher's key that it sends is there; null of one that takes none. */
  readonly hasKey: boolean | null;
};

/** Reads what is kept in the data folder; nothing is opened. */
async function needsReader({ config }: CliContext): Promise<(definition: EngineDefinition) => Needs> {
  const { readState } = await import("../feeds/feed-store.ts");
  const { file, dataDir } = await config();
  const keptDir = join(dataDir, "feeds");
  return ({ engine, feed, auth }) => ({
    hasData:
      feed === null
        ? null
        : feed.source.kind === "seed" ||
          feed.seed !== null ||
          readState(keptDir, engine.key)?.contentHash != null,
    hasKey: auth === null ? null : Object.hasOwn(file.engines.keys, auth.key),
  });
}

type Row = Pick<EngineDefinition, "engine"> &
  Needs &
  ReturnType<typeof import("../engines/offer.ts").offerOf>;

function stateText({ engine, hasData, hasKey }: Pick<Row, "engine" | "hasData" | "hasKey">): string {
  if (engine.disabled !== null) return engine.disabledClass ?? "off";
  if (hasKey === false) return "on, no key";
  return hasData === false ? "on, no data" : "on";
}

const rowJson = ({ engine, publisher, takesKey, line, hasData, hasKey }: Row) => ({
  key: engine.key,
  name: engine.name,
  kind: engine.kind,
  target: engine.target,
  category: engine.category,
  confidence: engine.confidence,
  enabled: engine.disabled === null,
  disabled_class: engine.disabledClass,
  disabled_reason: engine.disabled,
  licence: engine.licence,
  publisher,
  takes_key: takesKey,
  has_key: hasKey,
  has_data: hasData,
  line,
});

const HOW =
  "`repute engines try KEY` asks one once, `repute engines enable KEY` gives the lines that switch it on";

/** The totals, allowlists apart as in reports and on the Feeds page, and what engines that are on still want. */
function summaryOf(rows: readonly Row[]): readonly string[] {
  const isAllowlist = ({ engine }: Row) => engine.kind === "allow";
  const kinds = [
    totalOf(
      "engine",
      rows.filter((row) => !isAllowlist(row)),
    ),
    totalOf("allowlist, which only clears", rows.filter(isAllowlist), "allowlists, which only clear"),
  ];
  const on = rows.filter(({ engine }) => engine.disabled === null);
  const without = on.filter(({ hasData }) => hasData === false).length;
  const keyless = on.filter(({ hasKey }) => hasKey === false).length;
  return [
    `${kinds.filter((total) => total !== "").join("; ")}. ${HOW}`,
    ...(without === 0
      ? []
      : [
          `no data: ${counted(without, "list")} not retrieved yet; \`repute feeds update\` does so now, \`serve\` by itself`,
        ]),
    ...(keyless === 0
      ? []
      : [`no key: ${keyless} would send a publisher's key, which engines.keys does not have`]),
    "The tables of places and networks, which are not engines, stand in `repute feeds list`",
  ];
}

function totalOf(one: string, rows: readonly Row[], many = `${one}s`): string {
  const on = rows.filter(({ engine }) => engine.disabled === null).length;
  return rows.length === 0
    ? ""
    : `${rows.length} ${rows.length === 1 ? one : many}: ${on} on, ${rows.length - on} off`;
}
