import { Worker } from "node:worker_threads";
import { errorCode } from "../../base/caught.ts";
import type { Clock } from "../../base/clock.ts";
import { type Answer, answered, type Unavailable, unavailable } from "../../base/failure.ts";
import { createBudget } from "../../net/budget.ts";
import { startDeadline } from "../../net/deadline.ts";
import { beginTask, presentParty } from "../../net/party.ts";
import type { AnalysisOutcome } from "./analysis-worker.ts";
import type { ReadResponse, ResponseBody } from "./read-response.ts";

/** Reads responses without holding the event loop. */
export type PageAnalysis = {
  /**
   * Unavailable (`timeout`) when the octets took too long to read, (`error`) when they took too much memory. The
   * body stays the caller's. Rejects only for faults of ours.
   */
  readonly read: (response: ResponseBody, time: AnalysisTime) => Promise<Answer<ReadResponse>>;
  /** Loads what the first page would wait for. */
  readonly prepare: () => Promise<void>;
  /** Ends the workers; what is under way becomes unavailable. */
  readonly close: () => Promise<void>;
};

type AnalysisTime = {
  readonly signal: AbortSignal;
  /** Monotonic milliseconds at which the caller wants the answer. */
  readonly deadlineMs: number;
};

/** Read in place: a few milliseconds. */
const INLINE_BYTES = 65_536;
/** Two cores are what a small machine has. */
const MAX_WORKERS = 2;
/** A 5 MB page takes about a second, on a machine that has nothing else to do. */
const MAX_MS = 10_000;
const MAX_HEAP_MB = 128;

/**
 * Reads small responses in place and the others in at most two worker threads, started when they are first needed. A
 * worker that has not answered at its deadline is ended, and another takes its place. Source: security P5.
 */
export function createPageAnalysis({
  clock,
  maxMs = MAX_MS,
}: {
  readonly clock: Clock;
  /** Longest job. */
  readonly maxMs?: number;
}): PageAnalysis {
  const places = createBudget({ capacity: MAX_WORKERS, rule: "even" });
  const idle: Worker[] = [];
  const running = new Set<Worker>();
  const closing = new AbortController();
  const start = () => {
    const worker = startWorker();
    running.add(worker);
    worker.once("exit", () => {
      running.delete(worker);
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
    });
    return worker;
  };
  const work = async (response: ResponseBody, signal: AbortSignal): Promise<Answer<ReadResponse>> => {
    const place = await places.acquire({ party: presentParty(), signal });
    if (place === null) return TOO_LATE;
    const worker = idle.pop() ?? start();
    try {
      const end = await runJob(worker, response, signal);
      if (end.state === "done") idle.push(worker);
      else void worker.terminate().finally(beginTask());
      return end.state === "done" ? readingOf(end.outcome) : end.answer;
    } finally {
      place.release();
    }
  };
  return {
    read: async (response, { signal, deadlineMs }) => {
      if (response.body.byteLength <= INLINE_BYTES) return answered(await readInPlace(response));
      const withinMs = Math.max(0, Math.min(maxMs, deadlineMs - clock.monotonicMs()));
      const deadline = startDeadline(clock, withinMs, signal, closing.signal);
      try {
        return await work(response, deadline.signal);
      } finally {
        deadline.end();
      }
    },
    prepare: async () => void (await import("./read-response.ts")),
    close: async () => {
      closing.abort();
      await Promise.all([...running].map((worker) => worker.terminate()));
    },
  };
}

/** What reads pages is loaded with the first one, or before it: no start waits for it. */
async function readInPlace(response: ResponseBody): Promise<ReadResponse> {
  const { readResponse } = await import("./read-response.ts");
  return readResponse(response);
}

const UPSTREAM = "page analysis";
const TOO_LATE: Unavailable = unavailable(UPSTREAM, "timeout", "The page took too long to read");
const TOO_LARGE: Unavailable = unavailable(UPSTREAM, "error", "The page took too much memory to read");

/** Nothing of the environment is theirs, and an idle one keeps no process alive. */
function startWorker(): Worker {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const worker = new Worker(new URL(`./analysis-worker.${extension}`, import.meta.url), {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  // One that dies between two jobs is replaced; within a job the job says so.
  worker.on("error", () => undefined);
  worker.unref();
  return worker;
}

type JobEnd =
  | { readonly state: "done"; readonly outcome: AnalysisOutcome }
  | { readonly state: "ended"; readonly answer: Unavailable };

const isOutcome = (message: unknown): message is AnalysisOutcome =>
  typeof message === "object" && message !== null && "state" in message;

/** The worker's answer, or why it will give none; it is of no use after the latter. */
async function runJob(worker: Worker, response: ResponseBody, signal: AbortSignal): Promise<JobEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<JobEnd>();
  const onMessage = (message: unknown) =>
    isOutcome(message) ? resolve({ state: "done", outcome: message }) : reject(new Error("No outcome"));
  const onError = (error: unknown) =>
    isOutOfMemory(error) ? resolve({ state: "ended", answer: TOO_LARGE }) : reject(error);
  const onEnd = () => resolve({ state: "ended", answer: TOO_LATE });
  worker.on("message", onMessage).on("error", onError).on("exit", onEnd);
  signal.addEventListener("abort", onEnd, { once: true });
  if (signal.aborted) onEnd();
  worker.ref();
  // Large pages are in shared memory (`net/page-fetch/page-memory.ts`); of others the worker gets a copy.
  if (response.body.buffer instanceof SharedArrayBuffer) worker.postMessage(response);
  else {
    const body = new Uint8Array(response.body);
    worker.postMessage({ ...response, body }, [body.buffer]);
  }
  try {
    return await promise;
  } finally {
    worker.off("message", onMessage).off("error", onError).off("exit", onEnd);
    signal.removeEventListener("abort", onEnd);
    worker.unref();
  }
}

const isOutOfMemory = (error: unknown): boolean => errorCode(error) === "ERR_WORKER_OUT_OF_MEMORY";

function readingOf(outcome: AnalysisOutcome): Answer<ReadResponse> {
  if (outcome.state === "done") return answered(outcome.read);
  throw new Error(`Cannot read a page: ${outcome.message}`);
}
