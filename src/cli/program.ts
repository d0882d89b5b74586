import { Argument, Command, InvalidArgumentError, Option } from "commander";

import { VERSION } from "../base/version.ts";
import { COMMANDS, GROUPS } from "./all.ts";
import type { CliCommand, CommandHelp, Invocation, OptionSpec } from "./command.ts";
import { WIDTH } from "./paint.ts";

export type ProgramOptions = {
  /** Definitions by name: those that this run may need. */
  readonly loaded: ReadonlyMap<string, CliCommand>;
  readonly run: (command: CliCommand, invocation: Invocation) => Promise<void>;
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
};

/** The whole command line for Commander, which throws CommanderError in place of an exit. */
export function buildProgram(options: ProgramOptions): Command {
  const { writeOut, writeError } = options;
  const program = new Command("repute")
    .description("Reputation of IP addresses, domains, URLs and e-mail addresses")
    .version(VERSION, "-V, --version", "Print the version")
    .helpOption("-h, --help", "Print this help")
    .helpCommand("help [command...]", "Print the help of a command")
    .addHelpText("after", helpText(OVERVIEW))
    .exitOverride()
    .configureOutput({
      writeOut,
      writeErr: writeError,
      outputError: (text, write) => write(`${text.trim().replace(/\s*\n\s*/g, " ")}\n`),
      getOutHelpWidth: () => WIDTH,
      getErrHelpWidth: () => WIDTH,
    });
  for (const { name, summary } of COMMANDS) {
    const command = addCommand(program, name).description(summary);
    const definition = options.loaded.get(name);
    if (definition !== undefined) define(command, definition, options.run);
  }
  return program;
}

/** A command of one word, or of two below its group, which stands where its first command does. */
function addCommand(program: Command, name: string): Command {
  const [first = "", second] = name.split(" ");
  if (second === undefined) return program.command(first);
  // Of a command that has others below it, its own summary stays.
  const known = program.commands.find((group) => group.name() === first);
  const summary = GROUPS.find((group) => group.name === first)?.summary ?? "";
  return (known ?? program.command(first).description(summary)).command(second);
}

function define(command: Command, definition: CliCommand, run: ProgramOptions["run"]): void {
  for (const { name, summary, choices, isRepeated = false } of definition.arguments) {
    const argument = new Argument(isRepeated ? `[${name}...]` : `<${name}>`, summary);
    command.addArgument(choices === undefined ? argument : argument.choices(choices));
  }
  for (const { flags, summary, isRequired = false } of definition.options) {
    const option = new Option(flags, summary).makeOptionMandatory(isRequired);
    command.addOption(flags.includes("<") ? option.argParser(onceOrList(flags)) : option);
  }
  command.addHelpText("after", helpText(definition.help));
  command.action(() => run(definition, invocationOf(command, definition)));
}

/** A list may be given in parts; of anything else the last one would silently win. */
const onceOrList =
  (flags: string) =>
  (text: string, before: string | undefined): string => {
    if (before === undefined) return text;
    if (flags.endsWith("<list>")) return `${before},${text}`;
    throw new InvalidArgumentError("It is given more than once.");
  };

/** Of `repute --help`. */
const OVERVIEW: CommandHelp = {
  examples: ["repute serve", "repute check 8.8.8.8", "repute help key create"],
  page: "commands.md",
};

const helpText = ({ examples, page }: CommandHelp): string =>
  ["", "Examples:", ...examples.map((line) => `  ${line}`), "", `More: docs/${page}`].join("\n");

function invocationOf(command: Command, definition: CliCommand): Invocation {
  const optionValue = (name: string): unknown => {
    if (!definition.options.some(({ flags }) => optionName(flags) === name)) throw unknownName(name);
    // `--fail-on` is kept as failOn.
    const option = command.options.find((one) => one.name() === name);
    return option === undefined ? undefined : command.getOptionValue(option.attributeName());
  };
  const placeOf = (name: string): number => {
    const place = definition.arguments.findIndex((argument) => argument.name === name);
    if (place < 0) throw unknownName(name);
    return place;
  };
  return {
    argument: (name) => {
      const text = command.args[placeOf(name)];
      if (text === undefined) throw unknownName(name);
      return text;
    },
    repeated: (name) => command.args.slice(placeOf(name)),
    option: (name) => {
      const value = optionValue(name);
      return typeof value === "string" ? value : null;
    },
    has: (flag) => optionValue(flag) === true,
  };
}

const unknownName = (name: string): Error => new Error(`The command does not take "${name}"`);

const optionName = (flags: OptionSpec["flags"]): string => flags.slice(2).split(" ")[0] ?? "";
