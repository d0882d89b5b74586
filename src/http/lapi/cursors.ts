import { createHash } from "node:crypto";
import type { Clock } from "../../base/clock.ts";

/*
 * What each bouncer has. It never says so, and an answer that left here may be lost on its way, so that a bouncer is taken to have
 * a generation only ten minutes after it was sent: until then every answer tells again what changed since the one before.
 * Telling a bouncer what it has changes nothing. For the same reason a start takes nothing back: two bouncers behind one
 * address are one client here, and what the other one still lacks is told to both. A bouncer that is not known and does not start may
 * have any of the generations whose changes are kept: after everything, which may be lost on its way each time, it is told for ten
 * minutes what changed since the oldest of them. So is one that starts soon after this process did: another one behind its address may
 * not have asked yet.
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
};

/** Who asks, and the generations from which changes are kept. */
export type Poll = {
  readonly client: string;
  readonly isStartup: boolean;
  readonly hasChangesSince: (generation: number) => boolean;
  /** The oldest of them. */
  readonly oldest: number;
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
  /** By the clock that is never set. */
  lastMs: number;
};

/** What was due so long ago is renewed again: bouncers behind one address take turns. */
const SHARED_MS = 30_000;
const LOST_MS = 600_000;
/** A bouncer that was away for so long may have been answered by another process meanwhile: it is sent everything. */
const AWAY_MS = 3_600_000;
const WHOLE_TIMES = 3;
const MAX_CLIENTS = 10_000;

type Beginning = { readonly isStartup: boolean; readonly isAlone: boolean; readonly nowMs: number };

const begun = ({ isStartup, isAlone, nowMs }: Beginning): Cursor => ({
  ...{ sent: [], lastWallMs: 0, lastMs: 0 },
  wholeLeft: isStartup ? 0 : WHOLE_TIMES,
  unknownUntilMs: isStartup && isAlone ? Number.NEGATIVE_INFINITY : nowMs + LOST_MS,
});

/** Where a client's own words are kept, they are this long. */
const keyOf = (client: string): string => createHash("sha256").update(client).digest("base64");

/** No bouncer has anything yet. */
export function createCursors(clock: Pick<Clock, "now" | "monotonicMs">): Cursors {
  const cursors = new Map<string, Cursor>();
  const openedMs = clock.monotonicMs();
  return {
    plan: ({ client, isStartup, hasChangesSince, oldest }) => {
      const key = keyOf(client);
      const known = cursors.get(key);
      const first = known?.sent[0]?.generation;
      const sinceMs = known === undefined ? null : known.lastWallMs - SHARED_MS;
      const base = { sinceMs, untilMs: clock.now().getTime() };
      const isUsable =
        known !== undefined &&
        first !== undefined &&
        hasChangesSince(first) &&
        clock.monotonicMs() - known.lastMs < AWAY_MS;
      // Begun anew: else it would be sent everything for ten minutes.
      if (!isUsable) cursors.delete(key);
      if (isStartup || !isUsable || known.wholeLeft > 0) return { ...base, from: null };
      return { ...base, from: clock.monotonicMs() < known.unknownUntilMs ? oldest : first };
    },
    delivered: (client, { plan, generation, isStartup }) => {
      const key = keyOf(client);
      const atMs = clock.monotonicMs();
      const known = cursors.get(key);
      const cursor = known ?? begun({ isStartup, isAlone: atMs - openedMs >= LOST_MS, nowMs: atMs });
      cursor.lastWallMs = Math.max(cursor.lastWallMs, plan.untilMs);
      cursor.lastMs = atMs;
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
