import { ageSeconds } from "../base/clock.ts";
import { DAY_S, HOUR_S } from "../base/durations.ts";
import type { ListState } from "../blocklist-index/types.ts";

/** How long the content of a list is fresh, and how long it may answer. All by whole seconds, as answers show ages. */
export type Lifetime = {
  /** What the age counts from, milliseconds since 1970. */
  readonly asOfMs: number;
  readonly staleAfterS: number;
  readonly endsAfterS: number;
};

/**
 * The lifetime of a list's content. A seed counts from its publisher's date and lasts 400 days; a retrieved list from its
 * retrieval, or from the publisher's own date inside it when that is older. Source: design 3.4.
 */
export function lifetimeOf(
  { seed, retrievedAt, publishedAt }: Pick<ListState, "seed" | "retrievedAt" | "publishedAt">,
  refreshMinutes: number,
): Lifetime {
  const dates = [seed ? null : retrievedAt, publishedAt].filter((date) => date !== null);
  return {
    asOfMs: dates.length === 0 ? 0 : Math.min(...dates.map((date) => Date.parse(date))),
    staleAfterS: staleAfterS(refreshMinutes),
    endsAfterS: seed ? 400 * DAY_S : Math.max(24 * 60 * refreshMinutes, 7 * DAY_S),
  };
}

/** Also of tables. */
export const staleAfterS = (refreshMinutes: number): number => Math.max(3 * 60 * refreshMinutes, HOUR_S);

export const isStale = (
  { asOfMs, staleAfterS: limitS }: Omit<Lifetime, "endsAfterS">,
  nowMs: number,
): boolean => ageSeconds(asOfMs, nowMs) > limitS;

/** Whether it is too old to answer. */
export const isOver = ({ asOfMs, endsAfterS }: Lifetime, nowMs: number): boolean =>
  ageSeconds(asOfMs, nowMs) > endsAfterS;
