import type { IncomingHttpHeaders } from "node:http";
import { SESSION_MS } from "../../sessions/session-store.ts";
import type { Reply } from "../context.ts";

const NAME = "repute_session";

// Callers reach the service by https: then cookies say so.
const isSecure = (publicUrl: string | null): boolean => publicUrl?.startsWith("https:") === true;

/** The session's token that a request carries; null: none. */
export const tokenOf = ({ cookie = "" }: IncomingHttpHeaders): string | null => cookieOf(cookie, NAME);

/** The first value of a name, as a token is written: without quotes and escapes. */
function cookieOf(header: string, name: string): string | null {
  const start = `${name}=`;
  const pair = header.split(";").find((one) => one.trim().startsWith(start));
  return pair === undefined ? null : pair.trim().slice(start.length);
}

/** Hands the token to the browser, or takes it away. Under https by the rules of `__Host-` names (RFC 6265bis 4.1.3.2). */
export function setToken(reply: Reply, token: string | null, publicUrl: string | null): void {
  const maxAge = token === null ? 0 : SESSION_MS / 1000;
  const value = `${NAME}=${token ?? ""}`;
  const rules = `Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Lax${isSecure(publicUrl) ? "; Secure" : ""}`;
  reply.header("Set-Cookie", `${value}; ${rules}`);
}
