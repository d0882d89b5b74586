/** A person or role as vCard (RFC 7095) and JSContact (RFC 9553) say it, in the one form both become. */
export type Card = {
  readonly name: string | null;
  readonly organization: string | null;
  /** As written; `emails.ts` judges them. */
  readonly emails: readonly string[];
  /** Without fax lines. */
  readonly phones: readonly string[];
  readonly state: string | null;
  /** A code in upper case, else the name as shown. */
  readonly country: string | null;
  /** One line. */
  readonly address: string | null;
  readonly url: string | null;
};

/** A card that says nothing. */
export const BLANK_CARD: Card = {
  name: null,
  organization: null,
  emails: [],
  phones: [],
  state: null,
  country: null,
  address: null,
  url: null,
};

/** `tel:+1.7035551234;ext=102` as `+1.7035551234 ext. 102`; texts that hold no number are null. */
export function phoneOf(text: string): string | null {
  const [, number = "", extension] = /^(?:tel:)?\s*([^;]{0,64})(?:;ext=(\d{1,10}))?/i.exec(text) ?? [];
  const bare = number.trim();
  if (!/\d{3}|\d[ .-]\d/.test(bare)) return null;
  return extension === undefined ? bare : `${bare} ext. ${extension}`;
}

/** A country as shown: two letters are a code in upper case; `ZZ` stands for none. */
export function countryOf(text: string | null): string | null {
  if (text === null || !/^[a-z]{2}$/i.test(text)) return text;
  const code = text.toUpperCase();
  return code === "ZZ" ? null : code;
}

/** The parts of an address that say something, in one line. */
export function addressLine(parts: readonly (string | null)[]): string | null {
  const line = parts.filter((part) => part !== null && part !== "").join(", ");
  return line === "" ? null : line;
}
