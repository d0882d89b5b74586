import type { Clock, Random } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { createFreeLimits } from "./free.ts";
import { createMemoryLimits } from "./in-process.ts";
import { createSharedLimits } from "./shared.ts";
import type { FreeLimitStore, LimitStore } from "./types.ts";
import { openValkey } from "./valkey.ts";

/** The limits of this process, or of all of them together. */
export type Limits = {
  readonly limits: LimitStore;
  readonly freeLimits: FreeLimitStore;
  /** Whether all processes keep them together now; null where each is meant to keep its own. */
  readonly areShared: () => boolean | null;
};

export type LimitsDeps = {
  /** `redis://…`; null: limits live in the process. */
  readonly valkeyUrl: string | null;
  /** `fetch.ca_file` */
  readonly caFile: string | null;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
};

/** Resolves when it is known whether a server that is configured answers. One that does not is no failure (security P19). */
export async function openLimits({ valkeyUrl, caFile, clock, random, log }: LimitsDeps): Promise<Limits> {
  const own = { limits: createMemoryLimits({ clock }), freeLimits: createFreeLimits({ clock, random }) };
  if (valkeyUrl === null) return { ...own, areShared: () => null };
  const valkey = await openValkey({ url: valkeyUrl, caFile, clock });
  const shared = createSharedLimits({ valkey, own, clock, random, log });
  await shared.whenKnown;
  return shared;
}
