import type { Random } from "../../base/clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/durations.ts";
import type { Retrieved } from "../table.ts";

type Chance = Pick<Random, "bytes">;

/** First wait after an outage; doubled with each further one. */
const FIRST_RETRY_MS = 5 * MINUTE_MS;
/** A missing file is looked for this often: that costs nothing. */
const FILE_RETRY_MS = MINUTE_MS;
/** Longest that a server may make us wait by `Retry-After`. */
const MAX_RETRY_AFTER_MS = 7 * DAY_MS;
const MAX_DOUBLINGS = 16;

/** Why an attempt failed, as far as the next one depends on it. */
export type FailureKind = "outage" | "offline" | "refusal" | "key" | "missing";

/** Milliseconds until the next attempt after a success: `refresh_minutes` ± 10 %, files exactly (catalogue). */
export const waitAfterSuccess = (feed: Retrieved, random: Chance): number => {
  const refreshMs = feed.refreshMinutes * MINUTE_MS;
  return feed.source.kind === "file" ? refreshMs : jittered(refreshMs, random);
};

/**
 * Milliseconds until the next attempt after failure number `failures` in a row (from 1). A host name that cannot be
 * resolved (`offline`) costs the publisher nothing and is looked up every five minutes. An outage (no answer, 5xx) is
 * retried sooner than planned, a refusal (any other status, 404 and 410 among them, content that was rejected) later and later, up to a day, and
 * one of the publisher's key not within the hour;
 * `Retry-After` is the least in either case. Source: catalogue, Transport 3.
 */
export function waitAfterFailure(
  feed: Retrieved,
  failure: { readonly kind: FailureKind; readonly failures: number; readonly retryAfterS: number | null },
  random: Chance,
): number {
  const refreshMs = feed.refreshMinutes * MINUTE_MS;
  if (feed.source.kind === "file")
    return failure.kind === "outage" ? Math.min(refreshMs, FILE_RETRY_MS) : refreshMs;
  const doubled = 2 ** Math.min(failure.failures - 1, MAX_DOUBLINGS);
  const plannedMs =
    failure.kind === "offline"
      ? Math.min(refreshMs, FIRST_RETRY_MS)
      : failure.kind === "outage"
        ? Math.min(refreshMs, FIRST_RETRY_MS * doubled)
        : Math.min(Math.max(refreshMs, DAY_MS), refreshMs * doubled);
  const askedMs = Math.min((failure.retryAfterS ?? 0) * 1000, MAX_RETRY_AFTER_MS);
  const leastMs = failure.kind === "key" ? HOUR_MS : 0;
  return Math.max(jittered(plannedMs, random), askedMs, leastMs);
}

const jittered = (ms: number, random: Chance): number => Math.round(ms * (0.9 + 0.2 * fraction(random)));

/** From 0 to 1, 1 excluded. */
export const fraction = (random: Chance): number => Buffer.from(random.bytes(4)).readUInt32LE(0) / 2 ** 32;

/** Seconds of a `Retry-After` header, which holds seconds or an HTTP date; null when it holds neither. */
export function retryAfterSeconds(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\d+$/.test(header.trim())) return Number(header.trim());
  const untilMs = header.length > 64 ? Number.NaN : Date.parse(header);
  return Number.isNaN(untilMs) ? null : Math.max(0, Math.ceil((untilMs - now.getTime()) / 1000));
}
