import type { IncomingHttpHeaders } from "node:http";
import type { Ip } from "../targets/ip.ts";
import { readIp } from "../targets/ip.ts";

/**
 * The caller's address: the peer, or, when the peer is a trusted proxy, the right-most entry of `X-Forwarded-For`
 * that is not one. Anything unparsable ends the walk at the last good address. No other header is read.
 * Source: security P17.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: IncomingHttpHeaders[string],
  isTrusted: (ip: Ip) => boolean,
): Ip | null {
  let client = peerAddress(peer ?? "");
  if (client === null || forwardedFor === undefined || !isTrusted(client)) return client;
  const entries = (Array.isArray(forwardedFor) ? forwardedFor.join(",") : forwardedFor).split(",");
  for (const entry of entries.reverse()) {
    const ip = readIp(withoutPort(entry));
    if (ip === null) return client;
    client = ip;
    if (!isTrusted(ip)) return client;
  }
  return client;
}

/** `203.0.113.7:4711` and `[2001:db8::7]:4711`, as some balancers write it, without the port; other texts as they are. */
export function withoutPort(entry: string): string {
  const text = entry.trim();
  const colon = text.lastIndexOf(":");
  const host = colon > 0 && isPort(text.slice(colon + 1)) ? text.slice(0, colon) : text;
  if (host.startsWith("[") && host.endsWith("]")) return host.slice(1, -1);
  // Of several colons the last one belongs to the address.
  return host.includes(":") ? text : host;
}

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text);

let latest: { readonly peer: string; readonly ip: Ip | null } = { peer: "", ip: null };

/** The address of who dials, without a zone. Mostly the one of the request before: behind a balancer always. */
export function peerAddress(peer: string): Ip | null {
  if (latest.peer !== peer) latest = { peer, ip: readIp(peer.split("%", 1)[0] ?? "") };
  return latest.ip;
}
