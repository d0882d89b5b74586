import type { Clock } from "../../base/clock.ts";
import { type Unavailable, unavailable } from "../../base/failure.ts";

const outage = (reason: Unavailable["reason"], what: string): Unavailable => ({
  ...unavailable("dns", reason, `The resolvers ${what}: they are looked at again within seconds`),
  isRepeated: true,
});

/** How resolvers fail, and what is said then. */
const OUTAGES = {
  /** Nothing came. */
  silent: outage("timeout", "answer nothing"),
  /** They could not find an answer. */
  servfail: outage("error", "answer SERVFAIL to every question"),
  /** They did not look for one. */
  refused: outage("error", "refuse every question or cannot be reached"),
};

export type ResolverFailure = keyof typeof OUTAGES;

/** Whether the resolvers answer anything at all. */
export type ResolverOutage = {
  /** What questions end in, unasked, while no resolver would answer; null: they are asked. */
  readonly current: () => Unavailable | null;
  /** A question is asked. Of those that meet an outage one a second is, and the root beside it. */
  readonly noteAsked: () => void;
  /** Whatever it says, but that the resolver failed. */
  readonly noteAnswer: () => void;
  /** A question of this zone had all its time, or all resolvers failed. */
  readonly noteFailure: (zone: string, how: ResolverFailure) => void;
  /** Ends what is under way. */
  readonly close: () => void;
};

export type OutageParts = {
  readonly clock: Pick<Clock, "monotonicMs">;
  /** Asks what every resolver answers at once; calls back with how that failed. What it returns gives it up. */
  readonly probe: (end: (failure: ResolverFailure | null) => void) => () => void;
};

/** Failing servers of one holder's zones are not enough to begin to doubt the resolver. */
const FAILING_ZONES = 5;
const LOOK_EVERY_MS = 1000;

/**
 * Questions of five zones that failed alike with no answer between them, and the resolvers are asked what needs no other
 * server. The same failure again, and all questions fail for everybody: while there are callers, that question and one of
 * theirs is asked each second, and the first answer ends it. Who holds zones that fail can therefore not make a
 * resolver seem so, and a resolver that fails at the probe alone is asked the callers' questions. Decision 0016.
 */
export function createResolverOutage({ clock, probe }: OutageParts): ResolverOutage {
  const zones = new Set<string>();
  /** Of the zones. */
  let how: ResolverFailure = "silent";
  let answers = 0;
  let current: Unavailable | null = null;
  let lookAtMs = 0;
  /** Null: no probe is under way. */
  let giveUp: (() => void) | null = null;
  const noteAnswer = (): void => {
    answers++;
    current = null;
    if (zones.size > 0) zones.clear();
  };
  const look = (): void => {
    if (giveUp !== null) return;
    const before = answers;
    let isOver = false;
    const stop = probe((failure) => {
      isOver = true;
      giveUp = null;
      if (failure === null || (current === null && failure !== how)) noteAnswer();
      else if (answers === before) {
        if (current === null) lookAtMs = clock.monotonicMs() + LOOK_EVERY_MS;
        current = OUTAGES[failure];
      }
    });
    if (!isOver) giveUp = stop;
  };
  return {
    noteAnswer,
    current: () => (current !== null && clock.monotonicMs() < lookAtMs ? current : null),
    noteAsked: () => {
      if (current === null || clock.monotonicMs() < lookAtMs) return;
      lookAtMs = clock.monotonicMs() + LOOK_EVERY_MS;
      look();
    },
    noteFailure: (zone, failure) => {
      if (current !== null) return;
      if (failure !== how) zones.clear();
      how = failure;
      if (zones.size < FAILING_ZONES) zones.add(zone);
      if (zones.size >= FAILING_ZONES) look();
    },
    close: () => giveUp?.(),
  };
}
