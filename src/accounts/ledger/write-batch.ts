import type { Caller, Settlement } from "../accounts.ts";
import type { CallRow } from "./call-rows.ts";
import type { RefusedCalls } from "./refused-calls.ts";

/**
 * What is written in one transaction: charges, each judged on its own in their order, rows of uncharged calls, and counts of
 * those that have no rows.
 */
export type Group = {
  /** `credits` is the cost. */
  readonly charges: readonly CallRow[];
  readonly notes: readonly CallRow[];
  readonly refused: readonly RefusedCalls[];
};

/** The ledger in one kind of database. */
export type LedgerStore = {
  /** The live caller behind a key's text: as the database has it, or kept while it was not written. */
  readonly findCaller: (key: string, nowMs: number) => Promise<Caller | null> | Caller | null;
  /** The live caller behind a session's own key, read anew. */
  readonly findSessionCaller: (sessionId: string, nowMs: number) => Promise<Caller | null>;
  /** Writes a group in one transaction, durable when it resolves with the charges' outcomes. A throw wrote nothing. */
  readonly write: (group: Group, nowMs: number) => Promise<readonly Settlement[]>;
  /** Deletes the oldest rows of the history from before an instant, at most `limit` of them; how many. The roll-up stays. */
  readonly deleteOld: (beforeMs: number, limit: number, nowMs: number) => Promise<number>;
  /** Deletes rows of one account's history; how many. The roll-up stays. */
  readonly deleteOf: (wish: CallsOfAccount, nowMs: number) => Promise<number>;
};

/** Rows of an account's history with numbers above `after` and up to `upTo`. */
export type CallsOfAccount = { readonly accountId: string; readonly after: number; readonly upTo: number };

const TOUCH_EVERY_MS = 60_000;
const MAX_REMEMBERED = 100_000;

/** Which keys' `last_used_at` is worth a write: of each at most one a minute. */
export type KeyTouches = {
  readonly due: (group: Group, nowMs: number) => readonly string[];
  /** To be told after the commit. */
  readonly written: (keyIds: readonly string[], nowMs: number) => void;
};

/** Remembers in this process when a key's last use was written; bounded. */
export function createKeyTouches(): KeyTouches {
  const writtenAtMs = new Map<string, number>();
  const isDue = (keyId: string, nowMs: number) => {
    const at = writtenAtMs.get(keyId);
    return at === undefined || Math.abs(nowMs - at) >= TOUCH_EVERY_MS;
  };
  return {
    due: ({ charges, notes, refused }, nowMs) => {
      const due = new Set<string>();
      for (const calls of [charges, notes]) {
        for (const { key_id } of calls) if (isDue(key_id, nowMs)) due.add(key_id);
      }
      for (const { keyId } of refused) if (isDue(keyId, nowMs)) due.add(keyId);
      return [...due].sort();
    },
    written: (keyIds, nowMs) => {
      if (writtenAtMs.size > MAX_REMEMBERED) writtenAtMs.clear();
      for (const keyId of keyIds) writtenAtMs.set(keyId, nowMs);
    },
  };
}
