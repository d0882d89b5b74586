import { spawn } from "node:child_process";
import { atExit, cpuSeconds, residentMb } from "../../chaos/linux.ts";
import { systemClock } from "../../src/base/clock.ts";
import type { LoadOrder } from "../load/words.ts";

/** A server to be compared, as it answers the load. */
export type Peer = {
  readonly name: string;
  /** What it does of what a check-ip call does. */
  readonly does: string;
  readonly port: number;
  readonly order: Pick<LoadOrder, "path" | "keys" | "bodies"> & Pick<LoadOrder, "query">;
  readonly cpuS: () => number | Promise<number>;
  readonly residentMb: () => number;
  readonly stop: () => Promise<unknown>;
};

export type Program = Pick<Peer, "cpuS" | "residentMb" | "stop">;

const PATIENCE_MS = 180_000;

/** Starts a program that is not Node's on one processor; resolves when it answers at `url`, whatever it says. */
export async function startProgram(
  command: readonly string[],
  {
    cpu,
    env = {},
    url,
    cwd,
  }: { cpu: number | null; env?: Readonly<Record<string, string>>; url: string; cwd: string },
): Promise<Program> {
  const [file = "", ...args] = cpu === null ? command : ["taskset", "-c", String(cpu), ...command];
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`Cannot start ${file}`);
  atExit(() => child.kill("SIGKILL"));
  const gone = new Promise((resolve) => child.once("exit", resolve));
  const untilMs = performance.now() + PATIENCE_MS;
  while (!(await isAnswering(url))) {
    if (child.exitCode !== null) throw new Error(`${command.join(" ")} ended with ${child.exitCode}`);
    if (performance.now() > untilMs) throw new Error(`${command.join(" ")} does not answer`);
    await systemClock.sleep(100);
  }
  return {
    cpuS: () => cpuSeconds(pid),
    residentMb: () => residentMb(pid),
    stop: async () => {
      child.kill("SIGTERM");
      await Promise.race([gone, systemClock.sleep(5000)]);
      child.kill("SIGKILL");
      await gone;
    },
  };
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    await fetch(url);
    return true;
  } catch {
    return false;
  }
}
