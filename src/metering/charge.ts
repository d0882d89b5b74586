import type { Caller, Settlement } from "../accounts/accounts.ts";
import { isoSecondsOrNull } from "../base/clock.ts";
import { counted } from "../base/counted.ts";
import { Refusal } from "../base/failure.ts";
import { type Call, type CallAnswer, type CallParts, type CallSubject, callRecord } from "./metered-call.ts";

type Balance = Pick<Caller, "credits" | "creditsResetAt">;

/** The 402 of interface 7 with the details of design 13.1. It names no day while a due refill waits for a late payment. */
function insufficientCredits(cost: number, { credits, creditsResetAt }: Balance): Refusal {
  const resetAt = isoSecondsOrNull(creditsResetAt);
  const until = resetAt === null ? "" : ` until ${resetAt.slice(0, 10)}`;
  return new Refusal("INSUFFICIENT_CREDITS", {
    message: `This call costs ${counted(cost, "credit")}; ${credits} ${credits === 1 ? "is" : "are"} left${until}.`,
    details: { cost, credits_remaining: credits, credits_reset_at: resetAt },
  });
}

/** The pre-check of design 13.2; it reserves nothing. */
export function assertAffordable(caller: Balance, cost: number): void {
  if (caller.credits < cost) throw insufficientCredits(cost, caller);
}

/** Charges a call whose answer is ready and whose caller waits for it, or refuses: then the answer is thrown away (design 13.2). */
export function settleCall(
  parts: Pick<CallParts, "ledger" | "clock">,
  call: Call,
  { subject, cost, body }: { subject: CallSubject; cost: number; body: Buffer },
): Promise<CallAnswer> {
  return parts.ledger
    .settle(callRecord(call, subject, 200, parts.clock), cost, call.isGone)
    .then((settlement) => answerOf(settlement, cost, body));
}

function answerOf(settlement: Settlement, cost: number, body: Buffer): CallAnswer {
  switch (settlement.state) {
    case "charged":
      return { body, charged: cost, creditsRemaining: settlement.creditsRemaining };
    case "revoked":
      throw new Refusal("UNAUTHORIZED");
    case "abandoned":
      throw new Refusal("REQUEST_TIMEOUT", { message: "The caller hung up" });
    case "insufficient":
      throw insufficientCredits(cost, settlement);
    default:
      return settlement satisfies never;
  }
}
