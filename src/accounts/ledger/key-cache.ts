import type { Sqlite, SqliteRow } from "../../db/sqlite.ts";
import type { Caller, Settlement } from "../accounts.ts";
import type { Expiries } from "../expired-keys.ts";
import { hashKey, hasValidShape, numberOfKey } from "../keys.ts";
import { callerFrom, integerOf, integerOrNullOf } from "../rows.ts";
import type { CallRow } from "./call-rows.ts";

/** The caller behind a key's hash that is not revoked, with its expiry and both rows' numbers; undefined when there is none. The caller holds the connection. */
type ReadCaller = (hash: string) => SqliteRow | undefined;

export type KnownCallers = {
  /** The caller as the file has it now. Only the asking call may hold the connection. */
  readonly find: (key: string, nowMs: number) => Caller | null;
  /** What was last known of an account; undefined: nothing. It may be otherwise in the file. */
  readonly accountOf: (accountId: string) => KnownAccount | undefined;
  /** The number of the key's row, as long as anything is known of the key. */
  readonly keyRowOf: (keyId: string) => number | undefined;
  /** To be told what was charged when it is committed, before anybody else writes here. */
  readonly charged: (charges: readonly CallRow[], outcomes: readonly Settlement[]) => void;
};

type KnownAccount = { readonly row: number; readonly credits: number };

type Known = {
  readonly hash: string;
  readonly caller: Caller;
  readonly expiresAtMs: number | null;
  readonly account: KnownAccount;
};

const MAX_KNOWN = 10_000;

/**
 * Callers as they were read, good until anybody but this ledger writes to the file: a revocation, a plan, a grant by
 * another process or by the pages ends all of them at once. What this ledger takes is taken off here as well.
 */
export function createKnownCallers(
  sqlite: Pick<Sqlite, "version">,
  read: ReadCaller,
  expiries: Expiries,
): KnownCallers {
  /** By the number of the key; of keys with the same number the one found last. */
  const known = new Map<number, Known>();
  /** Several keys have one account. */
  const accounts = new Map<string, { readonly row: number; credits: number }>();
  const keyRows = new Map<string, number>();
  let version = Number.NaN;
  const forget = (): void => {
    known.clear();
    accounts.clear();
    keyRows.clear();
  };
  return {
    find: (key, nowMs) => {
      const number = numberOfKey(key);
      const hash = hashKey(key);
      // A text that cannot be a key costs no read.
      if (known.get(number)?.hash !== hash && !hasValidShape(key)) return null;
      const current = sqlite.version();
      if (current !== version || known.size >= MAX_KNOWN) forget();
      version = current;
      const kept = known.get(number);
      // While a due refill waits for a payment, every call reads the file again.
      if (kept?.hash === hash && nowMs < (kept.caller.creditsResetAt?.getTime() ?? 0)) {
        if (expiries.isOver(kept.caller.keyId, kept.expiresAtMs, nowMs)) return null;
        return { ...kept.caller, credits: kept.account.credits };
      }
      const row = read(hash);
      if (row === undefined) return null;
      const found = callerFrom(row, nowMs);
      const expiresAtMs = integerOrNullOf(row, "expires_at");
      if (expiries.isOver(found.keyId, expiresAtMs, nowMs)) return null;
      const account = accounts.get(found.accountId) ?? { row: integerOf(row, "account_row"), credits: 0 };
      account.credits = found.credits;
      accounts.set(found.accountId, account);
      keyRows.set(found.keyId, integerOf(row, "key_row"));
      known.set(number, { hash, caller: found, expiresAtMs, account });
      return found;
    },
    accountOf: (accountId) => accounts.get(accountId),
    keyRowOf: (keyId) => keyRows.get(keyId),
    charged: (charges, outcomes) => {
      charges.forEach(({ account_id }, i) => {
        const outcome = outcomes[i];
        const account = accounts.get(account_id);
        if (account !== undefined && outcome?.state === "charged") account.credits = outcome.creditsRemaining;
      });
    },
  };
}
