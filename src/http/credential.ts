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
