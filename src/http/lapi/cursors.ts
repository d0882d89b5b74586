import { createHash } from "node:crypto";
import type { Clock } from "../../base/clock.ts";
import { HOUR_MS } from "../../base/durations.ts";
import { LEAST_DURATION_S } from "../../exports/decisions/decision.ts";

/*
 * What each bouncer has. It never says so, and an answer that left here may be lost on its way, so that a bouncer is taken to have
 * a generation only ten minutes after it was sent: until then every answer tells again what changed since the one before.
 * Telling a bouncer what it has changes nothing. For the same reason a start takes nothing back: two bouncers behind one
 * address are one client here, and what the other one still lacks is told to both. A bouncer that is not known and does not start may
 * have any of the generations whose changes are kept: after everything, which may be lost on its way each time, it is told for ten
 * minutes what changed since the oldest of them. So is one that starts soon after this process did: another one behind its address may
 * not have asked yet.
 *
 * Decisions end by themselves unless they are renewed, by a clock that is set by none. So what is renewed goes back over the time
 * that passed, whatever the wall clock did, and as often as the shortest of what a bouncer may still hold wants it: what it was told
 * for four hours ends after four, also where the export was told to hold for two days since. A set that keeps its times, as the
 * kernel's does through a restart of its bouncer, gains nothing from everything: after that its elements are renewed one by one.
 */

/** What a bouncer is to be sent. */
export type DeliveryPlan = {
  /** The generation that its changes are told from; null: everything. */
  readonly from: number | null;
  /**
   * What was due for renewal after the first and up to the second of these times is renewed; in milliseconds of the wall clock.
   * Null: not known.
   */
  readonly sinceMs: number | null;
  readonly untilMs: number;
  /** The same instant by the clock that is never set. */
  readonly atMs: number;
  /** Seconds for which the decisions hold that it is sent. */
  readonly durationS: number;
  readonly keepsTimes: boolean;
  /** The least for which those that it has may have been told to hold. */
  readonly heldS: number;
};

/** Who asks, and the generations from which changes are kept. */
export type Poll = {
  readonly client: string;
  readonly isStartup: boolean;
  readonly hasChangesSince: (generation: number) => boolean;
  /** The oldest of them. */
  readonly oldest: number;
  /** Seconds for which the decisions hold that it would be sent. */
  readonly durationS: number;
  /** What is in its set keeps its time when it is told again. */
  readonly keepsTimes: boolean;
};

export type Cursors = {
  readonly plan: (poll: Poll) => DeliveryPlan;
  /** The whole of an answer left. */
  readonly delivered: (client: string, delivery: Delivery) => void;
};

type Delivery = {
  readonly plan: DeliveryPlan;
  readonly generation: number;
  readonly isStartup: boolean;
};

type Sent = { readonly generation: number; readonly atMs: number };
type Cursor = {
  /** Oldest first, each generation once, by when it was sent first. */
  readonly sent: Sent[];
  /** Answers with everything that are still to be sent: a bouncer that was not known does not ask again for one it lost. */
  wholeLeft: number;
  /** Until then it is not known what it had before. */
  unknownUntilMs: number;
  lastWallMs: number;
  /** The rest goes by the clock that is never set. */
  lastMs: number;
  /** When it was last asked for what it was sent. */
  askedMs: number;
  /** By seconds for which decisions were told to hold: when the last of them left. */
  readonly told: Map<number, number>;
  /** Since it was last sent everything, of which it may have had a part for long; null: all of that was renewed since. */
  catchingUpMs: number | null;
};

/** Every decision is renewed after two fifths of its time, so that one renewal may be lost. */
export const RENEWED_AFTER = 0.4;

/** What was due so long ago is renewed again: bouncers behind one address take turns. */
const SHARED_MS = 30_000;
const LOST_MS = 600_000;
/** A bouncer that was away for so long may have been answered by another process meanwhile: it is sent everything. */
const AWAY_MS = HOUR_MS;
const WHOLE_TIMES = 3;
const MAX_CLIENTS = 10_000;
/** So soon after everything all is renewed once. */
const CATCH_UP_S = 300;

type Beginning = { readonly isStartup: boolean; readonly isAlone: boolean; readonly nowMs: number };

