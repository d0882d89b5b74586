import type { Shapes } from "../../api/types.gen.ts";

export type Feed = Shapes["FeedView"];
export type Health = "bad" | "warn" | "good" | "off";

/** It clears a target and accuses none: no engine of a report. */
export const isAllowlist = ({ kind }: Feed): boolean => kind === "allow";

/** It tells places and networks, and accuses none. */
export const isTable = ({ kind }: Feed): boolean => kind === "table";

const STALE_AFTER = 3;

/**
 * How old the data is, in refresh intervals; null where nothing is retrieved or nothing came so far, and of tables, which are
 * looked for more often than they are published.
 */
export function intervalsOld(feed: Feed): number | null {
  const { data_age_s: ageS, refresh_minutes: minutes } = feed;
  if (isTable(feed)) return null;
  return ageS === null || minutes === null || minutes === 0 ? null : ageS / (minutes * 60);
}

/** How an engine fares: off, without an answer, with an old one, or well. */
export function healthOf(feed: Feed): Health {
  if (feed.status === "disabled") return "off";
  if (feed.status === "ok") return feed.last_error === null ? "good" : "warn";
  if (feed.status === "stale") return "warn";
  const old = intervalsOld(feed);
  // An attempt failed, yet what came before still counts.
  return old !== null && old <= STALE_AFTER ? "warn" : "bad";
}

const ORDER: Readonly<Record<Health, number>> = { bad: 0, warn: 1, good: 2, off: 3 };

/** Trouble first: what gives no answer, then what is old, the oldest of each first. */
export function byTrouble(feeds: readonly Feed[]): readonly Feed[] {
  return feeds.toSorted(
    (a, b) =>
      ORDER[healthOf(a)] - ORDER[healthOf(b)] ||
      (intervalsOld(b) ?? 0) - (intervalsOld(a) ?? 0) ||
      a.name.localeCompare(b.name),
  );
}

/** Counts of each health. */
export function countHealth(feeds: readonly Feed[]): Readonly<Record<Health, number>> {
  const counts = { bad: 0, warn: 0, good: 0, off: 0 };
  for (const feed of feeds) counts[healthOf(feed)] += 1;
  return counts;
}
