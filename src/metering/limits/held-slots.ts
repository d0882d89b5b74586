import type { Clock } from "../../base/clock.ts";
import type { Valkey } from "./valkey.ts";

/** So long the slots of a process that died stay taken; one that lives renews its leases three times meanwhile. */
export const LEASE_MS = 10_000;
const RENEW_MS = 3_000;

export type HeldSlots = {
  /**
   * A call holds a slot until what is returned is called, once or more. `isTold`: the server may know of it; of one that was begun
   * while the server was away it is told with the next call of `keep` or `tellAll`.
   */
  readonly begin: (bucket: string, id: string, isTold: boolean) => () => void;
  /** Renews in time what calls hold, and gives back what is owed. Called about once a second; rejects when the server does not take it. */
  readonly keep: () => Promise<void>;
  /** The same for a server that was away, which may have forgotten all. */
  readonly tellAll: () => Promise<void>;
};

type Told = {
  readonly isHere: () => boolean;
  readonly lost: (reason: unknown) => void;
};

/**
 * The slots that calls of this process hold on the server, renewed while they run. Calls that began while the server was away hold
 * theirs once it is back, or as many again would be admitted beside them. What ends while the server is away is owed: it
 * is given back with the first probe that the server answers, or its caller would be refused for slots that no call holds.
 */
export function keepSlots(
  { valkey, clock }: { readonly valkey: Valkey; readonly clock: Pick<Clock, "monotonicMs"> },
  { isHere, lost }: Told,
): HeldSlots {
  const held = new Map<string, Set<string>>();
  /** Those of them of which the server knows nothing. */
  const untold = new Set<string>();
  /** Buckets by id. */
  const owed = new Map<string, string>();
  let renewedAtMs = Number.NEGATIVE_INFINITY;

  const renew = async (isDue: boolean): Promise<void> => {
    const nowMs = clock.monotonicMs();
    const orders = [...held].map(([bucket, ids]): [string, string[]] => [
      bucket,
      isDue ? [...ids] : [...ids].filter((id) => untold.has(id)),
    ]);
    untold.clear();
    const due = orders.filter(([, ids]) => ids.length > 0);
    await Promise.all(due.map(([bucket, ids]) => valkey.renew(bucket, ids, LEASE_MS)));
    if (isDue) renewedAtMs = nowMs;
  };
  const giveBack = async (bucket: string, id: string): Promise<void> => {
    await valkey.release(bucket, id);
    owed.delete(id);
  };
  const end = (bucket: string, id: string): void => {
    const ids = held.get(bucket);
    if (!ids?.delete(id)) return;
    if (ids.size === 0) held.delete(bucket);
    if (untold.delete(id)) return;
    owed.set(id, bucket);
    if (isHere()) giveBack(bucket, id).catch(lost);
  };
  const settle = async (isDue: boolean): Promise<void> => {
    await Promise.all([renew(isDue), ...[...owed].map(([id, bucket]) => giveBack(bucket, id))]);
  };
  return {
    begin: (bucket, id, isTold) => {
      const ids = held.get(bucket) ?? new Set<string>();
      if (ids.size === 0) held.set(bucket, ids);
      ids.add(id);
      if (!isTold) untold.add(id);
      return () => end(bucket, id);
    },
    keep: () => settle(clock.monotonicMs() - renewedAtMs >= RENEW_MS),
    tellAll: () => settle(true),
  };
}
