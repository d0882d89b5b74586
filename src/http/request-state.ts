import { clientAddress } from "./client-address.ts";
import type { HttpParts, Reply, Request } from "./context.ts";

/** Sets what every later hook relies on; also for requests that never reach a route. */
export function prepareState(parts: HttpParts, request: Request): void {
  const hangUp = new AbortController();
  request.state = {
    startedMs: parts.calls.clock.monotonicMs(),
    clientAddress: clientAddress(
      request.socket.remoteAddress,
      request.headers["x-forwarded-for"],
      parts.isTrustedProxy,
    ),
    hangUp,
    caller: null,
    credential: "",
    session: null,
    sessionToken: "",
    isAdmitted: false,
    release: () => undefined,
    work: null,
    isRecorded: false,
    subject: { targetKind: "", target: null, items: 0 },
    charged: 0,
    encoding: null,
    headers: ["x-request-id", request.id, "cache-control", "no-store", "x-content-type-options", "nosniff"],
  };
  if (isHttps(parts)) request.state.headers.push("strict-transport-security", STRICT_TRANSPORT);
}

/**
 * Frees the in-flight slot: at once for a call that is answered or never began its work; one whose caller left keeps it until
 * nothing of its work is under way. Source: design 13.2.
 */
export function freeSlot(request: Request): void {
  const { work, release } = request.state;
  if (work !== null && isGone(request)) work.whenOver(release);
  else release();
}

/** A year; of this name alone (RFC 6797). */
export const STRICT_TRANSPORT = "max-age=31536000";

/** Whether browsers reach the service by https, as the operator says. Source: security P15. */
export const isHttps = ({ publicUrl }: Pick<HttpParts, "publicUrl">): boolean =>
  publicUrl?.slice(0, 6).toLowerCase() === "https:";

/** Whether the caller left: the connection is gone, or the caller ended its side of it. */
export const isGone = ({ raw }: Request): boolean => !raw.socket.writable;

/** Gives an answer of the framework's the headers that every answer carries, where it has no others of their name. */
export function addCommonHeaders({ state }: Request, reply: Reply): void {
  const { headers } = state;
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] ?? "";
    if (!reply.hasHeader(name)) reply.header(name, headers[i + 1]);
  }
}
