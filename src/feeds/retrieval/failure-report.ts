import type { Clock } from "../../base/clock.ts";
import { counted } from "../../base/counted.ts";
import type { Log } from "../../base/log.ts";
import type { Retrieved } from "../table.ts";
import { type Cause, causesOf, UNRESOLVED } from "./causes.ts";

/** Tells the log of built-in lists that could not be retrieved: one line for many, and each list once. */
export type FailureReport = {
  readonly failed: (feed: Retrieved, reason: string) => void;
  readonly succeeded: (feed: Retrieved) => void;
  /** Writes what is due, to be called every second; `isIdle`: no attempt is under way. */
  readonly flush: (isIdle: boolean) => void;
};

/** Longest that a failure waits for others of its cause. */
const GATHER_MS = 20_000;
const SHOWN = 20;

/** Gathers for twenty seconds; the first failures until nothing is under way. */
export function createFailureReport({
  clock,
  log,
}: {
  clock: Pick<Clock, "monotonicMs">;
  log: Log;
}): FailureReport {
  const waiting = new Map<string, { readonly feed: Retrieved; readonly reason: string }>();
  /** Told of, until they succeed. */
  const told = new Map<string, string>();
  let hasSucceeded = false;
  let sinceMs = 0;
  const write = (causes: readonly Cause[]): void => {
    const isOffline = causes.every(({ reason }) => reason === UNRESOLVED);
    const again = isOffline ? "trying again every 5 minutes" : "trying again later";
    const words = causes
      .map(({ reason, keys }) => `${phraseOf(reason)} (${counted(keys.length, "list")})`)
      .join(", ");
    const lists = causes.flatMap(({ keys }) => keys);
    const hosts = [...new Set(causes.flatMap((cause) => cause.hosts))].slice(0, SHOWN);
    const check = causes[0]?.check ?? null;
    const subject = hasSucceeded
      ? `${counted(lists.length, "list")} could not be downloaded`
      : "No list could be downloaded";
    log.warn({ lists: lists.slice(0, SHOWN), hosts, check }, `${subject}: ${words}; ${again}`);
  };
  return {
    failed: (feed, reason) => {
      if (told.get(feed.key) === reason) return;
      if (waiting.size === 0) sinceMs = clock.monotonicMs();
      waiting.set(feed.key, { feed, reason });
    },
    succeeded: ({ key }) => {
      hasSucceeded = true;
      waiting.delete(key);
      if (told.delete(key)) log.info({ list: key }, "A list is updated again");
    },
    flush: (isIdle) => {
      // The first failures are told at once; more of them may follow one by one, as the lists become due.
      const isDue = (isIdle && told.size === 0) || clock.monotonicMs() - sinceMs >= GATHER_MS;
      if (waiting.size === 0 || !isDue) return;
      const rows = [...waiting.values()].map(({ feed, reason }) => ({
        key: feed.key,
        reason,
        host: hostOfSource(feed),
      }));
      for (const { key, reason } of rows) told.set(key, reason);
      waiting.clear();
      write(causesOf(rows));
    },
  };
}

/** Host of a list's URL; null of a file and of the seed. */
export const hostOfSource = ({ source }: Retrieved): string | null =>
  source.kind === "web" ? (URL.parse(source.url)?.host ?? null) : null;

/** Inside a sentence about several lists. */
const phraseOf = (reason: string): string =>
  reason === UNRESOLVED
    ? "host names cannot be resolved"
    : reason.replace(/^[A-Z](?=[a-z])/, (c) => c.toLowerCase());
