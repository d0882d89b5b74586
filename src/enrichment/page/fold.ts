/** Blanks and control characters folded to single spaces, none at the ends. */
export const fold = (text: string): string => foldBlanks(text).trim();

/** The same, with a space left at an end that had one. */
export const foldBlanks = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, " ");

/** Its first characters. */
export const cut = (text: string, chars: number): string => text.slice(0, Math.max(0, chars));
