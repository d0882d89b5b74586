import { Refusal } from "../base/failure.ts";
import { readIp } from "../targets/ip.ts";
import type { HttpParts, Request } from "./context.ts";

/**
 * Whether a request may have meant this service by its `Host`. Without `server.public_url` only addresses and `localhost`
 * are taken: any other name may be a stranger's who points it here so that a browser takes his page and this service for
 * one (DNS rebinding). Source: security P15.
 */
export function isOwnHost({ publicUrl }: Pick<HttpParts, "publicUrl">, host: string | undefined): boolean {
  // Browsers always send one.
  if (publicUrl !== null || host === undefined) return true;
  const name = withoutPort(host);
  if (name.toLowerCase() === "localhost") return true;
  const isBracketed = name.startsWith("[") && name.endsWith("]");
  const ip = readIp(isBracketed ? name.slice(1, -1) : name);
  return ip !== null && (ip.version === "v6") === isBracketed;
}

function withoutPort(host: string): string {
  const at = host.lastIndexOf(":");
  return at === -1 || host.endsWith("]") ? host : host.slice(0, at);
}

/** Refuses a page, or a call of the pages, that was asked for by a name which is not known to be this service's. */
export function refuseOtherHost(parts: HttpParts, { headers }: Request): void {
  if (isOwnHost(parts, headers.host)) return;
  throw new Refusal("MISDIRECTED_REQUEST");
}
