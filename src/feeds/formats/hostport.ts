import { readAddressEntries } from "../addresses.ts";
import type { FeedFormat } from "./format.ts";
import { byRow, firstToken, reasonDetail } from "./rows.ts";

/** `ADDRESS:PORT`, `[v6]:PORT` or `scheme://ADDRESS:PORT`; port and scheme are dropped. Source: catalogue. */
export const hostport: FeedFormat = {
  name: "hostport",
  options: {},
  parse: byRow(({ text, comment }) => ({ value: stripPort(firstToken(text)), ...reasonDetail(comment) })),
};

/** The host of `host:port`, `[v6]:port` or `scheme://[user@]host:port`; a bare IPv6 address or a network stays whole. */
export function stripPort(text: string): string {
  // Without the length of its prefix a network would be one address.
  if (text.includes("/") && readAddressEntries(text).length > 0) return text;
  const [authority = ""] = text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "").split(/[/?#]/, 1);
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(host);
  if (bracketed) return bracketed[1] ?? "";
  const colon = host.indexOf(":");
  if (colon < 0 || host.indexOf(":", colon + 1) >= 0) return host;
  return host.slice(0, colon);
}
