import { Refusal } from "../base/failure.ts";
import { clientBucket } from "../metering/limits/client.ts";
import type { HttpParts, RequestState } from "./context.ts";

/** The limits' name of callers without an account. */
export const clientNameOf = ({ clientAddress }: Pick<RequestState, "clientAddress">): string =>
  clientAddress === null ? "unknown" : clientBucket(clientAddress);

/**
 * Counts a call that costs nothing in a window of one second, and returns what frees its in-flight slot. Throws the 429
 * of a window that is full. Source: security P7.
 */
export async function takePlace(
  { limits }: Pick<HttpParts, "limits">,
  { bucket, perSecond }: { readonly bucket: string; readonly perSecond: number },
): Promise<() => void> {
  const admission = await limits.admit(bucket, perSecond);
  if (admission.state === "admitted") return admission.release;
  const { scope, retryAfterS } = admission;
  throw new Refusal("RATE_LIMIT_EXCEEDED", {
    message: `More than ${perSecond} calls ${scope === "requests" ? "a second" : "at once"}; try again in ${retryAfterS} s`,
    retryAfterS,
    scope,
  });
}
