import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";

/** Whether there is a program or file of that path. */
export function runs(command: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A process and all that it started, oldest first; what has ended is left out. */
function familyOf(root: number): readonly number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    const parent = /^\d+$/.test(name) ? parentOf(Number(name)) : null;
    if (parent !== null) parents.set(Number(name), parent);
  }
  const family = [root];
  for (const member of family) {
    for (const [pid, parent] of parents) if (parent === member) family.push(pid);
  }
  return family.filter((pid) => parents.has(pid));
}

/** Sends a signal to a process and all that it started; one that ends or stops them leaves out none that is being started meanwhile. */
export function signalFamily(root: number, signal: NodeJS.Signals): void {
  if (signal === "SIGSTOP" || signal === "SIGKILL") stopFamily(root);
  if (signal !== "SIGSTOP") signalAll(familyOf(root), signal);
}

/** On a busy machine a server is still starting a process when it has been told to stop: until all stand still, they are told again. */
function stopFamily(root: number): void {
  for (;;) {
    const running = familyOf(root).filter((pid) => !"TtZX".includes(stateOf(pid)));
    if (running.length === 0) return;
    signalAll(running, "SIGSTOP");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  }
}

/** Sends a signal to all that a process started, and not to itself. */
export const signalChildren = (root: number, signal: NodeJS.Signals): void =>
  signalAll(familyOf(root).slice(1), signal);

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // It may have ended in between.
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}

function parentOf(pid: number): number | null {
  const [, parent] = statOf(pid);
  return parent === undefined ? null : Number(parent);
}

/** `T` stopped, `Z` ended, …; `X` where there is no such process. */
const stateOf = (pid: number): string => statOf(pid)[0] ?? "X";

/** What `/proc` tells of a process behind its name: state, parent, …; nothing where there is none. */
function statOf(pid: number): readonly string[] {
  const stat = readText(`/proc/${pid}/stat`);
  return stat === null ? [] : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Processor time of a process so far, all its threads, seconds. */
export function cpuSeconds(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Resident memory, MB of 10^6 bytes. */
export function residentMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readText(`/proc/${pid}/status`) ?? "")?.[1];
  return (Number(kilobytes) * 1024) / 1e6;
}

/** The most resident memory that a process had so far, MB of 10^6 bytes. */
export function mostResidentMb(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readText(`/proc/${pid}/status`) ?? "")?.[1];
  return (Number(kilobytes) * 1024) / 1e6;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return null;
  }
}

/** A port of loopback that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("There is no free port");
  return address.port;
}

const leftovers = new Set<() => void>();
process.once("exit", () => {
  for (const end of leftovers) end();
});

/** To be done when this process ends, however it ends but by `kill -9`. */
export const atExit = (end: () => void): void => void leftovers.add(end);
