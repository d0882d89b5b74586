/** A zone at the end, or by a name that `Date.parse` knows anywhere. */
const ZONE = /(?:Z|[+-]\d\d:?\d\d)$|\b(?:UTC|GMT|[ECMP][DS]T)\b/i;
/** The name of a zone behind its offset, as mails write it: `+0100 (CET)`. */
const ZONE_NOTE = /(?<=[+-]\d\d:?\d\d) *\([a-z]{2,5}\)$/i;
/** In brackets its name is a remark to `Date.parse`, which then goes by the machine's own zone. */
const ZONE_IN_BRACKETS = /\((UTC|GMT|[ECMP][DS]T)\)/i;
const MAX_LENGTH = 200;

const DAY_FORMS: readonly RegExp[] = [
  /\b(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})/,
  /\b(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})\b/,
  /\b(?<year>\d{4})[ -](?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}[ -](?<day>\d{1,2})\b/i,
  /\b(?<day>\d{1,2})[ -](?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}[ .,-]{1,3}(?<year>\d{4}|\d\d)\b(?!:)/i,
  /\b(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? {1,3}(?<day>\d{1,2})\b.*\b(?<year>\d{4})\b/i,
];
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/**
 * A date as programs write it: ISO 8601 and what else `Date.parse` reads, UTC where no zone is named. Null: none, one before
 * 1970 or after the year 9999, or a day that no calendar has, which `Date.parse` takes for one of the next month.
 */
export function readWrittenDate(text: string): Date | null {
  if (text.length > MAX_LENGTH || !isOfCalendar(text)) return null;
  const bare = text.replace(ZONE_NOTE, "").replace(ZONE_IN_BRACKETS, "$1");
  const zoned = ZONE.test(bare) ? bare : `${bare.replace(/^(\d{4}-\d\d-\d\d)T/, "$1 ")} UTC`;
  const instant = new Date(Date.parse(zoned));
  return instant.getTime() >= 0 && instant.getUTCFullYear() <= 9999 ? instant : null;
}

/** False of 31 February, whatever the order in which it is written. */
function isOfCalendar(text: string): boolean {
  for (const form of DAY_FORMS) {
    const { year, month = "", day } = form.exec(text)?.groups ?? {};
    if (year === undefined) continue;
    const number = MONTHS.indexOf(month.toLowerCase()) + 1 || Number(month);
    return Number(day) <= new Date(Date.UTC(Number(year), number, 0)).getUTCDate();
  }
  return true;
}
