import { clientAddress } from "./client-address.ts";
import type { HttpParts, Reply, Request } from "./context.ts";

/** Sets what every later hook relies on; also for requests that never reach a route. */
export function prepareState(parts: HttpParts, request: Request, reply: Reply): void {
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
    release: () => undefined,
    isRecorded: false,
    subject: { targetKind: "", target: null, items: 0 },
    body: null,
  };
  reply.headers({
    "x-request-id": request.id,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
}
