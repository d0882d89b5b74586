import type { Clock } from "../../base/clock.ts";

/** Whether the resolvers answer anything at all. */
export type ResolverSilence = {
  /** True while nothing need be asked: no resolver would answer. */
  readonly isSilent: () => boolean;
  /** A question is asked. Of those that meet a silent resolver one a second is, and the root beside it. */
  readonly noteAsked: () => void;
  /** Whatever it says. */
  readonly noteAnswer: () => void;
  /** A question of this zone had all its time, and no resolver answered. */
  readonly noteSilence: (zone: string) => void;
  /** Ends what is under way. */
  readonly close: () => void;
};

export type SilenceParts = {
  readonly clock: Pick<Clock, "monotonicMs">;
  /** Asks what every resolver answers at once; calls back with whether one did. What it returns gives it up. */
  readonly probe: (end: (isAnswered: boolean) => void) => () => void;
};

/** Silent servers of one holder's zones are not enough to begin to doubt the resolver. */
const SILENT_ZONES = 5;
const LOOK_EVERY_MS = 1000;

/**
 * Questions of five zones that met silence with no answer between them, and the resolvers are asked what needs no other
 * server. Silence again, and they count as silent for everybody: while there are callers, that question and one of
 * theirs is asked each second, and the first answer ends it. Who holds zones that are silent can therefore not make a
 * resolver seem so, and a resolver that keeps silent about the probe alone is asked the callers' questions. Decision 0016.
 */
export function createResolverSilence({ clock, probe }: SilenceParts): ResolverSilence {
  const zones = new Set<string>();
  let answers = 0;
  let isSilent = false;
  let lookAtMs = 0;
  /** Null: no probe is under way. */
  let giveUp: (() => void) | null = null;
  const noteAnswer = (): void => {
    answers++;
    isSilent = false;
    if (zones.size > 0) zones.clear();
  };
  const look = (): void => {
    if (giveUp !== null) return;
    const before = answers;
    giveUp = probe((isAnswered) => {
      giveUp = null;
      if (isAnswered) noteAnswer();
      else if (answers === before) {
        if (!isSilent) lookAtMs = clock.monotonicMs() + LOOK_EVERY_MS;
        isSilent = true;
      }
    });
  };
  return {
    noteAnswer,
    isSilent: () => isSilent && clock.monotonicMs() < lookAtMs,
    noteAsked: () => {
      if (!isSilent || clock.monotonicMs() < lookAtMs) return;
      lookAtMs = clock.monotonicMs() + LOOK_EVERY_MS;
      look();
    },
    noteSilence: (zone) => {
      if (isSilent) return;
      if (zones.size < SILENT_ZONES) zones.add(zone);
      if (zones.size >= SILENT_ZONES) look();
    },
    close: () => giveUp?.(),
  };
}
