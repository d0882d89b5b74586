/**
 * Keys that were seen past their expiry. A clock that is set back must not revive one: it stays refused here until its
 * expiry is another one, and for good once the upkeep has written its end (`key-changes.ts`).
 */
export type Expiries = {
  /** Whether a key with this expiry (ms since 1970; null: none) is past it, or was. */
  readonly isOver: (keyId: string, expiresAtMs: number | null, nowMs: number) => boolean;
  /** Whether the key was past its expiry when it was last judged. */
  readonly wasOver: (keyId: string) => boolean;
};

const MAX_REMEMBERED = 10_000;

/** Remembers for one process; bounded. */
export function createExpiries(): Expiries {
  const over = new Map<string, number>();
  return {
    isOver: (keyId, expiresAtMs, nowMs) => {
      if (expiresAtMs !== null && (nowMs >= expiresAtMs || over.get(keyId) === expiresAtMs)) {
        if (over.size >= MAX_REMEMBERED) over.clear();
        over.set(keyId, expiresAtMs);
        return true;
      }
      if (over.size > 0) over.delete(keyId);
      return false;
    },
    wasOver: (keyId) => over.size > 0 && over.has(keyId),
  };
}
