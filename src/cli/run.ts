import type { Readable } from "node:stream";
import { CommanderError } from "commander";
import { printable, printableJson } from "../base/clean-text.ts";
import { systemClock, systemRandom } from "../base/clock.ts";
import type { Config } from "../config/config.ts";
import { type Environment, hasUtf8, isColourRefused, isDumb } from "../config/environment.ts";
import { COMMANDS, GROUPS } from "./all.ts";
import type { CliCommand, CliContext, CommandEntry } from "./command.ts";
import { exitStatusOf, failureLine } from "./failure-line.ts";
import { paint, styleFor } from "./paint.ts";
import { buildProgram } from "./program.ts";

export type CliWorld = {
  readonly env: Environment;
  readonly cwd: string;
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Default: standard output has room at any time. */
  readonly drained?: () => Promise<unknown> | null;
  /** Whether standard output is a terminal. */
  readonly isTerminal: boolean;
  /** Default: that of the process. */
  readonly stdin?: Readable;
  /** Whether standard error is one. */
  readonly isErrorTerminal?: boolean;
};

/** Runs one command line and resolves to the exit status: 0 done, 1 it failed, 2 wrong usage. Never throws. */
export async function runCli(typed: readonly string[], world: CliWorld): Promise<number> {
  let status = 0;
  const argv = withoutHelpWord(typed);
  try {
    const context = contextOf(world);
    const program = buildProgram({
      loaded: await load(argv),
      writeOut: (text) => world.writeOut(printable(text)),
      writeError: (text) => world.writeError(printable(text)),
      run: async (command, invocation) => {
        status = await command.run(invocation, context);
      },
    });
    await program.parseAsync([...argv], { from: "user" });
    return status;
  } catch (error) {
    // Commander has said its line by itself.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    world.writeError(`error: ${failureLine(error)}\n`);
    return exitStatusOf(error);
  }
}

/** `help key create` as `key create --help`, for a command and for a group; any other line as it is. */
function withoutHelpWord(argv: readonly string[]): readonly string[] {
  const [first, ...words] = argv;
  if (first !== "help" || words.length === 0) return argv;
  const [word = "", second] = words;
  const isKnown =
    COMMANDS.some(({ name }) => name === word || name === `${word} ${second ?? ""}`) ||
    (second === undefined && GROUPS.some(({ name }) => name === word));
  return isKnown ? [...words, "--help"] : words;
}

/** The definitions that a command line needs: one, none for an overview, all when it is neither. */
async function load(argv: readonly string[]): Promise<ReadonlyMap<string, CliCommand>> {
  const named = (count: number) => COMMANDS.find(({ name }) => name === argv.slice(0, count).join(" "));
  const asked = named(2) ?? named(1);
  const isOverview = argv.every(isOverviewWord);
  const entries: readonly CommandEntry[] = asked ? [asked] : isOverview ? [] : COMMANDS;
  return new Map(
    await Promise.all(entries.map(async (entry) => [entry.name, (await entry.load()).command] as const)),
  );
}

const isOverviewWord = (word: string): boolean =>
  word === "help" || (word.startsWith("-") && word !== "--") || GROUPS.some(({ name }) => name === word);

function contextOf(world: CliWorld): CliContext {
  const hasColours = world.isTerminal && !isColourRefused(world.env);
  let config: Config | null = null;
  return {
    clock: systemClock,
    random: systemRandom,
    config: async () => {
      const { loadConfig } = await import("../config/config.ts");
      config ??= loadConfig({ env: world.env, cwd: world.cwd });
      return config;
    },
    print: (text) => world.writeOut(`${paint(text, { hasColours })}\n`),
    printJson: (value) => world.writeOut(`${printableJson(JSON.stringify(value))}\n`),
    printJsonPiece: (json) => world.writeOut(printableJson(json)),
    printPiece: (text) => world.writeOut(printable(text)),
    drained: world.drained ?? (() => null),
    stdin: () => world.stdin ?? process.stdin,
    serviceKey: world.env["REPUTE_KEY"] || null,
    warn: (line) => world.writeError(`${printable(line)}\n`),
    // Back to the line's start, and the line cleared.
    progress: (text) =>
      world.isErrorTerminal && !isDumb(world.env) && world.writeError(`\r\u001b[2K${printable(text ?? "")}`),
    style: styleFor({ hasColours }),
    terminal: world.isTerminal ? { hasUtf8: hasUtf8(world.env) } : null,
    commands: COMMANDS,
  };
}
