import type { Clock } from "../base/clock.ts";
import { type Party, presentParty } from "./party.ts";
import { inTurn } from "./turns.ts";

/** Ends a timer that has not fired; later calls do nothing. */
export type CancelTimer = () => void;

type Timed = Pick<Clock, "monotonicMs" | "sleep">;

/**
 * Calls `fire` once after `ms`, in the turn of the party: never early, and at most `TICK_MS` late by the clock, but where
 * many are due. All timers of a clock share one sleep: nearly all of them are cancelled, and a timer of its own with an abort controller costs 20 times as much.
 * While no timer is set, nothing sleeps. `fire` must not throw.
 */
export function callAfter(
  clock: Timed,
  ms: number,
  fire: () => void,
  party: Party = presentParty(),
): CancelTimer {
  let wheel = wheels.get(clock);
  if (wheel === undefined) {
    wheel = { clock, buckets: new Map(), sleep: null };
    wheels.set(clock, wheel);
  }
  return set(wheel, ms, { fire, party });
}

/** What Node's timers hold; who wakes before it is time sleeps on. */
const MAX_SLEEP_MS = 2 ** 31 - 1;
/** How far apart timers fire. */
export const TICK_MS = 10;

type Wheel = {
  readonly clock: Timed;
  /** Timers by the tick at which they are due, counted from the clock's start. */
  readonly buckets: Map<number, Set<Timer>>;
  sleep: { readonly untilTick: number; readonly stop: AbortController } | null;
};

/** `fire` is null once it has fired or was cancelled. */
type Timer = { fire: (() => void) | null; readonly party: Party };

const wheels = new WeakMap<Timed, Wheel>();

function set(wheel: Wheel, ms: number, timer: Timer): CancelTimer {
  const tick = Math.ceil((wheel.clock.monotonicMs() + Math.max(0, ms)) / TICK_MS);
  const bucket = wheel.buckets.get(tick);
  if (bucket !== undefined) bucket.add(timer);
  else {
    wheel.buckets.set(tick, new Set([timer]));
    wakeBy(wheel, tick);
  }
  return () => cancel(wheel, tick, timer);
}

function cancel(wheel: Wheel, tick: number, timer: Timer): void {
  timer.fire = null;
  const bucket = wheel.buckets.get(tick);
  if (!bucket?.delete(timer) || bucket.size > 0) return;
  wheel.buckets.delete(tick);
  if (wheel.buckets.size > 0) return;
  // A sleep would keep the process alive.
  wheel.sleep?.stop.abort(STOPPED);
  wheel.sleep = null;
}

/** Made once: an abort without a reason makes an error with a stack each time. */
const STOPPED = "the timers were cancelled";

/** Sees to it that it is awake at the tick. */
function wakeBy(wheel: Wheel, untilTick: number): void {
  if (wheel.sleep !== null && wheel.sleep.untilTick <= untilTick) return;
  wheel.sleep?.stop.abort(STOPPED);
  const sleep = { untilTick, stop: new AbortController() };
  wheel.sleep = sleep;
  const ms = Math.min(MAX_SLEEP_MS, Math.max(0, untilTick * TICK_MS - wheel.clock.monotonicMs()));
  const wake = () => {
    if (wheel.sleep === sleep) onTick(wheel);
  };
  // A rejection is that it was stopped.
  wheel.clock.sleep(ms, sleep.stop.signal).then(wake, () => undefined);
}

/** Fires what is due, the earliest first, also what that sets, and sleeps on. */
function onTick(wheel: Wheel): void {
  wheel.sleep = null;
  const nowTick = Math.floor(wheel.clock.monotonicMs() / TICK_MS);
  for (;;) {
    const next = firstTick(wheel);
    if (next > nowTick) {
      if (next < Number.POSITIVE_INFINITY) wakeBy(wheel, next);
      return;
    }
    const bucket = wheel.buckets.get(next) ?? [];
    wheel.buckets.delete(next);
    for (const timer of bucket) {
      inTurn(timer.party, () => {
        timer.fire?.();
        timer.fire = null;
      });
    }
  }
}

function firstTick({ buckets }: Wheel): number {
  let first = Number.POSITIVE_INFINITY;
  for (const tick of buckets.keys()) first = Math.min(first, tick);
  return first;
}
