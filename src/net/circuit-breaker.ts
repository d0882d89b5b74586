import type { Clock } from "../base/clock.ts";

/** Someone that is left alone after too many silences in a row. */
export type CircuitBreaker = {
  readonly noteSilence: () => void;
  readonly noteAnswer: () => void;
  readonly isResting: () => boolean;
};

const SILENCES_BEFORE_REST = 5;

/** Not resting. Each silence after the fifth begins a rest of `restMs` anew. */
export function createCircuitBreaker(clock: Pick<Clock, "monotonicMs">, restMs: number): CircuitBreaker {
  let silences = 0;
  let restUntilMs = Number.NEGATIVE_INFINITY;
  return {
    noteSilence: () => {
      if (++silences >= SILENCES_BEFORE_REST) restUntilMs = clock.monotonicMs() + restMs;
    },
    noteAnswer: () => {
      silences = 0;
    },
    isResting: () => clock.monotonicMs() < restUntilMs,
  };
}
