import type { Sqlite, SqliteRow } from "../db/sqlite.ts";
import type { Caller, Settlement } from "./accounts.ts";
import type { CallRow } from "./call-rows.ts";
import { callerFrom } from "./rows.ts";

/** The live caller behind a key's hash; undefined when there is none. The caller holds the connection. */
type ReadCaller = (hash: string) => SqliteRow | undefined;

export type KnownCallers = {
  /** The caller as the file has it now. Nobody may hold the connection but whoever asks. */
  readonly find: (hash: string, nowMs: number) => Caller | null;
  /** What was last known of an account's balance; undefined: nothing. It may be another one in the file. */
  readonly balanceOf: (accountId: string) => number | undefined;
  /** To be told what was charged when it is on disk, before anybody else writes here. */
  readonly charged: (charges: readonly CallRow[], outcomes: readonly Settlement[]) => void;
};

const MAX_KNOWN = 10_000;

/**
 * Callers as they were read, good until anybody but this ledger writes to the file: a revocation, a plan, a grant by
 * another process or by the pages ends all of them at once. What this ledger takes is taken off here as well.
 */
export function createKnownCallers(sqlite: Pick<Sqlite, "version">, read: ReadCaller): KnownCallers {
  const known = new Map<string, Caller>();
  /** By account: several keys have one. */
  const balances = new Map<string, number>();
  let version = Number.NaN;
  const forget = (): void => {
    known.clear();
    balances.clear();
  };
  return {
    find: (hash, nowMs) => {
      const current = sqlite.version();
      if (current !== version || known.size >= MAX_KNOWN) forget();
      version = current;
      const caller = known.get(hash);
      if (caller !== undefined && nowMs < caller.creditsResetAt.getTime()) {
        return { ...caller, credits: balances.get(caller.accountId) ?? caller.credits };
      }
      const row = read(hash);
      if (row === undefined) return null;
      const found = callerFrom(row, nowMs);
      balances.set(found.accountId, found.credits);
      known.set(hash, found);
      return found;
    },
    balanceOf: (accountId) => balances.get(accountId),
    charged: (charges, outcomes) => {
      for (const [i, { account_id }] of charges.entries()) {
        const outcome = outcomes[i];
        if (outcome?.state === "charged") balances.set(account_id, outcome.creditsRemaining);
      }
    },
  };
}
