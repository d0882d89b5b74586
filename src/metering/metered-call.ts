import type { Caller, CallRecord, Ledger } from "../accounts/accounts.ts";
import type { Clock } from "../base/clock.ts";
import { type Fault, Refusal } from "../base/failure.ts";
import type { JsonText } from "../base/json-text.ts";
import type { Work } from "../base/work.ts";
import type { Deps } from "../products/deps.ts";
import type { View } from "../products/views.ts";
import type { Policy } from "../risk/policy.ts";

/** What every call needs, built once. */
export type CallParts = {
  readonly deps: Deps;
  /** Of what is kept: the database's. */
  readonly clock: Clock;
  readonly ledger: Ledger;
  /** Parts of the data that are still being prepared; empty when lookups can be answered. */
  readonly missingParts: () => readonly string[];
  readonly storeTargets: boolean;
};

/** One authenticated call under way. */
export type Call = {
  readonly requestId: string;
  readonly endpoint: string;
  readonly caller: Caller;
  /** The caller as it is now; null: the key was revoked, or the account disabled. */
  readonly findAgain: () => Promise<Caller | null> | Caller | null;
  readonly clientAddress: string;
  readonly startedMs: number;
  /** Aborts when the caller hangs up. */
  readonly signal: AbortSignal;
  /** Whether the caller left, known a little earlier than by `signal`. */
  readonly isGone: () => boolean;
  /** What is begun for the call, and may outlive it. */
  readonly work: Work;
  /** To be told as soon as the body is understood: a row of the history names it, also of a call refused later. */
  readonly describe: (subject: CallSubject) => void;
  /** How much of the report is answered. */
  readonly view: View;
  /** What judges the score; null: none was named. */
  readonly policy: Policy | null;
  /** What is wrong with the request beside its body. */
  readonly faults: readonly Fault[];
  /** Takes the answer once it is charged, to be kept for the account; null: it is not kept. */
  readonly keep: ((answer: KeptAnswer) => void) | null;
  /** The whole body of a 200 around the JSON text of `data`, made before it is charged: a fault in making it must cost nothing. */
  readonly render: (data: JsonText) => Promise<Buffer> | Buffer;
};

/** What is kept of a charged answer. */
type KeptAnswer = {
  /** Name of the product. */
  readonly product: string;
  /** As the answer shows it. */
  readonly target: string;
  /** The body that asked for it. */
  readonly question: object;
  /** JSON text of `data`. */
  readonly data: string;
};

/** What goes out with a metered 200. */
export type CallAnswer = {
  readonly body: Buffer;
  readonly charged: number;
  readonly creditsRemaining: number;
};

/** What the history row says beside the caller. */
export type CallSubject = {
  readonly targetKind: string;
  readonly target: string | null;
  readonly items: number;
};

/** The history row of a call that ends now with `status`. */
export function callRecord(
  call: Omit<
    Call,
    "findAgain" | "signal" | "isGone" | "work" | "describe" | "view" | "policy" | "faults" | "keep" | "render"
  >,
  subject: CallSubject,
  status: number,
  clock: Clock,
): CallRecord {
  return {
    requestId: call.requestId,
    accountId: call.caller.accountId,
    keyId: call.caller.keyId,
    keyPrefix: call.caller.keyPrefix,
    endpoint: call.endpoint,
    targetKind: subject.targetKind,
    target: subject.target,
    items: subject.items,
    status,
    elapsedMs: Math.round(clock.monotonicMs() - call.startedMs),
    clientAddress: call.clientAddress,
  };
}

/** Refuses while the first start prepares its data: half an answer with a price is worse than a few seconds. */
export function assertReady(missing: readonly string[]): void {
  if (missing.length === 0) return;
  throw new Refusal("SERVICE_UNAVAILABLE", {
    message: `The data is being prepared (${missing.join(", ")}); try again in a moment`,
    retryAfterS: 2,
  });
}
