import type { Clock } from "../../clock.ts";

/** Servers that asked to be left alone. */
export type Ease = {
  readonly isLeftAlone: (server: string) => boolean;
  readonly leaveAlone: (server: string) => void;
};

/** As long as a registry over RDAP that names no time. Source: design 10. */
const PAUSE_MS = 60_000;

/** Remembers refusals for a minute; forgets what is over at the next one. */
export function createEase(clock: Pick<Clock, "monotonicMs">): Ease {
  const until = new Map<string, number>();
  return {
    isLeftAlone: (server) => (until.get(server) ?? -Infinity) > clock.monotonicMs(),
    leaveAlone: (server) => {
      const now = clock.monotonicMs();
      for (const [other, untilMs] of until) if (untilMs <= now) until.delete(other);
      until.set(server, now + PAUSE_MS);
    },
  };
}
