import type { IncomingHttpHeaders } from "node:http";

/**
 * The key that a request carries: `X-API-Key`, which wins, or `Authorization: Bearer`. Two `X-API-Key` headers are
 * joined by Node with a comma, which no key holds. Null when there is none. Source: design 13.1.
 */
export function credentialOf(headers: IncomingHttpHeaders): string | null {
  const key = headers["x-api-key"];
  if (key !== undefined) return Array.isArray(key) ? key.join(",") : key;
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? "");
  return bearer?.[1] ?? null;
}

/** The password of `Authorization: Basic`, whatever the user's name (RFC 7617); null when there is none. */
export function passwordOf({ authorization }: IncomingHttpHeaders): string | null {
  const basic = /^Basic +([A-Za-z0-9+/_-]{1,1024}={0,2}) *$/i.exec(authorization ?? "")?.[1];
  if (basic === undefined) return null;
  const pair = Buffer.from(basic, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  return colon < 0 ? null : pair.slice(colon + 1);
}
