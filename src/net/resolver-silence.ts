import type { Clock } from "../clock.ts";

/** Whether the resolvers answer anything at all. */
export type ResolverSilence = {
  /** True while nothing need be asked: no resolver would answer. Sees to it that this is looked at again. */
  readonly isSilent: () => boolean;
  /** Whatever it says. */
  readonly noteAnswer: () => void;
  /** A question of this zone had all its time, and no resolver answered. */
  readonly noteSilence: (zone: string) => void;
};

export type SilenceParts = {
  readonly clock: Pick<Clock, "monotonicMs">;
  /** Asks what every resolver answers at once; calls back with whether one did. */
  readonly probe: (end: (isAnswered: boolean) => void) => void;
};

/** Silent servers of one holder's zones are not enough to begin to doubt the resolver. */
const SILENT_ZONES = 5;
const LOOK_EVERY_MS = 1000;

/**
 * Questions of five zones that met silence with no answer between them, and the resolvers are asked what needs no other
 * server. Silence again, and they count as silent for everybody, until that question, asked every second while there
 * are callers, is answered. Who holds zones that are silent can therefore not make a resolver seem so. Source: RFC 9520.
 */
export function createResolverSilence({ clock, probe }: SilenceParts): ResolverSilence {
  const zones = new Set<string>();
  let answers = 0;
  let isSilent = false;
  let isProbing = false;
  let lookAtMs = 0;
  const noteAnswer = (): void => {
    answers++;
    isSilent = false;
    if (zones.size > 0) zones.clear();
  };
  const look = (): void => {
    if (isProbing) return;
    isProbing = true;
    const before = answers;
    probe((isAnswered) => {
      isProbing = false;
      lookAtMs = clock.monotonicMs() + LOOK_EVERY_MS;
      if (isAnswered) noteAnswer();
      else isSilent = answers === before;
    });
  };
  return {
    noteAnswer,
    noteSilence: (zone) => {
      if (isSilent) return;
      if (zones.size < SILENT_ZONES) zones.add(zone);
      if (zones.size >= SILENT_ZONES) look();
    },
    isSilent: () => {
      if (isSilent && clock.monotonicMs() >= lookAtMs) look();
      return isSilent;
    },
  };
}
