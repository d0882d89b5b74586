const grouped = new Intl.NumberFormat("en");

/** `1,500`. */
export const count = (value: number): string => grouped.format(value);

/** `1 engine`, `52 engines`; `1 entry`, `52 entries`. */
export const counted = (value: number, noun: string, plural = `${noun}s`): string =>
  `${count(value)} ${value === 1 ? noun : plural}`;

const YEAR_DAYS = 365.25;

/** `27 years`, `40 days`: whole years above one. */
export function ageInDays(days: number): string {
  return days >= 2 * YEAR_DAYS ? counted(Math.floor(days / YEAR_DAYS), "year") : counted(days, "day");
}

/** `120 B`, `4.2 kB`, `1.3 MB`. */
export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Seconds from one ISO 8601 instant to another; null when either is none. */
export function secondsBetween(from: string | null, to: string): number | null {
  const seconds = from === null ? Number.NaN : (Date.parse(to) - Date.parse(from)) / 1000;
  return Number.isFinite(seconds) ? seconds : null;
}

/** `30 Dec 2026`, in UTC; the text itself where it is no date. */
export function day(iso: string): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  return new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  }).format(at);
}

/** `a_snake_case_word` as words. */
export const words = (name: string): string => name.replaceAll("_", " ");

const LEVELS: Readonly<Record<string, string>> = {
  ip: "exact address",
  network: "its network",
  embedded_ipv4: "the IPv4 address in it",
  domain: "exact name",
  registered_domain: "its registered domain",
  url: "exact URL",
  url_host: "host of the URL",
  email: "exact address",
};

/** How closely a list's entry matches, in words. */
export const closeness = (level: string): string => LEVELS[level] ?? words(level);

/** With its first letter as a capital. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
