/** No label is longer. */
export const MAX_LABEL_LENGTH = 200;

/**
 * Lower case; leaders, stars, brackets' remarks, accents, numbering and separators gone: `Name_Server #1....` and `NameServer`
 * are `name server`, `ns2 hostname` is `ns hostname`. Of a label in two languages (`Titular / Registrant`) the second.
 */
export const plainLabel = (text: string): string =>
  text
    .slice(0, MAX_LABEL_LENGTH)
    .replace(/^.* \/ /, "")
    .replace(/(?<=[a-z])(?=[A-Z][a-z])/g, " ")
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .normalize("NFC")
    .replaceAll("ı", "i")
    .replace(/\([^)]*\)?/g, " ")
    .replace(/[\s._*/#'’-]+/g, " ")
    .trim()
    .replace(/(?<=[^\d\s]) ?\d{1,2}$/, "")
    .replace(/^(ns|dns|name ?server|nserver) ?\d{1,2}(?= (?:host|name))/, "$1");
