import { fork } from "node:child_process";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { FeedDefinition } from "./feeds/feed.ts";

/** The snapshots of the data folder, in the order in which a first start makes them. */
export const PARTS = ["lists", "asn", "geography"] as const;
export type Part = (typeof PARTS)[number];

/** What the child is told to do. */
export type PrepareJob =
  | { readonly part: "asn" | "geography"; readonly outFile: string }
  | {
      readonly part: "lists";
      readonly outFile: string;
      readonly feeds: readonly FeedDefinition[];
      readonly seedDir: string;
      /** Where the last accepted content of the operator's lists is kept. */
      readonly keptDir: string;
    };

/** What the child answers when it is done. */
export type PrepareOutcome =
  | { readonly state: "done" }
  | { readonly state: "failed"; readonly message: string };

/** File of a part's snapshot. */
export const snapshotFile = (dataDir: string, part: Part): string =>
  join(dataDir, "snapshots", `${part}.bin`);

/** Makes the folder and takes away what a killed process left half written. */
export async function sweepSnapshots(dataDir: string): Promise<void> {
  const folder = join(dataDir, "snapshots");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    const pid = /\.(\d+)-\d+\.tmp$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(folder, name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // ESRCH: nobody has this number. EPERM: somebody else's process has it, so it lives.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

const isOutcome = (message: unknown): message is PrepareOutcome =>
  typeof message === "object" && message !== null && "state" in message;

/**
 * Runs one job in a child process and resolves when its snapshot is in place. Rejects with the child's own
 * sentence, or with its exit when it died. `signal` ends the child.
 */
export function prepareInChild(job: PrepareJob, signal: AbortSignal): Promise<void> {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const child = fork(new URL(`./prepare.${extension}`, import.meta.url), ["prepare"], {
    signal,
    execArgv: [],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, cause) =>
      reject(new Error(`Cannot prepare ${job.part}: the child process ended with ${cause ?? code}`)),
    );
    child.on("message", (message) => {
      if (!isOutcome(message)) return;
      if (message.state === "done") resolve();
      else reject(new Error(`Cannot prepare ${job.part}: ${message.message}`));
    });
    child.send(job);
  });
}
