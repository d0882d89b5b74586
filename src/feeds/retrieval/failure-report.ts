import type { Clock } from "../../base/clock.ts";
import { counted } from "../../base/counted.ts";
import type { Log } from "../../base/log.ts";
import type { Retrieved } from "../table.ts";
import { type Cause, causesOf, UNRESOLVED } from "./causes.ts";

/**
 * Tells the log of lists that could not be retrieved, each list once for one reason: of built-in ones one line for many, of the
 * operator's own each by itself, with what is wrong.
 */
export type FailureReport = {
  readonly failed: (feed: Retrieved, reason: string) => void;
  /** `wasFailing`: at the attempt before, which may be of another process or of before a restart. */
  readonly succeeded: (feed: Retrieved, wasFailing: boolean) => void;
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
  const own = createOwnReport(log);
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
      if (!feed.builtin) return own.failed(feed.key, reason);
      if (told.get(feed.key) === reason) return;
      if (waiting.size === 0) sinceMs = clock.monotonicMs();
      waiting.set(feed.key, { feed, reason });
    },
    succeeded: ({ key, builtin }, wasFailing) => {
      hasSucceeded ||= builtin;
      waiting.delete(key);
      if (builtin ? told.delete(key) : own.succeeded(key) || wasFailing)
        log.info({ list: key }, "A list is updated again");
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

function createOwnReport(log: Log) {
  const told = new Map<string, string>();
  return {
    failed: (list: string, reason: string): void => {
      const isTold = told.get(list) === reason;
      told.set(list, reason);
      if (isTold) log.debug({ list, reason }, "Still cannot update a list");
      else log.warn({ list, reason }, "Cannot update a list");
    },
    /** Whether it was told of. */
    succeeded: (list: string): boolean => told.delete(list),
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
