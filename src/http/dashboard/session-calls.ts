import { hash } from "node:crypto";
import { Refusal } from "../../base/failure.ts";
import type { Request } from "../context.ts";

/** Calls at work, by session, endpoint, address and body; each with what says that its caller left. */
const atWork = new Map<string, AbortSignal>();

/**
 * Answers a call that its session pays for. The same call of the same session while one is at work is a CONFLICT: a second
 * press must not be charged. One whose caller left is no longer in the way. What is a 401 of a key elsewhere is
 * NOT_SIGNED_IN here: the session ended, and its key with it.
 */
export async function callOnce<T>(request: Request, answer: () => Promise<T>): Promise<T> {
  const { session, hangUp } = request.state;
  const { endpoint = "" } = request.routeOptions.config;
  const body = Buffer.isBuffer(request.body) ? hash("sha256", request.body, "hex") : "";
  const name = `${session?.id} ${endpoint} ${request.url} ${body}`;
  if (atWork.get(name)?.aborted === false) {
    throw new Refusal("CONFLICT", { message: "This lookup is running already: wait for its answer" });
  }
  atWork.set(name, hangUp.signal);
  try {
    return await answer();
  } catch (error) {
    throw asSessionEnd(error);
  } finally {
    if (atWork.get(name) === hangUp.signal) atWork.delete(name);
  }
}

/** The 401 of a session that ended while its call was at work. */
const asSessionEnd = (error: unknown): unknown =>
  error instanceof Refusal && error.code === "UNAUTHORIZED"
    ? new Refusal("NOT_SIGNED_IN", { cause: error })
    : error;
