import { parentPort } from "node:worker_threads";
import { type ReadResponse, type ResponseBody, readResponse } from "./read-response.ts";

/** What the worker answers to a `ResponseBody`. */
export type AnalysisOutcome =
  | { readonly state: "done"; readonly read: ReadResponse }
  | { readonly state: "failed"; readonly message: string };

const isBody = (message: unknown): message is ResponseBody =>
  typeof message === "object" && message !== null && "body" in message;

function outcomeOf(message: unknown): AnalysisOutcome {
  try {
    if (!isBody(message)) throw new TypeError("This is no response");
    return { state: "done", read: readResponse(message) };
  } catch (error) {
    return { state: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on("message", (message) => parentPort?.postMessage(outcomeOf(message)));
