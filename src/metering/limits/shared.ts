import type { Clock, Random } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { createReasons } from "../../base/reasons.ts";
import { FREE_STARTS, FREE_WINDOW_S, type FreeLimits } from "./free.ts";
import { resetSeconds, retryAfterSeconds } from "./headers.ts";
import { type HeldSlots, keepSlots, LEASE_MS } from "./held-slots.ts";
import { type MemoryLimits, refusedForHangUps } from "./in-process.ts";
import type { Admission, FreeLimitStore, LimitStore } from "./types.ts";
import type { Take, Taken, Valkey } from "./valkey.ts";

export type SharedLimits = {
  readonly limits: LimitStore;
  readonly freeLimits: FreeLimitStore;
  /** False while the server is away and this process keeps limits of its own. */
  readonly areShared: () => boolean;
  /** Resolves once it is known whether the server answers. */
  readonly whenKnown: Promise<void>;
};

export type SharedLimitsDeps = {
  readonly valkey: Valkey;
  /** What this process keeps by itself. */
  readonly own: { readonly limits: MemoryLimits; readonly freeLimits: FreeLimits };
  readonly clock: Clock;
  readonly random: Pick<Random, "bytes">;
  readonly log: Log;
};

const WINDOW_MS = 1000;

/** How often a server that is away is looked for. */
const PROBE_MS = 250;
/** How often one that was there last is asked: no other call may ask it, and /api/health needs the answer. */
const CHECK_MS = 1000;

/**
 * Limits that all processes keep together, by the server's clock: exact sliding windows, and slots in flight that are
 * leased. This process's own limits are asked first, and a start that the server refuses is taken back there: when the
 * server is away, the process goes on with those, without a window that is suddenly empty. A server that comes back, was
 * emptied or evicts keys knows less than it was told. So never more is admitted than each process alone would admit.
 * Source: security P19, stack 4.
 */
export function createSharedLimits(deps: SharedLimitsDeps): SharedLimits {
  const { valkey, own, clock } = deps;
  const stop = new AbortController();
  const slots = keepSlots(deps, {
    isHere: () => presence.isHere(),
    lost: (reason) => presence.lost(reason),
  });
  const presence = watchPresence(deps, slots, stop.signal);
  const nextId = createIds(deps.random);

  const take: Taking = async (order) => {
    const id = nextId();
    if (!presence.isHere()) return { id, taken: null, isTold: false };
    try {
      return { id, taken: await valkey.take({ ...order, id, leaseMs: LEASE_MS }), isTold: true };
    } catch (error) {
      presence.lost(error);
      return { id, taken: null, isTold: true };
    }
  };

  return {
    areShared: presence.isHere,
    whenKnown: presence.whenKnown,
    limits: {
      admit: createAdmit(own.limits, { take, slots, clock }),
      begin: createBegin(own.limits, { take, slots }),
      noteHangUp: (owner) => {
        own.limits.noteHangUp(owner);
        if (presence.isHere()) valkey.noteHangUp(owner, nextId()).catch(presence.lost);
      },
      close: async () => {
        stop.abort();
        await presence.ended;
        valkey.close();
        await own.limits.close();
      },
    },
    freeLimits: createSharedFreeLimits(own.freeLimits, { take, clock }),
  };
}

type Answer = {
  readonly id: string;
  /** Null: the server does not answer. */
  readonly taken: Taken | null;
  /** Whether the server may know of it, with an answer or without. */
  readonly isTold: boolean;
};
type Taking = (order: Omit<Take, "id" | "leaseMs">) => Promise<Answer>;
type Asking = { readonly take: Taking; readonly clock: Pick<Clock, "monotonicMs"> };

function createAdmit(
  own: MemoryLimits,
  { take, slots, clock }: Asking & { readonly slots: HeldSlots },
): LimitStore["admit"] {
  return async (bucket, perSecond, owner) => {
    // What was abandoned here was abandoned, whether the server knows of it or not.
    if (owner !== undefined && own.hangUpWaitMs(owner) > 0) return own.admit(bucket, perSecond, owner);
    const limit = Math.max(0, perSecond);
    const noted = own.admit(bucket, perSecond);
    const notedAtMs = clock.monotonicMs();
    if (noted.state === "refused" && noted.scope === "requests") return noted;
    // With all slots taken here the server is asked for its reason, and must note no start.
    const concurrency = noted.state === "refused" ? 0 : limit;
    const order = { bucket, owner: owner ?? null, windowMs: WINDOW_MS, limit, concurrency };
    const { id, taken, isTold } = await take(order);
    if (noted.state === "refused") return isForSlots(taken) ? noted : admissionOf(taken, limit, limit);
    if (isRefused(taken)) {
      noted.release();
      own.takeBack(bucket, notedAtMs);
      return admissionOf(taken, limit, limit);
    }
    const release = both(noted.release, slots.begin(bucket, id, isTold));
    return taken === null ? { ...noted, release } : admissionOf(taken, limit, limit, release);
  };
}

