import { hostOf } from "./emails.ts";

const MAX_LENGTH = 2000;

/**
 * A link as its registry wrote it, without anything added; null unless it is a URL of http or https that can be parsed, or
 * a bare host name with or without a path (`www.example.com`).
 */
export function webLinkOf(text: string | null): string | null {
  const link = text?.trim() ?? "";
  if (link === "" || link.length > MAX_LENGTH || /[\s<>"]/.test(link)) return null;
  if (/^https?:\/\//i.test(link)) return URL.canParse(link) ? link : null;
  const host = /^[^/?#:@]+/.exec(link)?.[0] ?? "";
  return hostOf(host) !== null && URL.canParse(`http://${link}`) ? link : null;
}
