import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const HAS_PROC = existsSync("/proc/self/stat");
const REPORTER = new URL("./servers/report-cpu.ts", import.meta.url).href;

/** What is left when the bench itself is ended goes with it. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

/** How long a process may take to end. */
const STOP_MS = 20_000;

/** A Node process that the bench started. */
export type Started = {
  readonly process: ChildProcess;
  readonly pid: number;
  /** Processor time so far, all threads, seconds. */
  readonly cpuS: () => Promise<number>;
  /** Resident memory, MB of 10^6 bytes. */
  readonly residentMb: () => number;
  /** Resolves when it has ended. */
  readonly gone: Promise<void>;
  /** Ends it and resolves when it is gone. */
  readonly stop: () => Promise<void>;
};

export type StartOptions = {
  readonly args: readonly string[];
  /** Number of the processor to stay on; null: anywhere. */
  readonly cpu: number | null;
  /** A program with its arguments that runs Node, such as a profiler. */
  readonly under?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What to do with each line of its standard output. */
  readonly onLine?: (line: string) => void;
};

/** Starts Node with this bench's own binary; standard error goes through. */
export function startNode({ args, cpu, under = [], env = {}, cwd, onLine }: StartOptions): Started {
  const reporter = HAS_PROC ? [] : ["--import", REPORTER];
  const command = [...under, process.execPath, ...reporter, ...args];
  if (cpu !== null) command.unshift("taskset", "-c", String(cpu));
  const [file = "", ...rest] = command;
  const child = spawn(file, rest, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
    serialization: "advanced",
    ...(cwd === undefined ? {} : { cwd }),
  });
  if (child.pid === undefined) throw new Error(`Cannot start ${file}`);
  const { pid } = child;
  running.add(child);
  const gone = new Promise<void>((resolve) => {
    child.once("exit", () => {
      running.delete(child);
      resolve();
    });
  });
  eachLine(child, onLine ?? (() => undefined));
  return {
    process: child,
    pid,
    cpuS: () => (HAS_PROC ? Promise.resolve(cpuFromProc(pid)) : cpuByMessage(child)),
    residentMb: () => residentMbOf(pid),
    gone,
    stop: async () => {
      child.kill("SIGTERM");
      const tooLong = setTimeout(() => {
        console.error(`${args.join(" ")} does not end: killed`);
        child.kill("SIGKILL");
      }, STOP_MS);
      await gone;
      clearTimeout(tooLong);
    },
  };
}

function eachLine(child: ChildProcess, onLine: (line: string) => void): void {
  let rest = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
}

// User and system time in ticks of 10 ms: the 14th and 15th field, the 2nd of which may hold blanks in brackets.
function cpuFromProc(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function cpuByMessage(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    const listen = (message: unknown) => {
      if (typeof message !== "object" || message === null || !("cpuS" in message)) return;
      child.off("message", listen);
      resolve(Number(message.cpuS));
    };
    child.on("message", listen);
    child.send("cpu");
  });
}

function residentMbOf(pid: number): number {
  const kilobytes = HAS_PROC
    ? /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]
    : execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return (Number(kilobytes) * 1024) / 1e6;
}

/** The processors that servers and load are pinned to; nulls where there is no `taskset` or only one processor. */
export function chooseCpus(): { readonly server: number | null; readonly load: number | null } {
  const [server, load] = allowedCpus();
  if (server === undefined || load === undefined || !hasTaskset()) return { server: null, load: null };
  return { server, load };
}

function allowedCpus(): number[] {
  if (!HAS_PROC) return [];
  const list = /^Cpus_allowed_list:\s+(\S+)/m.exec(readFileSync("/proc/self/status", "latin1"))?.[1] ?? "";
  return list.split(",").flatMap((range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

function hasTaskset(): boolean {
  try {
    execFileSync("taskset", ["-V"], { stdio: "ignore" });
    return true;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

/** Path of a file of the project. */
export const projectFile = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
