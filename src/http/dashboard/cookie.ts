import type { IncomingHttpHeaders } from "node:http";
import { SESSION_MS } from "../../sessions/session-store.ts";
import type { Reply } from "../context.ts";

const NAME = "repute_session";

/**
 * Whether the browser reached the page by https: `server.public_url` says so, or its own word for where the page came
 * from, as TLS may end before us. No header of a proxy is read for it (security P17).
 */
export const isSecurePage = (publicUrl: string | null, { origin = "" }: IncomingHttpHeaders): boolean =>
  (publicUrl ?? origin).startsWith("https:");

/** The session's token that a request carries; null: none. */
export const tokenOf = ({ cookie = "" }: IncomingHttpHeaders): string | null => cookieOf(cookie, NAME);

/** The first value of a name, as a token is written: without quotes and escapes. */
function cookieOf(header: string, name: string): string | null {
  const start = `${name}=`;
  const pair = header.split(";").find((one) => one.trim().startsWith(start));
  return pair === undefined ? null : pair.trim().slice(start.length);
}

/** Hands the token to the browser, or takes it away. Under https by the rules of `__Host-` names (RFC 6265bis 4.1.3.2). */
export function setToken(reply: Reply, token: string | null, isSecure: boolean): void {
  const maxAge = token === null ? 0 : SESSION_MS / 1000;
  const value = `${NAME}=${token ?? ""}`;
  const rules = `Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  reply.header("Set-Cookie", `${value}; ${rules}`);
}
