import type { Logger } from "pino";
import type { Clock } from "../../base/clock.ts";
import { Refusal } from "../../base/failure.ts";
import type { Ip } from "../../targets/ip.ts";

/** Of one reason the log tells once in this time. */
const EVERY_MS = 60_000;

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
    for (const { msg, ctx } of error.faults) {
      const reason = String(ctx?.["reason"]);
      const nowMs = clock.monotonicMs();
      if (nowMs - (toldMs.get(reason) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) continue;
      toldMs.set(reason, nowMs);
      log.warn(
        { token_id: tokenId, proxy: proxy?.text, detail: msg },
        "The gate refuses questions of a proxy",
      );
    }
  };
}
