/**
 * Takes keys (their 12-character prefix stays), the payment provider's secrets and passwords in URLs out of any text.
 * Source: security P12.
 */
export function scrub(text: string): string {
  return text
    .replace(/rpt_[0-9A-Za-z]{9,}/g, (key) => key.slice(0, 12))
    .replace(/\b(sk|rk|whsec)_[\w*]{6,}/g, "$1_***")
    .replace(/(:\/\/[^\s:/@"]*):[^\s@"/]+@/g, "$1:***@");
}

/** Takes control characters and terminal escapes out of a text that a person will see in a terminal. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "");
}
