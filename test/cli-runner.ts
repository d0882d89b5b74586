import { type ChildProcess, execFile, spawn } from "node:child_process";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { COMMANDS } from "../src/cli/all.ts";
import { runCli } from "../src/cli/run.ts";

export const PROGRAM = fileURLToPath(new URL("../bin/repute.cjs", import.meta.url));

export type Outcome = { readonly status: number | null; readonly out: string; readonly error: string };
export type Env = Readonly<Record<string, string>>;

/** Of this process's environment nothing but the path, and where what was compiled is kept: most of a start is that. */
export const programEnvironment = (): Env =>
  Object.fromEntries(
    ["PATH", "NODE_COMPILE_CACHE"].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** Test files and the commands that they have run as programs. */
const startedCommands = new Set<string>();

/**
 * The command line in a folder of its own, in `programEnvironment`. `program` is a process of its own each time. `repute` is one
 * where a test file runs a command first, and afterwards the same code in this process: most of what a command takes is its start.
 */
export function createRunner(cwd: string, base: Env) {
  const environment = (env: Env) => ({ ...programEnvironment(), ...base, ...env });

  const program = (args: readonly string[], env: Env = {}): Promise<Outcome> =>
    new Promise((resolve) => {
      const options = { cwd, env: environment(env), maxBuffer: 64 * 1024 * 1024 };
      const child = execFile(process.execPath, [PROGRAM, ...args], options, (_error, out, error) =>
        resolve({ status: child.exitCode, out, error }),
      );
    });

  const repute = (args: readonly string[], env: Env = {}): Promise<Outcome> => {
    const command = commandOf(args);
    const started = `${expect.getState().testPath}: ${command}`;
    // A server listens for the signals of its process, and sets how that collects garbage.
    if (command !== "serve" && startedCommands.has(started)) return runHere(args, cwd, environment(env));
    startedCommands.add(started);
    return program(args, env);
  };

  /** The one JSON value that a command prints. */
  const json = async (args: readonly string[], env: Env = {}) => {
    const { status, out } = await repute([...args, "--json"], env);
    expect(status).toBe(0);
    return JSON.parse(out);
  };

  const start = (args: readonly string[], env: Env = {}): ChildProcess =>
    spawn(process.execPath, [PROGRAM, ...args], { cwd, env: environment(env) });

  return { program, repute, json, start };
}

/** Name of the command; what names none is one of its own. */
const commandOf = (args: readonly string[]): string =>
  [2, 1]
    .map((count) => args.slice(0, count).join(" "))
    .find((words) => COMMANDS.some(({ name }) => name === words)) ?? "";

async function runHere(args: readonly string[], cwd: string, env: Env): Promise<Outcome> {
  const texts = { out: "", error: "" };
  const status = await runCli(args, {
    env,
    cwd,
    isTerminal: false,
    stdin: Readable.from([]),
    writeOut: (text) => {
      texts.out += text;
    },
    writeError: (text) => {
      texts.error += text;
    },
  });
  return { status, ...texts };
}

/** Configuration: no table of places or networks is retrieved, nor listed. */
export const NO_TABLES = { tables: { city: null, routes_ipv4: null, routes_ipv6: null, as_names: null } };

/** Exactly one line on standard error, and nothing on standard output. */
export function expectFailure(outcome: Outcome, status: number, says: string): void {
  expect(outcome).toMatchObject({ status, out: "" });
  expect(outcome.error).toMatch(/^error: [^\n]+\n$/);
  expect(outcome.error).toContain(says);
}

/** No line is wider than a terminal of 80 columns. */
export const expectNarrow = (text: string): void =>
  expect(text.split("\n").filter((line) => [...line].length > 80)).toEqual([]);
