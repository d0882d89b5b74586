import { counted } from "../base/counted.ts";
import type { Config } from "../config/config.ts";
import type { ConfigFault } from "../config/config-error.ts";
import { wrapped } from "../products/terminal.ts";
import { type CliContext, defineCommand, JSON_OPTION } from "./command.ts";

/** What is to be said of a configuration. */
type Checked = {
  /** Null: there is none, and the defaults are in force. */
  readonly file: string | null;
  /** `repute serve` will not start with one of them. */
  readonly faults: readonly ConfigFault[];
  readonly warnings: readonly string[];
};

/** `repute config check`: whether a start would take the configuration as it stands. Nothing is opened, changed or sent. */
export const command = defineCommand({
  help: {
    examples: ["repute config check", "REPUTE_CONFIG=/etc/repute/new.yaml repute config check"],
    page: "configuration.md",
  },
  options: [JSON_OPTION],
  run: async ({ has }, context) => {
    const checked = await check(context);
    const isRight = checked.faults.length === 0;
    if (has("json")) context.printJson({ ...checked, ok: isRight });
    else printChecked(checked, context);
    if (isRight) return 0;
    const { file, faults } = checked;
    const place = file ?? "the configuration";
    context.warn(`error: ${counted(faults.length, "fault")} in ${place}: \`repute serve\` will not start`);
    return 1;
  },
});

/** Throws ConfigError where it is not the file's content that is wrong. */
async function check(context: CliContext): Promise<Checked> {
  const { ConfigError } = await import("../config/config-error.ts");
  let config: Config;
  try {
    config = await context.config();
  } catch (error) {
    if (!(error instanceof ConfigError) || error.faults.length === 0) throw error;
    return { file: error.file, faults: error.faults.toSorted(byLine), warnings: [] };
  }
  const { readSwitchesCopy } = await import("../app/engine-switches.ts");
  const { lineOf, readConfigText } = await import("../config/read-file.ts");
  const { faultsIn, namelessIn } = await import("./config-faults.ts");
  const { configFile: file, dataDir } = config;
  const text = file === null ? "" : (readConfigText(file, { isOptional: true }) ?? "");
  return {
    file,
    faults: faultsIn(config)
      .map(({ path, message }) => ({ line: lineOf(text, path), message }))
      .toSorted(byLine),
    warnings: namelessIn(config, readSwitchesCopy(dataDir)),
  };
}

const byLine = (a: ConfigFault, b: ConfigFault): number => (a.line ?? 0) - (b.line ?? 0);

function printChecked({ file, faults, warnings }: Checked, { print, style }: CliContext): void {
  const tell = (head: string, text: string) => print(wrapped("", `${head}${text}`, style.width, 2));
  for (const { line, message } of faults) tell(line === null ? "" : `line ${line}: `, message);
  for (const warning of warnings) tell("warning: ", warning);
  if (faults.length > 0) return;
  const beside = warnings.length === 0 ? "" : ", but for what is said above";
  if (file === null) tell("", "There is no configuration file: the defaults are in force");
  else
    tell(
      "",
      `${file} is right${beside}: \`repute serve\` takes it when it starts. \`repute doctor\` checks the machine`,
    );
}
