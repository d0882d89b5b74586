/** What a list's number counts, unless the definition says otherwise. */
const LISTS = "lists";
/** Nothing longer is a count. */
const MAX_COUNT_CHARS = 40;

/**
 * The reason of an entry that a list gives a number for: "Named by 10 lists", "Counted 35 attacks". `unit` is the plural
 * of what is counted. Null for what is no whole number from 1 to 999,999,999.
 */
export function countReason(value: unknown, unit = LISTS): string | null {
  const text = typeof value === "number" ? String(value) : typeof value === "string" ? value.trim() : "";
  if (text.length > MAX_COUNT_CHARS || !/^[1-9]\d{0,8}$/.test(text)) return null;
  const counted = `${text} ${text === "1" ? unit.replace(/s$/, "") : unit}`;
  return unit === LISTS ? `Named by ${counted}` : `Counted ${counted}`;
}

const COUNT = /^(?:Named by|Counted) [1-9]\d{0,8} [a-z]{2,24}(?=$|: )/;

/** The count at the start of an entry's reason, as it stands within a sentence: "named by 10 lists"; else null. */
export function countIn(reason: string | null): string | null {
  const found = reason === null ? undefined : COUNT.exec(reason)?.[0];
  return found === undefined ? null : `${found[0]?.toLowerCase() ?? ""}${found.slice(1)}`;
}
