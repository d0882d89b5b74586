import { HOUR_MS } from "../base/durations.ts";

const REST_MS = HOUR_MS;

/** What the provider did not answer about is not asked again for an hour: neither does it wait behind others, nor they behind it. */
export type Rests = {
  readonly isResting: (id: string, nowMs: number) => boolean;
  readonly rest: (id: string, nowMs: number) => void;
};

export function createRests(): Rests {
  const restsUntilMs = new Map<string, number>();
  return {
    isResting: (id, nowMs) => {
      const isOver = (restsUntilMs.get(id) ?? nowMs) <= nowMs;
      if (isOver) restsUntilMs.delete(id);
      return !isOver;
    },
    rest: (id, nowMs) => void restsUntilMs.set(id, nowMs + REST_MS),
  };
}
