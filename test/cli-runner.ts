import { type ChildProcess, execFile, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

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

/** The program in a folder of its own, in `programEnvironment`. */
export function createRunner(cwd: string, base: Env) {
  const environment = (env: Env) => ({ ...programEnvironment(), ...base, ...env });

  const repute = (args: readonly string[], env: Env = {}): Promise<Outcome> =>
    new Promise((resolve) => {
      const options = { cwd, env: environment(env), maxBuffer: 64 * 1024 * 1024 };
      const child = execFile(process.execPath, [PROGRAM, ...args], options, (_error, out, error) =>
        resolve({ status: child.exitCode, out, error }),
      );
    });

  /** The one JSON value that a command prints. */
  const json = async (args: readonly string[], env: Env = {}) => {
    const { status, out } = await repute([...args, "--json"], env);
    expect(status).toBe(0);
    return JSON.parse(out);
  };

  const start = (args: readonly string[], env: Env = {}): ChildProcess =>
    spawn(process.execPath, [PROGRAM, ...args], { cwd, env: environment(env) });

  return { repute, json, start };
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
