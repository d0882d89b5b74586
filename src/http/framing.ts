import type { IncomingMessage } from "node:http";
import { Refusal } from "../base/failure.ts";

/**
 * Refuses what Node's strict parser lets pass although two readers may see two requests in it: a version other than
 * HTTP/1.0 and 1.1, a transfer coding other than `chunked` alone, any in HTTP/1.0, and, in HTTP/1.1, anything but one
 * Host. Throws BAD_REQUEST; the connection is closed. Source: security P7, RFC 9112 2.3, 3.2, 6.1.
 */
export function refuseDoubtfulFraming({ httpVersion, headers, rawHeaders }: IncomingMessage): void {
  const coding = headers["transfer-encoding"];
  const isDoubtful =
    (httpVersion !== "1.1" && httpVersion !== "1.0") ||
    (coding !== undefined && (httpVersion === "1.0" || coding.toLowerCase() !== "chunked"));
  if (isDoubtful) throw new Refusal("BAD_REQUEST");
  const hosts = countOfHosts(rawHeaders);
  if (hosts > 1 || (hosts === 0 && httpVersion === "1.1")) throw new Refusal("BAD_REQUEST");
}

function countOfHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") count++;
  }
  return count;
}
