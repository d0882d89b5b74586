import { join } from "node:path";
import { InvalidValue } from "../base/failure.ts";
import type { Config } from "../config/config.ts";
import type { ExportOptions } from "../exports/options.ts";
import { closedBecause } from "../exports/shelf.ts";
import {
  type ExportFiles,
  type ExportState,
  exportFiles,
  exportsDirOf,
  readStateOf,
} from "../exports/state.ts";
import type { CliContext } from "./command.ts";
import { withLookups } from "./lookups.ts";

/** One export of the configuration, and where its data stands. */
export type NamedExport = {
  readonly config: Config;
  readonly options: ExportOptions;
  readonly files: ExportFiles;
};

/** The export of this name. Throws InvalidValue that names those there are. */
export async function findExport(context: CliContext, name: string): Promise<NamedExport> {
  const config = await context.config();
  const options = config.file.exports.find((one) => one.name === name);
  if (options !== undefined) return { config, options, files: filesOf(config, name) };
  throw new InvalidValue("export_unknown", `There is no export "${name}"; ${knownExports(config)}`);
}

/** Which exports there are, in words; a command that reads no file, beside a service that reads one, knows of none. */
export function knownExports({ configFile, file }: Pick<Config, "configFile" | "file">): string {
  if (file.exports.length > 0) return `there are ${file.exports.map(({ name }) => name).join(", ")}`;
  return configFile === null
    ? "there is no repute.yaml in this folder, and REPUTE_CONFIG names no other file"
    : `${configFile} has none`;
}

/** Where an export's data stands. */
export const filesOf = ({ dataDir }: Pick<Config, "dataDir">, name: string): ExportFiles =>
  exportFiles(join(exportsDirOf(dataDir), name));

/** How an export stands, which is built where that was never done. Throws where it has nothing to show. */
export async function builtState(context: CliContext, { options, files }: NamedExport): Promise<ExportState> {
  let state = readStateOf(files, options);
  if (state.facts === null) {
    await withLookups(context, (lookups) => lookups.exports.now());
    state = readStateOf(files, options);
  }
  if (state.facts !== null) return state;
  const { held, fault } = state;
  if (held !== null) {
    throw new Error(`The export "${options.name}" has ${held.entries} entries, fewer than ${held.needed}`);
  }
  throw new Error(
    fault === null
      ? `The export "${options.name}" is not built yet: a running service does so now; try again in a minute`
      : `The export "${options.name}" could not be built: ${fault.message}`,
  );
}

/** Why consumers are sent no file of an export that was built; null: they are sent one. */
export const closedNow = (options: ExportOptions, state: ExportState, now: Date): string | null =>
  state.facts === null ? null : closedBecause(options, state, now);

/** Sentences of what is wrong with an export. */
export function remarksOf(options: ExportOptions, state: ExportState, now: Date): readonly string[] {
  const { held, fault } = state;
  const closed = closedNow(options, state, now);
  const remarks = closed === null ? [] : [`${closed}: no file is sent (503)`];
  if (held !== null) {
    remarks.push(
      `Held back since ${held.since}: ${held.entries} entries, fewer than ${held.needed}; ` +
        (held.entries === 0
          ? "a list of nothing is never put in force"
          : `\`repute exports release ${options.name}\` puts them in force`),
    );
  }
  if (fault !== null) remarks.push(`The last build failed at ${fault.at}: ${fault.message}`);
  return remarks;
}
