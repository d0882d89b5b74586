/** In lower case and without accents, as the words of a verdict are compared. Hangul comes out in its letters. */
export const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}+/gu, "");
