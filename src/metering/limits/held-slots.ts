import type { Clock } from "../../base/clock.ts";
import type { Valkey } from "./valkey.ts";

/** So long the slots of a process that died stay taken; one that lives renews its leases three times meanwhile. */
export const LEASE_MS = 10_000;
const RENEW_MS = 3_000;

export type HeldSlots = {
  readonly begin: (bucket: string, id: string) => void;
  /** Any number of times. */
  readonly end: (bucket: string, id: string) => void;
  /** A slot that the server may have given, though it did not say so: the call does not hold it. */
  readonly owe: (bucket: string, id: string) => void;
  /**
   * Renews what calls hold, and gives back what is owed. Called about once a second; rejects when the server does not take it.
   * `wasHere`: the server answered last, and knows what it was told.
   */
  readonly keep: (wasHere: boolean) => Promise<void>;
};

type Told = {
  readonly isHere: () => boolean;
  readonly lost: (reason: unknown) => void;
};

/**
 * The slots that calls of this process hold on the server, renewed while they run. What ends while the server is away is owed: it
 * is given back with the first probe that the server answers, or its caller would be refused for slots that no call holds.
 */
export function keepSlots(
  { valkey, clock }: { readonly valkey: Valkey; readonly clock: Pick<Clock, "monotonicMs"> },
  { isHere, lost }: Told,
): HeldSlots {
  const held = new Map<string, Set<string>>();
  /** Buckets by id. */
  const owed = new Map<string, string>();
  let renewedAtMs = Number.NEGATIVE_INFINITY;

  const renew = async (wasHere: boolean): Promise<void> => {
    const nowMs = clock.monotonicMs();
    if (wasHere && nowMs - renewedAtMs < RENEW_MS) return;
    await Promise.all([...held].map(([bucket, ids]) => valkey.renew(bucket, [...ids], LEASE_MS)));
    renewedAtMs = nowMs;
  };
  const giveBack = async (bucket: string, id: string): Promise<void> => {
    await valkey.release(bucket, id);
    owed.delete(id);
  };
  const owe = (bucket: string, id: string): void => void owed.set(id, bucket);
  return {
    begin: (bucket, id) => {
      const ids = held.get(bucket) ?? new Set<string>();
      if (ids.size === 0) held.set(bucket, ids);
      ids.add(id);
    },
    end: (bucket, id) => {
      const ids = held.get(bucket);
      if (!ids?.delete(id)) return;
      if (ids.size === 0) held.delete(bucket);
      owe(bucket, id);
      if (isHere()) giveBack(bucket, id).catch(lost);
    },
    owe,
    keep: async (wasHere) => {
      await Promise.all([renew(wasHere), ...[...owed].map(([id, bucket]) => giveBack(bucket, id))]);
    },
  };
}
