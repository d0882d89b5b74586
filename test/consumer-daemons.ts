import { type ChildProcess, spawn } from "node:child_process";
import { systemClock } from "../src/base/clock.ts";
import { programOf, run } from "./consumers.ts";

export type Daemons = {
  /** Starts one in the foreground, and collects what it says. */
  readonly start: (command: string, args: readonly string[]) => { readonly said: () => string };
  readonly stop: () => void;
};

/** Daemons of one test file: `stop` ends those that it started. */
export function createDaemons(): Daemons {
  const started: ChildProcess[] = [];
  return {
    start: (command, args) => {
      // In a group of its own: workers of one that is killed would go on.
      const child = spawn(programOf(command) ?? command, [...args], {
        stdio: ["ignore", "pipe", "pipe"],
        detached: true,
      });
      started.push(child);
      let said = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += String(text)));
      return { said: () => said };
    },
    stop: () => {
      for (const { pid } of started.splice(0)) if (pid !== undefined) killGroup(pid);
    },
  };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

export type DnsAnswer = { readonly status: string; readonly answers: readonly string[] };

/** What a resolver on this machine says, by dig. */
export function askDns(port: number, name: string, type = "A"): DnsAnswer {
  const args = ["@127.0.0.1", "-p", String(port), "+tries=1", "+time=2", "+noall", "+comments", "+answer"];
  const { stdout } = run("dig", [...args, name, type]);
  const lines = stdout.split("\n").filter((line) => line !== "" && !line.startsWith(";"));
  return {
    status: /status: (\w+)/.exec(stdout)?.[1] ?? "none",
    answers: lines.map((line) => line.split(/\s+/).slice(3).join(" ")),
  };
}

/** Asks until the answer is something else than silence or SERVFAIL. */
export async function untilAnswers(port: number, name: string, said: () => string): Promise<DnsAnswer> {
  let last: DnsAnswer = { status: "none", answers: [] };
  for (let tries = 0; tries < 150; tries++) {
    last = askDns(port, name);
    if (last.status !== "none" && last.status !== "SERVFAIL") return last;
    await systemClock.sleep(200);
  }
  throw new Error(`No answer for ${name}: ${last.status}; the daemon said: ${said().slice(-2000)}`);
}

/** The status that `curl` gets; 000 where nothing answers. */
export const statusOf = (args: readonly string[]): string =>
  run("curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}", "-m", "10", ...args]).stdout;

/** Asks until something answers; its status. */
export async function untilStatus(args: readonly string[], said: () => string): Promise<string> {
  for (let tries = 0; tries < 150; tries++) {
    const status = statusOf(args);
    if (status !== "000") return status;
    await systemClock.sleep(200);
  }
  throw new Error(`Nothing answers ${args.join(" ")}; the server said: ${said().slice(-2000)}`);
}
