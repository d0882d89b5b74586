import { DAY_MS } from "../../base/durations.ts";

const VALID_DAYS = 180;

type Parts = { readonly contact: string; readonly publicUrl: string | null; readonly now: Date };

/** `/.well-known/security.txt`. Its end is a recent day's, so that an installation that is gone stops speaking. Source: RFC 9116. */
export function securityText({ contact, publicUrl, now }: Parts): string {
  const today = Math.floor(now.getTime() / DAY_MS);
  const base = publicUrl?.replace(/\/$/, "");
  return [
    // As one line, whatever the text had inside.
    `Contact: ${new URL(contact).href}`,
    `Expires: ${new Date((today + VALID_DAYS) * DAY_MS).toISOString()}`,
    "Preferred-Languages: en",
    ...(base?.startsWith("https:") ? [`Canonical: ${base}${SECURITY_PATH}`] : []),
    "",
  ].join("\n");
}

export const SECURITY_PATH = "/.well-known/security.txt";
