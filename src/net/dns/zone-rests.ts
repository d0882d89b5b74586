import type { Clock } from "../../base/clock.ts";
import { type CircuitBreaker, createCircuitBreaker } from "../circuit-breaker.ts";

/** What came of a question: `nothing` where it says nothing of the zone, as its asker left or gave it little time. */
export type ZoneOutcome = "answered" | "silent" | "nothing";

/** A question that may be asked. */
type ZoneQuestion = {
  readonly zone: string;
  readonly holder: string;
  /** Answers that any zone had given when it was asked. */
  readonly answersBefore: number;
};

/** Zones that are left alone because they are silent. */
export type ZoneRests = {
  /** Null: the zone rests. Else `end` must be told what came of it. */
  readonly begin: (zone: string, holder: string) => ZoneQuestion | null;
  readonly end: (question: ZoneQuestion, outcome: ZoneOutcome) => void;
};

/** A zone that is silent. */
type Silent = {
  readonly rest: CircuitBreaker;
  /** Those whose own questions were met by silence. */
  readonly holders: Set<string>;
  /** Answers that any zone had given before the first of the silences in a row, and at the last of them. */
  readonly answersBefore: number;
  answersAtLast: number;
  hasRested: boolean;
  isProbed: boolean;
};

const REST_MS = 30_000;
const MAX_SILENT = 5000;
const MAX_HOLDERS = 1000;

/**
 * Five silences in a row, and a zone rests for 30 seconds; then one question tries it. Two things keep a rest from
 * hurting the innocent. A holder who met no silence of his own asks all the same: else who finds a silent corner of a
 * domain could keep the whole of it from everyone. And when not one answer of any zone came during the silences, it
 * may have been the resolver that was silent: the next answer of any zone ends such a rest. Source: security P22.
 */
export function createZoneRests(clock: Pick<Clock, "monotonicMs">): ZoneRests {
  const silent = new Map<string, Silent>();
  let answers = 0;
  const find = (zone: string): Silent | undefined => {
    const state = silent.get(zone);
    if (state === undefined || !state.hasRested) return state;
    const isOfResolver = state.answersAtLast === state.answersBefore && answers > state.answersAtLast;
    if (!isOfResolver) return state;
    silent.delete(zone);
    return undefined;
  };
  const noteSilence = ({ zone, holder, answersBefore }: ZoneQuestion): void => {
    const state = find(zone) ?? newSilent(clock, answersBefore);
    silent.delete(zone);
    silent.set(zone, state);
    state.rest.noteSilence();
    if (state.holders.size < MAX_HOLDERS) state.holders.add(holder);
    state.answersAtLast = answers;
    state.hasRested ||= state.rest.isResting();
    state.isProbed = false;
    const oldest = silent.keys().next();
    if (silent.size > MAX_SILENT && !oldest.done) silent.delete(oldest.value);
  };
  return {
    begin: (zone, holder) => {
      const state = find(zone);
      return state === undefined || mayAsk(state, holder) ? { zone, holder, answersBefore: answers } : null;
    },
    end: (question, outcome) => {
      if (outcome === "silent") return noteSilence(question);
      if (outcome === "answered") {
        answers++;
        silent.delete(question.zone);
        return;
      }
      const state = silent.get(question.zone);
      if (state !== undefined) state.isProbed = false;
    },
  };
}

const newSilent = (clock: Pick<Clock, "monotonicMs">, answersBefore: number): Silent => ({
  ...{ rest: createCircuitBreaker(clock, REST_MS), holders: new Set(), answersBefore },
  ...{ answersAtLast: answersBefore, hasRested: false, isProbed: false },
});

function mayAsk(state: Silent, holder: string): boolean {
  if (!state.hasRested || !state.holders.has(holder)) return true;
  if (state.rest.isResting() || state.isProbed) return false;
  state.isProbed = true;
  return true;
}
