import type { Logger } from "pino";
import type { Clock } from "../../base/clock.ts";
import { Refusal } from "../../base/failure.ts";
import type { Ip } from "../../targets/ip.ts";

/** Of one token and reason the log tells once in this time. */
const EVERY_MS = 60_000;
const MAX_TOLD = 1000;

/** What is wrong, in words of our own: a question may hold what is in no log (security P12). */
const DETAILS: Readonly<Record<string, string>> = {
  proxy_untrusted: "server.trust_proxy does not name this proxy",
  address_missing: "The question names no address: ?ip=, X-Real-IP or X-Forwarded-For",
  address_malformed: "What the question names is not an IP address",
  unknown_name: "The query of the question holds another name than ip and policy",
  unknown_policy: "The question names a policy that the configuration does not have",
};

/**
 * Tells the operator what is wrong with the questions of a proxy whose token is right: its visitors see an error of the
 * proxy's own, which says nothing of the reason.
 */
export function createFaultLog(
  log: Pick<Logger, "warn">,
  clock: Pick<Clock, "monotonicMs">,
): (error: unknown, from: { readonly tokenId: string; readonly proxy: Ip | null }) => void {
  const toldMs = new Map<string, number>();
  return (error, { tokenId, proxy }) => {
    if (!(error instanceof Refusal)) return;
    for (const { ctx } of error.faults) {
      const reason = String(ctx?.["reason"]);
      const [key, nowMs] = [`${tokenId} ${reason}`, clock.monotonicMs()];
      if (nowMs - (toldMs.get(key) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) continue;
      if (toldMs.size >= MAX_TOLD) toldMs.clear();
      toldMs.set(key, nowMs);
      const detail = DETAILS[reason] ?? reason;
      log.warn({ token_id: tokenId, proxy: proxy?.text, detail }, "The gate refuses questions of a proxy");
    }
  };
}
