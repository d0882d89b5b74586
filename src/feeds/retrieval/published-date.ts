import { isoSeconds } from "../../base/clock.ts";
import { readWrittenDate } from "../../base/written-date.ts";

const LABEL =
  /^(?:#|;|\/\/|!)+\s*(?:last[ _-]?(?:update|updated|modified|change|changed)|generated(?:[ _-](?:at|on))?|updated(?:[ _-](?:at|on))?|published|date|(?:source|this) file date|time ?updated|timestamp|build[ _-]date)\s*[:=]\s*(\S.*)$/i;
/** A year, month and day, the month as its name or in its place by ISO 8601: `03/04/2026` may be of March or of April. */
const WHOLE_DAY =
  /\b(?:19|20)\d\d[-/]\d{1,2}[-/]\d{1,2}|\b(?:\d{1,2}[ -](?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6} +\d{1,2}\b).*\b(?:19|20)\d\d\b/i;
const HEADER_CHARS = 8192;
const LINE_CHARS = 200;

/**
 * The publisher's own date in the comment lines at a list's head ("# Last update:", "# Generated:", FireHOL's "# Source File
 * Date:" …) as ISO 8601, or null. Without a zone it is read as UTC. One in the future says nothing of the age and is null.
 */
export function publishedDate(text: string, now: Date): string | null {
  for (const line of text.slice(0, HEADER_CHARS).split(/\r?\n|\r/)) {
    const written = LABEL.exec(line.trim().slice(0, LINE_CHARS))?.[1];
    // What holds no whole day ("5 entries", "v4") is no date, whatever `Date.parse` makes of it.
    const instant = written !== undefined && WHOLE_DAY.test(written) ? readWrittenDate(written.trim()) : null;
    if (instant !== null && instant.getTime() <= now.getTime()) return isoSeconds(instant);
  }
  return null;
}

/**
 * A date as publishers write it beside an entry: ISO 8601, `YYYY-MM-DD hh:mm:ss` (UTC), seconds or milliseconds since 1970; as
 * ISO 8601 in UTC, or null.
 */
export function readFeedDate(value: unknown): string | null {
  if (typeof value === "number") return instantOf(value);
  if (typeof value !== "string" || value.length > 40) return null;
  const text = value.trim();
  if (/^\d{9,13}(\.\d{1,9})?$/.test(text)) return instantOf(Number(text));
  const instant = /^\d{4}-\d\d-\d\d/.test(text) ? readWrittenDate(text) : null;
  return instant === null ? null : isoSeconds(instant);
}

/** From 1973 on, where seconds and milliseconds cannot be mistaken for each other. */
function instantOf(since1970: number): string | null {
  const seconds = since1970 >= 1e11 ? since1970 / 1000 : since1970;
  return seconds > 1e8 && seconds < 1e10 ? isoSeconds(new Date(seconds * 1000)) : null;
}

/** A date that says how old something is: none of the future does. */
export const pastOrNull = (iso: string, now: Date): string | null =>
  Date.parse(iso) <= now.getTime() ? iso : null;
