import { type Clock, isoSeconds } from "../../base/clock.ts";
import { createCircuitBreaker } from "../../net/circuit-breaker.ts";
import type { UnavailableStatus } from "../kind.ts";

/** What a zone said last: `ok`, or why it cannot answer. */
export type Condition = "ok" | Exclude<UnavailableStatus, "stale">;

/** How a zone has been doing. */
export type ZoneState = {
  /** Null: it was never asked. */
  readonly condition: () => Condition | null;
  /** ISO 8601: when the present condition began; now when it is another one. */
  readonly sinceOf: (condition: Condition) => string;
  readonly detail: () => string;
  /** Keeps what came of a question or a test. */
  readonly note: (condition: Condition, detail: string) => void;
  /** Whether the zone is left alone now: too many time-outs in a row. */
  readonly isResting: () => boolean;
};

const REST_MS = 60_000;

/** The state of a zone that was never asked. Source: design 3.1, 3.5. */
export function createZoneState(clock: Pick<Clock, "now" | "monotonicMs">): ZoneState {
  let condition: Condition | null = null;
  let detail = "";
  let since = "";
  const rest = createCircuitBreaker(clock, REST_MS);
  const nowText = () => isoSeconds(clock.now());
  return {
    condition: () => condition,
    sinceOf: (other) => (other === condition ? since : nowText()),
    detail: () => detail,
    note: (next, words) => {
      if (next !== condition) since = nowText();
      condition = next;
      detail = words;
      if (next === "timeout") rest.noteSilence();
      else rest.noteAnswer();
    },
    isResting: rest.isResting,
  };
}
