/** Valid UTF-8 by runs, and in the group the octets that belong to none. Source: RFC 3629, 4. */
const UTF8_RUNS =
  /[^\x80-\xff]+|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|([\x80-\xff])/g;

/** The escape character itself, and what a screen obeys or hides instead of showing it. */
const UNSEEN = /[\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Octets that a stranger wrote, as text: UTF-8 as it stands, `\DDD` for octets that are no UTF-8 and for those of
 * control and format characters, `\\` for a backslash. Source: RFC 1035 5.1, design 8.2, security P5.
 */
export const safeText = (octets: Buffer): string =>
  octets
    .toString("latin1")
    .replace(UTF8_RUNS, (run: string, stray: string | undefined) =>
      stray === undefined ? Buffer.from(run, "latin1").toString().replace(UNSEEN, escaped) : octetsOf(run),
    );

const escaped = (character: string): string =>
  character === "\\" ? "\\\\" : octetsOf(Buffer.from(character).toString("latin1"));

const octetsOf = (latin1: string): string =>
  [...latin1].map((octet) => `\\${String(octet.charCodeAt(0)).padStart(3, "0")}`).join("");
