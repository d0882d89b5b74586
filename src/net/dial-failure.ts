import { type Unavailable, unavailable } from "../base/failure.ts";
import type { ForbiddenReason } from "./ssrf-guard.ts";

const FORBIDDEN: Readonly<Record<ForbiddenReason, string>> = {
  private_address: "The host leads to a private address",
  forbidden_port: "The port is not one that may be asked",
  self: "The host leads to this machine itself",
};

/** What the codes of the system say of a connection that failed. */
const NETWORK_FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "The connection was refused",
  ECONNRESET: "The connection was closed by the other side",
  ENETUNREACH: "There is no route to the network",
  EHOSTUNREACH: "There is no route to the host",
  ETIMEDOUT: "The connection timed out",
};

/** A connection that may not be made, as people and as programs read it. */
export const forbidden = (host: string, reason: ForbiddenReason): Unavailable => ({
  ...unavailable(host, "refused", FORBIDDEN[reason]),
  code: reason,
});

/** A connection that failed with a code of the system, as people and as programs read it. */
export const notConnected = (host: string, code: string): Unavailable => ({
  ...unavailable(host, "error", NETWORK_FAULTS[code] ?? `The connection failed: ${code}`),
  code,
});
