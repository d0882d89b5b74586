import { readSwitchesCopy } from "../app/engine-switches.ts";
import { InvalidValue } from "../base/failure.ts";
import type { EngineDefinition } from "../engines/definitions.ts";
import type { DisabledClass } from "../engines/disabled.ts";
import { type CliContext, defineCommand } from "./command.ts";
import { CLASS_OPTION, installedEngines, readClass } from "./engines-list.ts";

/** `repute engines enable`: the lines of the configuration that switch engines on; with `--write` they are put there. */
export const command = defineCommand({
  help: {
    examples: ["repute engines enable blocklist_de_ssh", "repute engines enable --class low_volume --write"],
    page: "operations.md#switching-engines-on",
  },
  arguments: [{ name: "KEY", summary: "Key of an engine", isRepeated: true }],
  options: [CLASS_OPTION, { flags: "--write", summary: "Put the lines into the configuration file" }],
  run: async ({ has, option, repeated }, context) => {
    const keys = [...new Set(repeated("KEY"))];
    const accepted = readClass(option("class"));
    if ((keys.length === 0) === (accepted === null)) {
      throw new InvalidValue("wanted", "Name engines, or a class with --class");
    }
    const wanted = { enable: keys, accept: accepted };
    const definitions = await installedEngines(context);
    refuseKeys(keys, definitions);
    await tellOfMore(keys, definitions, { context, isWriting: has("write") });
    if (accepted !== null) tellOfClass(accepted, definitions, context);
    if (!has("write")) {
      const isOwn = (key: string) => definitions.some(({ engine }) => engine.key === key && !engine.builtin);
      const lines = { ...wanted, enable: keys.filter((key) => !isOwn(key)) };
      if (accepted !== null || lines.enable.length > 0) context.print(linesOf(lines));
      return 0;
    }
    const { writeEngines } = await import("../config/write-engines.ts");
    const { configFile } = await context.config();
    const path = await writeEngines(configFile, wanted);
    context.print(`Wrote ${path}; a running service reads it at its next start`);
    return 0;
  },
});

/** Refuses what a line cannot switch on: wrong usage for an unknown key, a failure for one that needs more. */
function refuseKeys(keys: readonly string[], definitions: readonly EngineDefinition[]): void {
  const byKey = new Map(definitions.map((definition) => [definition.engine.key, definition]));
  for (const key of keys) {
    const found = byKey.get(key);
    if (found === undefined) throw new InvalidValue("unknown_key", `There is no engine "${key}"`);
    const { auth, engine, isUnaskable } = found;
    if (isUnaskable) throw new Error(`Cannot enable "${key}": ${engine.disabled}`);
    if (auth?.required === true && engine.disabled !== null) {
      throw new Error(
        `Cannot enable "${key}" without the publisher's key: set engines.keys.${auth.key} or REPUTE_KEY_${auth.key.toUpperCase()}`,
      );
    }
  }
}

type Telling = { readonly context: CliContext; readonly isWriting: boolean };

/** Of each engine what its line alone does not switch on. */
async function tellOfMore(
  keys: readonly string[],
  definitions: readonly EngineDefinition[],
  { context, isWriting }: Telling,
): Promise<void> {
  const { dataDir, file } = await context.config();
  const switches = readSwitchesCopy(dataDir);
  const { disable, feeds, dnsbl } = file.engines;
  for (const { engine } of definitions.filter(({ engine: { key } }) => keys.includes(key))) {
    const { key } = engine;
    const own = [...feeds, ...dnsbl].find((entry) => entry.key === key);
    if (switches.get(key) === false)
      context.warn(`"${key}" stays off: an owner switched it off on the Feeds page`);
    if (isWriting) continue;
    if (own !== undefined && !own.enabled) context.warn(`Take "enabled: false" out of the entry of "${key}"`);
    if (disable.includes(key)) context.warn(`Take "${key}" out of engines.disable`);
    if (own?.enabled === true && !disable.includes(key)) context.warn(`"${key}" is on already`);
  }
}

function tellOfClass(
  accepted: DisabledClass,
  definitions: readonly EngineDefinition[],
  { warn }: CliContext,
): void {
  const found = definitions.filter(({ engine }) => engine.disabledClass === accepted);
  const stay = found.filter(({ auth, isUnaskable }) => isUnaskable || auth?.required === true);
  const more = stay.length === 0 ? "" : `; ${stay.length} more need a key or cannot be asked`;
  warn(
    `${found.length - stay.length} engines are off for this reason${more}. You answer for the publishers' terms`,
  );
}

type Wanted = { readonly enable: readonly string[]; readonly accept: DisabledClass | null };

const linesOf = ({ enable, accept }: Wanted): string =>
  accept === null ? `engines:\n  enable: [${enable.join(", ")}]` : `engines:\n  accept: [${accept}]`;
