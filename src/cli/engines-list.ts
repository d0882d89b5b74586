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
export const enginesList = defineCommand({
  help: {
    examples: ["repute engines list --off", "repute engines list --class low_volume --json"],
    page: "engines.md",
  },
  options: [{ flags: "--off", summary: "Only those that are off" }, CLASS_OPTION, JSON_OPTION],
  run: async ({ has, option }, context) => {
    const wanted = readClass(option("class"));
    const { offerOf } = await import("../engines/offer.ts");
    const rows = (await installedEngines(context))
      .filter(({ engine }) => !has("off") || engine.disabled !== null)
      .filter(({ engine }) => wanted === null || engine.disabledClass === wanted)
      .map((definition) => ({ engine: definition.engine, ...offerOf(definition) }));
    if (has("json")) context.printJson(rows.map(rowJson));
    else {
      const cells = rows.map(({ engine, publisher }) => [
        engine.key,
        engine.target,
        engine.disabled === null ? "on" : (engine.disabledClass ?? "off"),
        engine.licence?.commercial ?? "",
        publisher ?? "",
      ]);
      context.print(table(COLUMNS, cells, context.style));
      context.print(wrapped("", summaryOf(rows), context.style.width, 2));
    }
    return 0;
  },
});

type Row = Pick<EngineDefinition, "engine"> & ReturnType<typeof import("../engines/offer.ts").offerOf>;

const rowJson = ({ engine, publisher, takesKey, line }: Row) => ({
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
  line,
});

function summaryOf(rows: readonly Row[]): string {
  const on = rows.filter(({ engine }) => engine.disabled === null).length;
  return `${rows.length} engines: ${on} on, ${rows.length - on} off. \`repute engines try KEY\` asks one once, \`repute engines enable KEY\` gives the lines that switch it on`;
}
