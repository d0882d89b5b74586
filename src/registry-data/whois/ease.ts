import type { Clock } from "../../base/clock.ts";

/** Servers that asked to be left alone. */
export type Ease = {
  readonly isLeftAlone: (server: string) => boolean;
  /** For as long as it asks for, else for a minute. */
  readonly leaveAlone: (server: string, restSeconds: number | null) => void;
};

/** As long as a registry over RDAP that names no time. Source: design 10. */
const PAUSE_S = 60;

/** Remembers refusals until their time is over; forgets what is over at the next one. */
export function createEase(clock: Pick<Clock, "monotonicMs">): Ease {
  const until = new Map<string, number>();
  return {
    isLeftAlone: (server) => (until.get(server) ?? -Infinity) > clock.monotonicMs(),
    leaveAlone: (server, restSeconds) => {
      const now = clock.monotonicMs();
      for (const [other, untilMs] of until) if (untilMs <= now) until.delete(other);
      until.set(server, now + (restSeconds ?? PAUSE_S) * 1000);
    },
  };
}
