import { unavailable } from "../base/failure.ts";
import type { Dialer } from "./dialer-types.ts";
import type { DnsClient } from "./dns/dns-types.ts";

/** Why nothing that is not on this machine was asked. */
export const NOT_ASKED = "Not asked because of --offline";

const silence = () => unavailable("network", "error", NOT_ASKED);

/** A resolver client that asks nothing: every question is unavailable at once. */
export const offlineDns: DnsClient = {
  query: async () => silence(),
  recall: silence,
  configured: true,
  isOff: true,
  servers: [],
  close: () => undefined,
};

/** A dialer that opens no connection. */
export const offlineDialer: Dialer = {
  resolve: async () => ({ state: "failed", reason: "error", detail: NOT_ASKED }),
  connect: async () => silence(),
  connectTo: async () => silence(),
};