/** Whether the server has no other reason to refuse a start than that all slots are taken here. */
const isForSlots = (taken: Taken | null): taken is (Taken & { readonly outcome: "concurrency" }) | null =>
  taken === null || taken.outcome === "concurrency";

const isRefused = (taken: Taken | null): taken is Taken => taken !== null && taken.outcome !== "admitted";

/** Frees the slot here and the one on the server. */
const both = (own: () => void, shared: () => void) => (): void => {
  own();
  shared();
};

/** A slot in flight of which there is one. */
function createBegin(
  own: MemoryLimits,
  { take, slots }: { readonly take: Taking; readonly slots: HeldSlots },
): LimitStore["begin"] {
  return async (name) => {
    const end = own.begin(name);
    if (end === null) return null;
    const bucket = `once ${name}`;
    const limit = Number.MAX_SAFE_INTEGER;
    const order = { bucket, owner: null, windowMs: WINDOW_MS, limit, concurrency: 1 };
    const { id, taken, isTold } = await take(order);
    if (!isRefused(taken)) return both(end, slots.begin(bucket, id, isTold));
    end();
    return null;
  };
}

function createSharedFreeLimits(own: FreeLimits, { take, clock }: Asking): FreeLimitStore {
  const windowMs = FREE_WINDOW_S * 1000;
  return {
    admit: async (bucket) => {
      const noted = own.admit(bucket);
      const notedAtMs = clock.monotonicMs();
      if (noted.state === "refused") return noted;
      const { taken } = await take({
        bucket,
        owner: null,
        windowMs,
        limit: FREE_STARTS,
        concurrency: null,
      });
      if (taken === null) return noted;
      if (taken.outcome !== "admitted") own.takeBack(bucket, notedAtMs);
      return admissionOf(taken, FREE_STARTS, Number.POSITIVE_INFINITY);
    },
  };
}

function admissionOf(
  { outcome, starts, inFlight, waitMs }: Taken,
  limit: number,
  concurrencyLimit: number,
  release: () => void = () => undefined,
): Admission {
  const remaining = Math.max(0, limit - starts);
  const limits = {
    limit,
    remaining,
    resetAfterS: remaining > 0 ? 0 : resetSeconds(waitMs),
    concurrencyLimit,
    concurrencyRemaining: Math.max(0, concurrencyLimit - inFlight),
  };
  if (outcome === "admitted") return { state: "admitted", limits, release };
  if (outcome === "hang-ups") return refusedForHangUps(limits, waitMs);
  const retryAfterS = retryAfterSeconds(outcome, limits.resetAfterS);
  return { state: "refused", scope: outcome, retryAfterS, limits };
}

/** Ids that no other process makes. */
function createIds(random: Pick<Random, "bytes">): () => string {
  const own = Buffer.from(random.bytes(9)).toString("base64url");
  let count = 0;
  return () => `${own}${(count++).toString(36)}`;
}

type Presence = {
  readonly isHere: () => boolean;
  readonly lost: (reason: unknown) => void;
  readonly whenKnown: Promise<void>;
  readonly ended: Promise<void>;
};

/** Tells the log of an absence, and of each further reason for it, once. */
function createLossLog(log: Log) {
  const reasons = createReasons();
  let isSaid = false;
  return {
    lost: (reason: unknown): void => {
      isSaid = true;
      const found = reasons.note(reason);
      if (found === "first")
        log.warn(
          { err: reason },
          "Valkey is unavailable: each process keeps its own limits until it returns",
        );
      if (found === "other") log.warn({ err: reason }, "Valkey is still unavailable, now for another reason");
    },
    back: (): void => {
      if (isSaid) log.info("Valkey is back: the processes keep their limits together again");
      isSaid = false;
      reasons.clear();
    },
  };
}

/** Whether the server answers, asked every second. Once it does not, only a probe asks it, until that is answered. */
function watchPresence(
  { valkey, clock, log }: SharedLimitsDeps,
  slots: Pick<HeldSlots, "keep" | "tellAll">,
  signal: AbortSignal,
): Presence {
  const known = Promise.withResolvers<void>();
  let isHere = false;
  let losses = 0;
  const told = createLossLog(log);
  const lost = (reason: unknown): void => {
    if (signal.aborted) return;
    if (isHere) losses++;
    isHere = false;
    told.lost(reason);
  };
  const probe = async (): Promise<void> => {
    const lossesBefore = losses;
    try {
      if (isHere) await Promise.all([valkey.probe(), slots.keep()]);
      else await valkey.probe().then(slots.tellAll);
      // An answer on a connection that was given up meanwhile says nothing of the next one.
      if (losses > lossesBefore) return;
      isHere = true;
      told.back();
      // Calls that began since then asked nothing of the server either.
      await slots.keep();
    } catch (error) {
      lost(error);
    }
  };
  const watch = async (): Promise<void> => {
    while (!signal.aborted) {
      await probe();
      known.resolve();
      await clock.sleep(isHere ? CHECK_MS : PROBE_MS, signal).catch(() => undefined);
    }
  };
  return { isHere: () => isHere, lost, whenKnown: known.promise, ended: watch() };
}
