import { readRefresh } from "../../net/http/http-redirect.ts";

/**
 * Which of two `content`s of `<meta http-equiv="refresh">` a page obeys: as browsers do, the one that comes first in time,
 * of two at the same time the later one, and none that is no refresh or leads out of the web.
 */
export function sooner(present: string | null, next: string): string | null {
  const afterS = timeOf(next);
  const presentS = present === null ? null : timeOf(present);
  if (afterS === null) return present ?? next;
  return presentS === null || afterS <= presentS ? next : present;
}

const ANYWHERE = "https://page.invalid/";

/** Null: it is passed over. */
function timeOf(content: string): number | null {
  const refresh = readRefresh(content);
  const protocol = refresh && URL.parse(refresh.target, ANYWHERE)?.protocol;
  return refresh !== null && (protocol === "http:" || protocol === "https:") ? refresh.afterS : null;
}
