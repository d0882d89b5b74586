import { sendCompressed } from "../compression.ts";
import type { Reply, Request } from "../context.ts";
import type { Theme } from "./built-pages.ts";

/** What a page may do: load from this service, nothing inline, nothing from elsewhere (ui.md 2). */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

const PAGE_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": POLICY,
  "Cache-Control": "private, no-cache",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "same-origin",
  "X-Frame-Options": "DENY",
} as const;

/**
 * Sends a page. `isPersonal`: no cache keeps what is one person's, and it is not compressed: it holds the session's token
 * beside what was asked, and its length would tell of it (BREACH).
 */
export async function sendPage(
  request: Request,
  reply: Reply,
  html: Buffer,
  { isPersonal = false } = {},
): Promise<Reply> {
  reply.headers(PAGE_HEADERS);
  if (isPersonal) return reply.header("Cache-Control", "no-store").send(html);
  return sendCompressed(request, reply, html);
}

const NOT_BUILT =
  "The pages of this service are not built. Run `npm run web` in its folder and start it again.\n" +
  "The interface works without them: see /openapi.json.\n";

/** For a checkout whose pages are not built. */
export const sendNotBuilt = (reply: Reply): Reply =>
  reply
    .code(503)
    .headers({ "Content-Type": "text/plain; charset=utf-8", "Retry-After": "60" })
    .send(NOT_BUILT);

const THEME_COOKIE = /(?:^|;)\s*repute_theme=(light|dark)(?:;|$)/;

/** The person's choice, kept in a cookie so that the page is right from its first paint. */
export function themeOf(request: Request): Theme {
  const theme = THEME_COOKIE.exec(request.headers.cookie ?? "")?.[1];
  return theme === "light" || theme === "dark" ? theme : "system";
}
