// The page that was requested before signing in, with its question. Only a path of the signed-in part itself is ever followed.
const PATH = /^\/(?!\/)[a-z0-9/_-]{0,200}(?:\?[a-z0-9%=&+*._~-]{0,4000})?$/i;

/** The sign-in page, with the way back. */
export const signInPath = (from: string): string =>
  from === "/" || !PATH.test(from) ? "/sign-in" : `/sign-in?next=${encodeURIComponent(from)}`;

/** The path to go on with after signing in, out of the address; the overview where it is anything else. */
export function wayBack(search: string): string {
  const next = new URLSearchParams(search).get("next") ?? "/";
  return PATH.test(next) && !/^\/(sign-in|sign-up|open|forgotten|reset)\b/.test(next) ? next : "/";
}
