import { isoSeconds } from "../base/clock.ts";
import { foldedDate, monthNamed } from "./months.ts";
import type { IsoTime } from "./types.ts";

export type DateOptions = {
  /** Zone of a time that names none, in minutes east of UTC; default 0. */
  readonly zoneMinutes?: number;
  /** What comes first in `04/03/2003`; a date that can be read both ways is none where this is not known. */
  readonly order?: DateOrder | undefined;
};

/** Whether a server writes the day before the month or, as in the United States, the month before the day. */
export type DateOrder = "day" | "month";

type Day = { readonly year: number; readonly month: number; readonly day: number };

/** No date of a registry is longer; what is longer is prose, and not worth a regular expression's time. */
const MAX_LENGTH = 80;

/**
 * An instant as a registry writes it: ISO 8601 with or without zone, `15-Jan-2003`, `2003/01/15 10:20:30 (JST)`,
 * `20030115`, `15.1.2003`, `2003. 01. 15.`, `15 de enero de 2003`, `2003年1月15日`, `Wed Jan 15 10:20:30 UTC 2003`,
 * `before Aug-1996` (the month's first day: the age is then at least what we say). A bare date is 00:00:00Z, a time without
 * zone is UTC. Null: no date, one that cannot be meant (`99/99/9999`, `0000-00-00`, the epoch of an empty column), or one that
 * can be read in two ways (`04/03/2003`, `15-03-24`).
 */
export function parseRegistryDate(text: string, options: DateOptions = {}): IsoTime | null {
  if (text.length > MAX_LENGTH) return null;
  const plain = inOneOrder(foldedDate(text.trim()).slice(0, MAX_LENGTH));
  const [date, rest] = readDay(plain, options.order) ?? [];
  if (date === undefined || rest === undefined || hasAnotherYear(rest, date)) return null;
  const timeOfDay = readTime(rest, options);
  return timeOfDay === null ? null : instantOf(date, timeOfDay);
}

/** `15.01.2003 - 14.01.2027`: which of the two is meant, is not certain. */
const hasAnotherYear = (rest: string, { year }: Day): boolean =>
  /\d-\p{L}{3,12}-\d\d(?!\d)/u.test(rest) ||
  [...rest.matchAll(/(?<!\d)(?:19|20)\d\d(?!\d)/g)].some(([another]) => Number(another) !== year);

/** A record is shorter. */
const MAX_ANSWER_LENGTH = 16_384;

/** `DD/MM/YYYY` and `JJ/MM/AAAA` before or behind a date say how to read it. */
const ORDERS: readonly (readonly [DateOrder, RegExp])[] = [
  ["day", /(?<![a-z])(?:dd?|jj?|tt?)([-/.])mm?\1(?:y|a|j){2,4}(?![a-z])/i],
  ["month", /(?<![a-z])mm?([-/.])dd?\1(?:y|a){2,4}(?![a-z])/i],
];

/**
 * The orders in which an answer writes its dates, as one of its `dates` tells that can only be read so (`12/25/2027`), or the pattern that
 * `answer` shows beside them. Of two, none is certain.
 */
export function ordersIn(dates: readonly string[], answer = ""): readonly DateOrder[] {
  const found = dates.map((text) => NUMBERS_FORM.exec(text.slice(0, MAX_LENGTH).trim())?.groups);
  const whole = found.filter((groups) => groups?.["third"]?.length === 4);
  const isBeyond = (name: "first" | "second") => whole.some((groups) => Number(groups?.[name]) > 12);
  const beginning = answer.slice(0, MAX_ANSWER_LENGTH);
  const told = ORDERS.filter(
    ([order, pattern]) => isBeyond(order === "day" ? "first" : "second") || pattern.test(beginning),
  );
  return told.map(([order]) => order);
}

/** By TLD. */
const countries = new Map<string, DateOrder | undefined>();

/**
 * Day first for the names of a country that writes its dates so in numbers, by the Unicode CLDR. Undefined for all others: where the month
 * or the year comes first at home, registries may write for the world.
 */
export function orderOfCountry(domain: string): DateOrder | undefined {
  const tld = domain.slice(domain.lastIndexOf(".") + 1);
  if (!/^[a-z]{2}$/i.test(tld)) return undefined;
  if (!countries.has(tld)) countries.set(tld, dayFirstIn(tld));
  return countries.get(tld);
}

function dayFirstIn(tld: string): DateOrder | undefined {
  const { language, region } = new Intl.Locale("und", { region: tld }).maximize();
  const written = new Intl.DateTimeFormat(`${language}-${region}`, { dateStyle: "short" }).formatToParts(0);
  const [first, second] = written.flatMap(({ type }) => (type === "literal" ? [] : [type]));
  return first === "day" && second === "month" ? "day" : undefined;
}

