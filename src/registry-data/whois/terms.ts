const MAX_LINES = 500;
const MAX_LINE_LENGTH = 1000;
/** How many lines a link may stand below the words that announce it. */
const MAX_DISTANCE = 2;

/** The first link that a line about terms of use holds or announces, or whose own words speak of them; else null. */
export function termsUrlOf(text: string): string | null {
  let announcedAt = -Infinity;
  for (const [i, whole] of text.split("\n", MAX_LINES).entries()) {
    const line = whole.slice(0, MAX_LINE_LENGTH);
    if (/\bterms\b|\bconditions\b|\bpolicy\b/i.test(line)) announcedAt = i;
    const url = /https?:\/\/[^\s<>"'()[\]]{4,300}/i.exec(line)?.[0].replace(/[.,;:]+$/, "");
    if (url === undefined || /icann\.org\/(?:epp|wicf)/i.test(url)) continue;
    if (i - announcedAt <= MAX_DISTANCE || /terms|conditions|legal|disclaimer/i.test(url)) return url;
  }
  return null;
}
