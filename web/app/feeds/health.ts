import type { Shapes } from "../../api/types.gen.ts";
import { formatDate } from "../../ui/format.ts";

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

/** Whether it answers as it should, though what was retrieved last is not what it answers from. */
export const isBehind = ({ status, last_error: error }: Feed): boolean => status === "ok" && error !== null;

/** Whether it was not tried so far, or is being loaded: nothing failed. */
const isAwaited = ({ status, last_error: error }: Feed): boolean => status === "never" && error === null;

/** How an engine fares: off, without an answer, with an old one, or well. */
export function healthOf(feed: Feed): Health {
  if (feed.status === "disabled") return "off";
  if (feed.status === "ok") return isBehind(feed) ? "warn" : "good";
  if (feed.status === "stale" || isAwaited(feed)) return "warn";
  const old = intervalsOld(feed);
  // An attempt failed, yet what came before still counts.
  return old !== null && old <= STALE_AFTER ? "warn" : "bad";
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ["ok", "Healthy"],
  ["never", "Never loaded"],
  ["stale", "Old data"],
  ["disabled", "Off"],
  ["error", "Failed"],
  ["timeout", "Timed out"],
  ["refused", "Refused"],
  ["gone", "Gone"],
  ["self_test_failed", "Self-test failed"],
]);

/** Its state in words. */
export function stateOf(feed: Feed): string {
  if (isBehind(feed)) return "Last download failed";
  if (isAwaited(feed)) return feed.kind === "dnsbl" ? "Not asked yet" : "Not loaded yet";
  // Retrieved, and not in the index that answers.
  if (feed.status === "error" && feed.last_error === null && feed.kind !== "dnsbl") return "Not loaded yet";
  return WORDS.get(feed.status) ?? feed.status;
}

/** What answers though the last download failed; empty where nothing does, or none failed. */
export function stillOf({ status, last_error: error, seed, data_age_s: ageS }: Feed, nowMs: number): string {
  if (error === null || ageS === null || (status !== "ok" && status !== "stale")) return "";
  const day = formatDate(new Date(nowMs - ageS * 1000).toISOString());
  return `still answers from ${seed ? "the shipped data" : "the data"} of ${day}`;
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
