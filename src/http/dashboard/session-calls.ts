import { hash } from "node:crypto";
import { Refusal } from "../../base/failure.ts";
import type { HttpParts, Request } from "../context.ts";

/**
 * Answers a call that its session pays for. The same call of the same session while one is under way, in this process or another,
 * is a CONFLICT: a second press must not be charged. One whose caller left is no longer in the way. What is a 401 of a key elsewhere
 * is NOT_SIGNED_IN here: the session ended, and its key with it.
 */
export async function callOnce<T>(
  { limits }: Pick<HttpParts, "limits">,
  request: Request,
  answer: () => Promise<T>,
): Promise<T> {
  const { signal } = request.state.hangUp;
  const end = await limits.begin(nameOf(request));
  if (end === null) {
    throw new Refusal("CONFLICT", { message: "This lookup is running already: wait for its answer" });
  }
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  try {
    return await answer();
  } catch (error) {
    throw asSessionEnd(error);
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
}

/** Session, endpoint, address and body. */
function nameOf({ state, routeOptions, url, body }: Request): string {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const call = `${state.session?.id} ${routeOptions.config.endpoint ?? ""} ${url} ${hash("sha256", bytes, "hex")}`;
  return hash("sha256", call, "hex");
}

/** The 401 of a session that ended while its call was at work. */
const asSessionEnd = (error: unknown): unknown =>
  error instanceof Refusal && error.code === "UNAUTHORIZED"
    ? new Refusal("NOT_SIGNED_IN", { cause: error })
    : error;
