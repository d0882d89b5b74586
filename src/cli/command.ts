import type { Readable } from "node:stream";
import type { Clock, Random } from "../base/clock.ts";
import type { Config } from "../config/config.ts";
import type { Style } from "../products/product.ts";

/** A text that must stand behind the command, in the order given. */
export type ArgumentSpec = {
  readonly name: string;
  readonly summary: string;
  /** The only texts it may be. */
  readonly choices?: readonly string[];
  /** May be given any number of times, and not at all; the last argument only. */
  readonly isRepeated?: boolean;
};

export type OptionSpec = {
  /** `--json`, or `--email <email>` when it takes a text. */
  readonly flags: `--${string}`;
  readonly summary: string;
  readonly isRequired?: boolean;
};

/** What was typed. Every name must be one of the command's own. */
export type Invocation = {
  readonly argument: (name: string) => string;
  /** All texts of a repeated argument. */
  readonly repeated: (name: string) => readonly string[];
  /** Null when it was not given. */
  readonly option: (name: string) => string | null;
  readonly has: (flag: string) => boolean;
};

/** What a command may use of the world. */
export type CliContext = {
  readonly clock: Clock;
  readonly random: Random;
  /** Throws ConfigError. */
  readonly config: () => Promise<Config>;
  /** One text and a line end on standard output, without terminal codes but those of `style`. */
  readonly print: (text: string) => void;
  /** One JSON value and a line end on standard output. */
  readonly printJson: (value: unknown) => void;
  /** A piece of one JSON value on standard output, without a line end. */
  readonly printJsonPiece: (json: string) => void;
  /** A piece of text on standard output, without a line end and without terminal codes. */
  readonly printPiece: (text: string) => void;
  /** Resolves once a slow reader of standard output has taken enough for more to be printed; null: there is room. */
  readonly drained: () => Promise<unknown> | null;
  /** Standard input. */
  readonly stdin: () => Readable;
  /** The API key of `REPUTE_KEY`, for a running service; null: none. */
  readonly serviceKey: string | null;
  /** One line on standard error. */
  readonly warn: (line: string) => void;
  /** What is under way, on a terminal's standard error, in place of what stood there; null takes it away. */
  readonly progress: (text: string | null) => void;
  readonly style: Style;
  /** Null: standard output is no terminal. */
  readonly terminal: { readonly hasUtf8: boolean } | null;
  /** Every command, in the order of the help. */
  readonly commands: readonly CommandEntry[];
};

/** What the help of a command tells beside its usage. */
export type CommandHelp = {
  /** One to three lines that work as they are typed. */
  readonly examples: readonly string[];
  /** The page below `docs/` that says more, with its heading. */
  readonly page: string;
};

/** One command: what may be typed behind it, and what it does. Its name and summary stand in `all.ts`. */
export type CliCommand = {
  readonly help: CommandHelp;
  readonly arguments: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  /** Resolves to the exit status; throws InvalidValue for wrong usage (2), anything else for a failure (1). */
  readonly run: (invocation: Invocation, context: CliContext) => Promise<number>;
};

/** A command by its words. It is loaded when it is asked for: a command must not wait for the imports of another. */
export type CommandEntry = {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: CliCommand }>;
};

/** A command; arguments and options may be left out, and a `run` without a status means 0. */
export function defineCommand(
  command: Partial<Pick<CliCommand, "arguments" | "options">> & {
    readonly help: CommandHelp;
    readonly run: (invocation: Invocation, context: CliContext) => Promise<number | undefined>;
  },
): CliCommand {
  return {
    help: command.help,
    arguments: command.arguments ?? [],
    options: command.options ?? [],
    run: async (invocation, context) => (await command.run(invocation, context)) ?? 0,
  };
}

/** The option of every command that can answer in JSON. */
export const JSON_OPTION: OptionSpec = { flags: "--json", summary: "Print one JSON value" };
