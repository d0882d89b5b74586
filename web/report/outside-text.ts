/** Longest text of others that a page shows. */
export const SHOWN = 300;
/** What was looked up is shown up to here: every domain name is shown whole. */
export const LONGEST_TARGET = 255;

// Orders the letters around it anew, is not seen at all, or ends a line where none ends.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;
const SPACES = /\s+/g;

/**
 * JSON text in which every sign that no eye sees or that turns text around is spelt out, save line ends; it stays the same
 * JSON.
 */
export const visibleJson = (json: string): string =>
  json.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu, (sign) =>
    [...Array(sign.length).keys()]
      .map((at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join(""),
  );

/** A text of others as one line that shows what it holds: no control, direction or invisible sign, cut at `most`. */
export function plain(text: string, most = SHOWN): string {
  const seen = text
    .slice(0, most * 4)
    .replace(SPACES, " ")
    .replace(UNSEEN, "�")
    .trim();
  const signs = [...seen];
  return signs.length <= most ? seen : `${signs.slice(0, most - 1).join("")}…`;
}
