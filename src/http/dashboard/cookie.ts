import type { IncomingHttpHeaders } from "node:http";
import { SESSION_MS } from "../../sessions/session-store.ts";
import type { Reply } from "../context.ts";

const NAME = "repute_session";
const START = `${NAME}=`;

/**
 * Whether the browser reached the page by https: `server.public_url` says so, or its own word for where the page came
 * from, as TLS may end before us. No header of a proxy is read for it (security P17).
 */
export const isSecurePage = (publicUrl: string | null, { origin = "" }: IncomingHttpHeaders): boolean =>
  (publicUrl ?? origin).startsWith("https:");

/**
 * The session's tokens that a request carries, the last first: a sibling name's page may plant others, and one for a longer
 * path comes before ours (RFC 6265 5.4). They are as few as a header holds.
 */
export const tokensOf = ({ cookie = "" }: IncomingHttpHeaders): readonly string[] =>
  cookie
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(START))
    .map((pair) => pair.slice(START.length))
    .toReversed();

/** Hands the token to the browser, or takes it away. Under https by the rules of `__Host-` names (RFC 6265bis 4.1.3.2). */
export function setToken(reply: Reply, token: string | null, isSecure: boolean): void {
  const maxAge = token === null ? 0 : SESSION_MS / 1000;
  const value = `${NAME}=${token ?? ""}`;
  const rules = `Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  reply.header("Set-Cookie", `${value}; ${rules}`);
}
