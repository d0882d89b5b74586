import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { basename } from "node:path";
import { parentPort } from "node:worker_threads";
import { messageOf } from "../../base/caught.ts";
import { type ReadResponse, type ResponseBody, readResponse } from "./read-response.ts";

/** What the worker answers to a `ResponseBody`. */
export type AnalysisOutcome =
  | { readonly state: "done"; readonly read: ReadResponse }
  | { readonly state: "failed"; readonly message: string };

const isBody = (message: unknown): message is ResponseBody =>
  typeof message === "object" && message !== null && "body" in message;

function outcomeOf(message: unknown): AnalysisOutcome {
  try {
    if (!isBody(message)) throw new TypeError("This is not a response");
    return { state: "done", read: readResponse(message) };
  } catch (error) {
    return { state: "failed", message: messageOf(error) };
  }
}

/**
 * Lets the thread that answers calls go first where processors are few. On Linux priorities are those of threads, and
 * their numbers stand in `/proc` (proc_thread-self(5)); elsewhere they are the process's, and it keeps its own.
 */
function yieldToCalls(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(Number(basename(readlinkSync("/proc/thread-self"))), LOW_PRIORITY);
  } catch {
    // No /proc, or a sandbox that forbids it: the work is the same.
  }
}

const LOW_PRIORITY = 15;

yieldToCalls();
parentPort?.on("message", (message) => parentPort?.postMessage(outcomeOf(message)));
