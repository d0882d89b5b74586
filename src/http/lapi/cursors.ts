import type { Clock } from "../../clock.ts";

/*
 * What each bouncer has. It never says so, and an answer that left here may be lost on its way, so that a bouncer is taken to have
 * a generation only ten minutes after it was sent: until then every answer tells again what changed since the one before.
 * Telling a bouncer what it has changes nothing.
 */

/** What a bouncer is to be sent. */
export type Plan = {
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
};

export type Cursors = {
  readonly plan: (poll: Poll) => Plan;
  /** The whole of an answer left. */
  readonly delivered: (client: string, delivery: Delivery) => void;
};

export type Delivery = {
  readonly plan: Plan;
  readonly generation: number;
  readonly isStartup: boolean;
};

type Sent = { readonly generation: number; readonly atMs: number };
type Cursor = {
  /** Oldest first, each generation once, by when it was sent first. */
  readonly sent: Sent[];
  /** Answers with everything that are still to be sent: a bouncer that was not known does not ask again for one it lost. */
  wholeLeft: number;
  lastWallMs: number;
};

const LOST_MS = 600_000;
const WHOLE_TIMES = 3;
const MAX_CLIENTS = 10_000;

/** Nobody has anything yet. */
export function createCursors(clock: Pick<Clock, "now" | "monotonicMs">): Cursors {
  const cursors = new Map<string, Cursor>();
  return {
    plan: ({ client, isStartup, hasChangesSince }) => {
      const known = cursors.get(client);
      const first = known?.sent[0]?.generation;
      const base = { sinceMs: known?.lastWallMs ?? null, untilMs: clock.now().getTime() };
      if (isStartup || known === undefined || first === undefined) return { ...base, from: null };
      if (known.wholeLeft === 0 && hasChangesSince(first)) return { ...base, from: first };
      // Begun anew: else it would be sent everything for ten minutes.
      if (!hasChangesSince(first)) cursors.delete(client);
      return { ...base, from: null };
    },
    delivered: (client, { plan, generation, isStartup }) => {
      const atMs = clock.monotonicMs();
      const known = isStartup ? undefined : cursors.get(client);
      const cursor = known ?? { sent: [], wholeLeft: isStartup ? 0 : WHOLE_TIMES, lastWallMs: 0 };
      cursor.lastWallMs = plan.untilMs;
      if (plan.from === null) cursor.wholeLeft = Math.max(0, cursor.wholeLeft - 1);
      if (cursor.sent.at(-1)?.generation !== generation) cursor.sent.push({ generation, atMs });
      // The oldest that counts is the newest one that was sent long ago.
      while ((cursor.sent[1]?.atMs ?? Number.POSITIVE_INFINITY) <= atMs - LOST_MS) cursor.sent.shift();
      cursors.delete(client);
      cursors.set(client, cursor);
      const [oldest] = cursors.keys();
      if (cursors.size > MAX_CLIENTS && oldest !== undefined) cursors.delete(oldest);
    },
  };
}
