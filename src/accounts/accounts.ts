import type { KeyOptions, KeyRestriction } from "./key-options.ts";
import type { PlanName } from "./plans.ts";

export type Account = {
  readonly id: string;
  readonly email: string;
  readonly plan: PlanName;
  readonly credits: number;
  /** What the running cycle has granted so far, whatever is left of it. */
  readonly creditsGranted: number;
  /** End of the running cycle; past while a due refill waits for a late payment. */
  readonly cycleEndsAt: Date;
  /** When the balance refills; null while a due refill waits for a late payment. */
  readonly creditsResetAt: Date | null;
  /** Credits of a cycle during a trial; null: the plan's. */
  readonly trialGrant: number | null;
  /** When the plan ends unless a late payment is made, without refills until then; null: no payment is late. */
  readonly graceEndsAt: Date | null;
  readonly disabledAt: Date | null;
  readonly isOwner: boolean;
  /** Opened by sign-up. */
  readonly isSignedUp: boolean;
  /** When a mailed link proved the e-mail, or the operator made the account. Null: no key, no grant, no second factor. */
  readonly emailProvedAt: Date | null;
  readonly createdAt: Date;
  readonly billingStatus: string | null;
  readonly currentPeriodEnd: Date | null;
  readonly cancelAtPeriodEnd: boolean;
};

export type ApiKey = {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** First 12 characters. */
  readonly prefix: string;
  readonly createdAt: Date;
  /** To the minute. */
  readonly lastUsedAt: Date | null;
  /** Null for one that has expired. */
  readonly revokedAt: Date | null;
  /** The session that pays by it, which alone can, and with which it ends; null: a key with a text. */
  readonly sessionId: string | null;
  readonly options: KeyOptions;
  /** Id of the key that replaced it; null: none did. */
  readonly replacedBy: string | null;
  /** The person who made it on the pages; null: the operator, or it is from before 0.4. */
  readonly personId: string | null;
  /** "expired" as well where the expiry has passed and the key was not revoked before. */
  readonly state: "active" | "expired" | "revoked";
};

/** Who calls: a key that is alive on an account that is alive. Balance after a due refill. */
export type Caller = {
  readonly accountId: string;
  readonly keyId: string;
  readonly keyPrefix: string;
  readonly plan: PlanName;
  readonly credits: number;
  /** Null while a due refill waits for a late payment. */
  readonly creditsResetAt: Date | null;
  /** Where the key may be used from and for what; null: it is not limited. */
  readonly restriction: KeyRestriction | null;
};

/** A call as the history has it (design 13.2). */
export type CallRecord = {
  readonly requestId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly keyPrefix: string;
  readonly endpoint: string;
  readonly targetKind: string;
  readonly target: string | null;
  readonly items: number;
  readonly status: number;
  readonly elapsedMs: number;
  readonly clientAddress: string;
};

export type Settlement =
  | { readonly state: "charged"; readonly creditsRemaining: number }
  | { readonly state: "revoked" }
  /** The caller left before anything was written. */
  | { readonly state: "abandoned" }
  | { readonly state: "insufficient"; readonly credits: number; readonly creditsResetAt: Date | null };

/** The money: every promise of design 13.2 and security P18 is kept behind these. */
export type Ledger = {
  /**
   * The live caller behind a key's text; null for malformed, unknown, revoked, expired, or an account that is disabled or not
   * proved. At once where that is known in memory. Throws and rejects alike.
   */
  readonly findCaller: (key: string) => Promise<Caller | null> | Caller | null;
  /** The same of the key that a session pays by; null also while it has none. */
  readonly findSessionCaller: (sessionId: string) => Promise<Caller | null>;
  /**
   * Charges `cost` and writes the history row, in one transaction, durable before it resolves. `isGone` is asked just
   * before: a caller who left pays nothing.
   */
  readonly settle: (call: CallRecord, cost: number, isGone?: () => boolean) => Promise<Settlement>;
  /**
   * Writes the history row of a call that is not charged. May be grouped; never throws to the caller. A 429 has no row of its
   * own: it is counted for its account, endpoint and minute, and written within a second.
   */
  readonly record: (call: CallRecord) => void;
  /** Resolves when everything recorded so far is on disk. */
  readonly flush: () => Promise<void>;
};