const begun = ({ isStartup, isAlone, nowMs }: Beginning): Cursor => ({
  ...{ sent: [], lastWallMs: 0, lastMs: 0, askedMs: 0, catchingUpMs: null },
  wholeLeft: isStartup ? 0 : WHOLE_TIMES,
  unknownUntilMs: isStartup && isAlone ? Number.NEGATIVE_INFINITY : nowMs + LOST_MS,
  told: new Map(isStartup && isAlone ? [] : [[LEAST_DURATION_S, nowMs]]),
});

/** The shortest time that decisions may have been told to hold that did not end yet. */
function heldOf({ told, catchingUpMs }: Cursor, durationS: number, nowMs: number): number {
  if (catchingUpMs !== null) return CATCH_UP_S / RENEWED_AFTER;
  for (const [seconds, atMs] of told) if (nowMs - atMs >= seconds * 1000) told.delete(seconds);
  return Math.min(durationS, ...told.keys());
}

function noteCaughtUp(cursor: Cursor, { from, atMs, keepsTimes }: DeliveryPlan): void {
  if (from === null) cursor.catchingUpMs = keepsTimes ? atMs : null;
  else if (atMs - (cursor.catchingUpMs ?? atMs) >= CATCH_UP_S * 1000) cursor.catchingUpMs = null;
}

/** Since when it is renewed: a clock that was set back, or another machine that stood still, takes no turn away. */
function sinceOf({ lastWallMs, askedMs }: Cursor, { wallMs, nowMs }: Instant): number {
  return Math.min(lastWallMs, wallMs - (nowMs - askedMs)) - SHARED_MS;
}
type Instant = { readonly wallMs: number; readonly nowMs: number };

/** Where a client's own words are kept, they are this long. */
const keyOf = (client: string): string => createHash("sha256").update(client).digest("base64");

/** No bouncer has anything yet. */
export function createCursors(clock: Pick<Clock, "now" | "monotonicMs">): Cursors {
  const cursors = new Map<string, Cursor>();
  const openedMs = clock.monotonicMs();
  return {
    plan: ({ client, isStartup, hasChangesSince, oldest, durationS, keepsTimes }) => {
      const key = keyOf(client);
      const known = cursors.get(key);
      const first = known?.sent[0]?.generation;
      const [wallMs, nowMs] = [clock.now().getTime(), clock.monotonicMs()];
      const base = {
        ...{ untilMs: wallMs, atMs: nowMs, durationS, keepsTimes },
        sinceMs: known === undefined ? null : sinceOf(known, { wallMs, nowMs }),
        heldS: known === undefined ? durationS : heldOf(known, durationS, nowMs),
      };
      const isUsable =
        known !== undefined &&
        first !== undefined &&
        hasChangesSince(first) &&
        nowMs - known.lastMs < AWAY_MS;
      // Begun anew: else it would be sent everything for ten minutes.
      if (!isUsable) cursors.delete(key);
      if (isStartup || !isUsable || known.wholeLeft > 0) return { ...base, from: null };
      return { ...base, from: nowMs < known.unknownUntilMs ? oldest : first };
    },
    delivered: (client, { plan, generation, isStartup }) => {
      const key = keyOf(client);
      const atMs = clock.monotonicMs();
      const known = cursors.get(key);
      const cursor = known ?? begun({ isStartup, isAlone: atMs - openedMs >= LOST_MS, nowMs: atMs });
      cursor.lastWallMs = Math.max(cursor.lastWallMs, plan.untilMs);
      cursor.lastMs = atMs;
      cursor.askedMs = Math.max(cursor.askedMs, plan.atMs);
      cursor.told.set(plan.durationS, atMs);
      noteCaughtUp(cursor, plan);
      if (plan.from === null) cursor.wholeLeft = Math.max(0, cursor.wholeLeft - 1);
      if (cursor.sent.at(-1)?.generation !== generation) cursor.sent.push({ generation, atMs });
      // The oldest that counts is the newest one that was sent long ago.
      while ((cursor.sent[1]?.atMs ?? Number.POSITIVE_INFINITY) <= atMs - LOST_MS) cursor.sent.shift();
      cursors.delete(key);
      cursors.set(key, cursor);
      const [oldest] = cursors.keys();
      if (cursors.size > MAX_CLIENTS && oldest !== undefined) cursors.delete(oldest);
    },
  };
}
