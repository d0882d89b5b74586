import querystring from "node:querystring";

const MASK = "***";
const SECRET_NAME = /secret|password|passphrase|token|credential/i;
const SECRET_PARAMETER = /key|token|auth|secret|pass|sig|licen[cs]e|credential/i;

/** A subscriber's key is a label of the zone's name: `0123456789abcdefghij.zen.example`. */
const KEY_IN_ZONE = /(?<![^.])(?=[a-z0-9-]*\d)[a-z0-9-]{16,}(?=\.)/gi;

type Path = readonly PropertyKey[];

/** What a key looks like, whatever it is called: long, in one piece without a dot, letters and digits mixed. */
const KEY_LIKE = /^(?=[^/]*\d)(?=[^/]*[a-z])[a-z0-9_-]{20,}$/i;

/** Whether a value at this place of the configuration must not be shown: secrets, and whatever headers hold. */
export const isSecret = (path: Path): boolean =>
  (path[0] === "engines" && path[1] === "keys" && path.length > 2) ||
  path.some((name) => name === "headers" || SECRET_NAME.test(String(name)));

/** Request headers that hold no secret: to take their values out of texts would take words out of them. */
const EVERYDAY_HEADERS = new Set(
  "accept accept-encoding accept-language cache-control content-type origin pragma range referer user-agent".split(
    " ",
  ),
);
/** Shorter ones are words that texts hold anyway. */
const MIN_SECRET = 8;

/** What publishers are sent to let the service in, and may repeat in what they send: keys, headers, passwords of URLs. */
export function publisherSecrets(value: unknown, path: Path = []): readonly string[] {
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([name, member]) => publisherSecrets(member, [...path, name]));
  if (typeof value !== "string") return [];
  if (path[0] === "engines" && path[1] === "keys") return [value];
  const secrets = path.at(-2) === "headers" ? headerSecrets(String(path.at(-1)), value) : passwordsIn(value);
  return secrets.filter((secret) => secret.length >= MIN_SECRET);
}

/** The value, and what stands in it behind a scheme such as `Bearer`. */
const headerSecrets = (name: string, value: string): readonly string[] =>
  EVERYDAY_HEADERS.has(name.toLowerCase()) ? [] : [value, ...value.split(" ").slice(-1)];

function passwordsIn(text: string): readonly string[] {
  const password = text.includes("://") ? (URL.parse(text)?.password ?? "") : "";
  return password === "" ? [] : [password, querystring.unescape(password)];
}

/** A copy that may be shown: secrets are `***`, also passwords and keys inside URLs. Null stays null: nothing is set. */
export function maskSecrets(value: unknown, path: Path = []): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown, i) => maskSecrets(entry, [...path, i]));
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([name, member]) => [
      name,
      maskSecrets(member, [...path, name]),
    ]);
    return Object.fromEntries(members);
  }
  if (value === null || value === undefined) return value;
  if (isSecret(path)) return MASK;
  if (path.at(-1) === "zone" && typeof value === "string") return value.replace(KEY_IN_ZONE, MASK);
  return typeof value === "string" ? maskUrl(value) : value;
}

/** The text without the password and the key-like parameters that a URL in it may carry. */
export function maskUrl(text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  // To the last @ before the path: a password may hold one that was not encoded.
  const [start = "", rest = ""] = splitAt(text, text.indexOf("://") + 3);
  const [authority = "", tail = ""] = splitAt(rest, endOf(rest, /[/?#]/));
  const at = authority.lastIndexOf("@");
  const user = authority.slice(0, Math.max(at, 0)).split(":");
  const shown =
    at < 0 ? authority : `${user[0] ?? ""}${user.length > 1 ? `:${MASK}` : ""}${authority.slice(at)}`;
  return start + shown + maskTail(tail);
}

const maskParameter = (whole: string, sign: string, name: string, value: string): string =>
  SECRET_PARAMETER.test(name) || name === "k" || KEY_LIKE.test(value) ? `${sign}${name}=${MASK}` : whole;

/** Publishers give keys as parameters, and as parts of the path. */
function maskTail(tail: string): string {
  const [path = "", query = ""] = splitAt(tail, endOf(tail, /[?#]/));
  const segments = path.split("/").map((part) => (KEY_LIKE.test(part) ? MASK : part));
  return segments.join("/") + query.replace(/([?&])([^=&#]+)=([^&#]*)/g, maskParameter);
}

const splitAt = (text: string, at: number): [string, string] => [text.slice(0, at), text.slice(at)];

function endOf(text: string, sign: RegExp): number {
  const end = text.search(sign);
  return end < 0 ? text.length : end;
}

/** `postgres` of `postgres://…`, in lower case; null when the text is no URL. */
export const schemeOf = (text: string): string | null =>
  /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase() ?? null;
