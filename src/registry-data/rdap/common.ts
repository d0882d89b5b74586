import { parseRegistryDate } from "../dates.ts";
import type { IsoTime } from "../types.ts";
import { type Json, memberOf, objectsOf, sortedUnique, textOf, textsOf, webUrlOf } from "./json.ts";

/** The instants of an object's events of these actions, in order of time (RFC 9083 4.5). */
function eventsOf(object: Json, ...actions: readonly string[]): readonly IsoTime[] {
  const dates = objectsOf(object, "events")
    .filter((event) => actions.includes(textOf(event, "eventAction")?.toLowerCase() ?? ""))
    .map((event) => parseRegistryDate(textOf(event, "eventDate") ?? ""))
    .filter((date) => date !== null);
  return sortedUnique(dates);
}

/**
 * When an object came to be and when it changed last. `last update of rdap database` is another thing and never
 * taken for the object's change (design 10). Of several registrations the latest counts, a registration anew (`reregistration`)
 * among them: an earlier one may be another holder's, and a young domain must not look old.
 */
export const datesOf = (object: Json) => ({
  registration: eventsOf(object, "registration", "reregistration").at(-1) ?? null,
  expiration: eventsOf(object, "expiration").at(-1) ?? null,
  lastChanged: eventsOf(object, "last changed").at(-1) ?? null,
});

/** An object's links (RFC 9083 4.2), the relation in lower case. */
export const linksOf = (object: unknown): readonly { rel: string; type: string; href: string }[] =>
  objectsOf(object, "links").flatMap((link) => {
    const href = webUrlOf(memberOf(link, "href"));
    const rel = textOf(link, "rel")?.toLowerCase() ?? "";
    return href === null ? [] : [{ rel, type: textOf(link, "type")?.toLowerCase() ?? "", href }];
  });

/** The page of the terms: a notice's link that says so, else the first link of a notice titled so. */
export function termsOf(object: Json): string | null {
  const notices = [...objectsOf(object, "notices"), ...objectsOf(object, "remarks")];
  const marked = notices.flatMap(linksOf).find(({ rel }) => rel.startsWith("terms-of-"));
  if (marked !== undefined) return marked.href;
  const titled = notices.filter((notice) => /\bterms\b|\bconditions\b/i.test(textOf(notice, "title") ?? ""));
  const pages = titled.flatMap(linksOf).filter(({ type }) => !type.includes("json"));
  return pages[0]?.href ?? null;
}

const MAX_REMARKS = 20;
const MAX_REMARK_LENGTH = 2000;

/** The object's remarks, one text each: its lines joined by a line break, cut at 2,000 characters. */
export const remarksOf = (object: Json): readonly string[] => titledRemarksOf(object).map(({ text }) => text);

/** The same remarks with their titles in lower case, empty where there is none. */
export const titledRemarksOf = (object: Json): readonly { title: string; text: string }[] =>
  objectsOf(object, "remarks")
    .slice(0, MAX_REMARKS)
    .map((remark) => ({
      title: textOf(remark, "title")?.toLowerCase() ?? "",
      text: textsOf(remark, "description").join("\n").slice(0, MAX_REMARK_LENGTH).toWellFormed(),
    }))
    .filter(({ text }) => text !== "");