/** Drops a weekday and `de` or `of`, and brings the year of `jan 15 10:20:30 utc 2003` to the front. */
function inOneOrder(text: string): string {
  const bare = text
    .replace(/^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*[,.]?\s+|^\p{L}{2,14}, +(?=\d)/u, "")
    .replace(/(?<=[\p{L}\d.]) (?:(?:de|del|of) |d['’])(?=[\p{L}\d])/gu, " ");
  const match =
    /^(\p{L}{3,12}) +(\d{1,2}) +(\d{1,2}:\d\d(?::\d\d)?)(?: +([a-z]{1,5}|[+-]\d{2}:?\d{2}))? +(\d{4})$/u.exec(
      bare,
    );
  if (match === null) return bare;
  const [, month, day, time, zone = "", year] = match;
  return `${year}-${month}-${day} ${time} ${zone}`.trim();
}

const DAY_FORMS: readonly RegExp[] = [
  // 2003-01-15, 2003/1/15, 2003.01.15, 2003. 01. 15., 2003-jan-15.
  /^(?<year>\d{4})(?<separator>[-/.]) ?(?<month>\d{1,2}|\p{L}{3,12})\k<separator> ?(?<day>\d{1,2})/u,
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)/,
  // 2003年1月15日, in Hangul too
  /^(?<year>\d{4}) ?[年년] ?(?<month>\d{1,2}) ?[月월] ?(?<day>\d{1,2}) ?[日일]/,
  // 2003 jan 15, 2003. január 15.
  /^(?<year>\d{4})\.? (?<month>\p{L}{3,12})\.? (?<day>\d{1,2})/u,
  // 15-jan-2003, 15 january 2003, 15th january 2003, 15. märz 2003, 15jan2003, 15-jan-03
  /^(?<day>\d{1,2})(?:st|nd|rd|th|er)?[-/. ]? ?(?<month>\p{L}{3,12})[-/., ]? ?(?<year>\d{4}|\d{2}(?![\d:]| \d{4}))/u,
  // jan 15, 2003
  /^(?<month>\p{L}{3,12})[-. ] ?(?<day>\d{1,2})(?:st|nd|rd|th)?,?[- ] ?(?<year>\d{4})/u,
  /^(?:before )?(?<month>\p{L}{3,12})[-/ ](?<year>\d{4})/u,
  /^before (?<year>\d{4})/,
];
const NUMBERS_FORM =
  /^(?<first>\d{1,2})(?<separator>[-/.]) ?(?<second>\d{1,2})\k<separator> ?(?<third>\d{4}|\d\d(?![\d:]))/;

function readDay(text: string, order: DateOrder | undefined): [Day, string] | null {
  const dated = text.replace(/^before (?=\d{1,2}[-/. ])/, "");
  for (const form of DAY_FORMS) {
    const match = form.exec(dated);
    const groups = match?.groups;
    if (!match || !groups) continue;
    const month = groups["month"] === undefined ? 1 : monthOf(groups["month"]);
    const date = dayOf(yearOf(groups["year"] ?? ""), month, Number(groups["day"] ?? 1));
    if (date !== null) return [date, dated.slice(match[0].length)];
  }
  const match = NUMBERS_FORM.exec(dated);
  const date = match === null ? null : onlyDayOf(match.groups ?? {}, order);
  return match === null || date === null ? null : [date, dated.slice(match[0].length)];
}

/**
 * The only day that three numbers can mean, or with a year of four digits the one that the order tells; between dots the day is first. Null:
 * none, or one of several.
 */
function onlyDayOf(groups: Readonly<Record<string, string>>, order: DateOrder | undefined): Day | null {
  const { first = "", second = "", third = "", separator } = groups;
  const dayFirst = dayOf(yearOf(third), +second, +first);
  const monthFirst = separator === "." ? null : dayOf(yearOf(third), +first, +second);
  const isWhole = third.length === 4;
  const ordered = order === "month" ? monthFirst : order === "day" ? dayFirst : null;
  if (ordered !== null && isWhole) return ordered;
  const yearFirst = isWhole ? null : dayOf(yearOf(first), +second, +third);
  const days = [dayFirst, monthFirst, yearFirst].filter((day) => day !== null);
  return new Set(days.map(({ year, month, day }) => `${year} ${month} ${day}`)).size === 1
    ? (days[0] ?? null)
    : null;
}

/** Of two digits, within a lifetime of the first registries, which opened in 1985; 0 for what lies between. */
function yearOf(digits: string): number {
  const year = Number(digits);
  if (digits.length !== 2) return digits.length === 4 ? year : 0;
  return year >= 85 ? 1900 + year : year < 50 ? 2000 + year : 0;
}

const monthOf = (text: string): number => (/^\d/.test(text) ? Number(text) : monthNamed(text));

function dayOf(year: number, month: number, day: number): Day | null {
  const instant = new Date(Date.UTC(year, month - 1, day));
  // The first registries opened in 1985; what is older is the default of a database.
  const isMeant = year > 1970 && year <= 9999 && instant.getUTCMonth() === month - 1;
  return isMeant && instant.getUTCDate() === day ? { year, month, day } : null;
}

type TimeOfDay = { readonly seconds: number; readonly zoneMinutes: number };

const TIME =
  /^(?:t|[ ,]+(?:at )?)?(\d{1,2}):?(\d\d)(?::?(\d\d))?(?:[.,]\d{1,9})?(?: ?([ap])\.?m(?![a-z])\.?)?(?!\d)(.*)$/;

/** The time after a date; midnight UTC when there is none. Null when what follows makes the date another thing. */
function readTime(rest: string, { zoneMinutes = 0 }: DateOptions): TimeOfDay | null {
  const match = /^(?:t|[ ,]+(?:at )?)?\d{1,2}:|^t?\d{6}(?!\d)/.test(rest) ? TIME.exec(rest) : null;
  if (match === null) return /^$|^[^\da-z]/.test(rest) ? { seconds: 0, zoneMinutes: 0 } : null;
  const [, hourText, minuteText, secondText = "0", half, zone = ""] = match;
  const hour = hourOf(Number(hourText), half);
  const [minute, second] = [Number(minuteText), Number(secondText)];
  if (hour > 23 || minute > 59 || second > 60) return null;
  return { seconds: hour * 3600 + minute * 60 + second, zoneMinutes: zoneOf(zone) ?? zoneMinutes };
}

function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  // `14:54PM` can only be meant so.
  if (hour > 12 && half === "p") return hour;
  if (hour < 1 || hour > 12) return 24;
  return (hour % 12) + (half === "p" ? 12 : 0);
}

/** Zones that registries write as letters, in minutes east of UTC. */
const ZONES: ReadonlyMap<string, number> = new Map([
  ["z", 0],
  ["utc", 0],
  ["gmt", 0],
  ["wet", 0],
  ["west", 60],
  ["bst", 60],
  ["cet", 60],
  ["met", 60],
  ["wat", 60],
  ["cat", 120],
  ["cest", 120],
  ["mest", 120],
  ["idt", 180],
  ["eat", 180],
  ["sast", 120],
  ["eet", 120],
  ["eest", 180],
  ["msk", 180],
  ["trt", 180],
  ["samt", 240],
  ["azt", 240],
  ["amt", 240],
  ["get", 240],
  ["mut", 240],
  ["sct", 240],
  ["ret", 240],
  ["gst", 240],
  ["pkt", 300],
  ["uzt", 300],
  ["tmt", 300],
  ["tjt", 300],
  ["mvt", 300],
  ["npt", 345],
  ["kgt", 360],
  ["almt", 360],
  ["bdt", 360],
  ["btt", 360],
  ["mmt", 390],
  ["ict", 420],
  ["wib", 420],
  ["hkt", 480],
  ["sgt", 480],
  ["pht", 480],
  ["awst", 480],
  ["wita", 480],
  ["ulat", 480],
  ["myt", 480],
  ["jst", 540],
  ["kst", 540],
  ["wit", 540],
  ["acst", 570],
  ["aest", 600],
  ["pgt", 600],
  ["acdt", 630],
  ["aedt", 660],
  ["nct", 660],
  ["sbt", 660],
  ["vut", 660],
  ["fjt", 720],
  ["nzst", 720],
  ["nzdt", 780],
  ["tot", 780],
  ["cvt", -60],
  ["brst", -120],
  ["uyt", -180],
  ["gft", -180],
  ["adt", -180],
  ["pyt", -240],
  ["bot", -240],
  ["vet", -240],
  ["gyt", -240],
  ["pet", -300],
  ["cot", -300],
  ["ect", -300],
  ["cdt", -300],
  ["mdt", -360],
  ["mst", -420],
  ["akdt", -480],
  ["akst", -540],
  ["hst", -600],
  ["brt", -180],
  ["art", -180],
  ["clst", -180],
  ["clt", -240],
  ["edt", -240],
  ["est", -300],
  ["pdt", -420],
  ["pst", -480],
]);

/** The Line Islands are 14 hours ahead of UTC; no zone is farther from it. */
const MAX_ZONE_HOURS = 14;

/** `z`, `+0200`, `+02`, `(utc+8)`, `gmt+0:00`, `(jst)` in minutes east of UTC; null when none is named that exists. */
function zoneOf(text: string): number | null {
  const bare = text.replace(/[()]/g, "").trim();
  const match = /^(?:utc|gmt)? ?([+-])(\d{1,2})(?::?(\d\d))?(?!\d)/.exec(bare);
  if (match === null) return ZONES.get(/^[a-z]+/.exec(bare)?.[0] ?? "") ?? null;
  const [hours, rest] = [Number(match[2]), Number(match[3] ?? 0)];
  if (hours > MAX_ZONE_HOURS || rest > 59) return null;
  const minutes = hours * 60 + rest;
  return match[1] === "-" ? -minutes : minutes;
}

function instantOf({ year, month, day }: Day, { seconds, zoneMinutes }: TimeOfDay): IsoTime | null {
  const instant = new Date(Date.UTC(year, month - 1, day) + seconds * 1000 - zoneMinutes * 60_000);
  return instant.getUTCFullYear() > 9999 ? null : isoSeconds(instant);
}
