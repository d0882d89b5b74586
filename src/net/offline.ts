import { unavailable } from "../base/failure.ts";
import type { Dialer } from "./dialer-types.ts";
import type { DnsClient } from "./dns/dns-types.ts";

const DETAIL = "Not asked: this runs offline";

const silence = () => unavailable("network", "error", DETAIL);

/** A resolver client that asks nothing: every question is unavailable at once. */
export const offlineDns: DnsClient = {
  query: async () => silence(),
  recall: silence,
  configured: true,
  servers: [],
  close: () => undefined,
};

/** A dialer that opens no connection. */
export const offlineDialer: Dialer = {
  resolve: async () => ({ state: "failed", reason: "error", detail: DETAIL }),
  connect: async () => silence(),
  connectTo: async () => silence(),
};
